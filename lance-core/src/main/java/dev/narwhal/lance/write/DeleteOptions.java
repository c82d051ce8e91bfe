package dev.narwhal.lance.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.transaction.AffectedRows;
import dev.narwhal.lance.transaction.CommitOptions;
import dev.narwhal.lance.transaction.Pacing;
import java.time.Duration;

/**
 * How a delete is written.
 *
 * @param layout form of the deletion files; only a rebase over another delete writes a bitmap
 *     whatever this says, as real Lance does
 * @param dryRun whether only the outcome is worked out, and nothing is written
 * @param commitEmpty whether a delete that matches nothing makes a version all the same, as in real
 *     Lance
 * @param strictRowConflicts whether a row that another commit deleted meanwhile is a conflict, as
 *     in real Lance; else it only does not count
 * @param retries how often the delete is worked out again on the newest version after a conflict
 * @param commitAttempts how often a commit is tried when others win the race, at least 1
 */
public record DeleteOptions(
    LayoutChoice layout,
    boolean dryRun,
    boolean commitEmpty,
    boolean strictRowConflicts,
    Retries retries,
    int commitAttempts) {
  /** See {@link LayoutChoice#lance(int)}. */
  public static final int LANCE_ARRAY_THRESHOLD = LayoutChoice.LANCE_ARRAY_THRESHOLD;

  public DeleteOptions {
    requireNonNull(layout, "layout");
    requireNonNull(retries, "retries");
    if (commitAttempts < 1) {
      throw new IllegalArgumentException("commitAttempts must be at least 1: " + commitAttempts);
    }
  }

  /** Real Lance's numbers; a delete that matches nothing makes no version. */
  public static DeleteOptions standard() {
    return new DeleteOptions(
        LayoutChoice.lance(),
        false,
        false,
        false,
        Retries.standard(),
        CommitOptions.LANCE_ATTEMPTS);
  }

  /** Real Lance's form with another threshold, see {@link LayoutChoice#lance(int)}. */
  public DeleteOptions withArrayThreshold(int rows) {
    return withLayout(LayoutChoice.lance(rows));
  }

  public DeleteOptions withLayout(LayoutChoice other) {
    return new DeleteOptions(
        other, dryRun, commitEmpty, strictRowConflicts, retries, commitAttempts);
  }

  /** Works the outcome out and writes nothing. */
  public DeleteOptions asDryRun() {
    return new DeleteOptions(
        layout, true, commitEmpty, strictRowConflicts, retries, commitAttempts);
  }

  /** Makes a version even when nothing matches. */
  public DeleteOptions withEmptyCommits() {
    return new DeleteOptions(layout, dryRun, true, strictRowConflicts, retries, commitAttempts);
  }

  /** Has a row that another commit deleted be a conflict. */
  public DeleteOptions withStrictRowConflicts() {
    return new DeleteOptions(layout, dryRun, commitEmpty, true, retries, commitAttempts);
  }

  public DeleteOptions withRetries(Retries other) {
    return new DeleteOptions(
        layout, dryRun, commitEmpty, strictRowConflicts, other, commitAttempts);
  }

  public DeleteOptions withRetries(int count, Duration timeout) {
    return withRetries(new Retries(count, timeout, retries.pacing()));
  }

  /** Attempts of each commit; the pacing is that of the retries too. */
  public DeleteOptions withCommitAttempts(int attempts, Pacing between) {
    return new DeleteOptions(
        layout, dryRun, commitEmpty, strictRowConflicts, retries.withPacing(between), attempts);
  }

  CommitOptions commitOptions(AffectedRows rows) {
    return CommitOptions.standard()
        .withAttempts(commitAttempts)
        .withPacing(retries.pacing())
        .withStrictRowConflicts(strictRowConflicts)
        .withAffectedRows(rows);
  }
}
