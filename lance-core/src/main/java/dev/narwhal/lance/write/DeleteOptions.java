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
 * @param conflictRetries how often the delete is worked out again on the newest version after a
 *     conflict, at least 0
 * @param retryTimeout no further attempt is begun after this time
 * @param commitAttempts how often a commit is tried when others win the race, at least 1
 * @param pacing what happens between attempts
 */
public record DeleteOptions(
    LayoutChoice layout,
    boolean dryRun,
    boolean commitEmpty,
    boolean strictRowConflicts,
    int conflictRetries,
    Duration retryTimeout,
    int commitAttempts,
    Pacing pacing) {
  /** See {@link LayoutChoice#lance(int)}. */
  public static final int LANCE_ARRAY_THRESHOLD = LayoutChoice.LANCE_ARRAY_THRESHOLD;

  /** Source: table format sheet 5.1. */
  public static final int LANCE_CONFLICT_RETRIES = 10;

  public DeleteOptions {
    requireNonNull(layout, "layout");
    requireNonNull(retryTimeout, "retryTimeout");
    requireNonNull(pacing, "pacing");
    if (conflictRetries < 0) {
      throw new IllegalArgumentException("conflictRetries must be at least 0: " + conflictRetries);
    }
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
        LANCE_CONFLICT_RETRIES,
        Duration.ofSeconds(30),
        CommitOptions.LANCE_ATTEMPTS,
        Pacing.slots());
  }

  /** Real Lance's form with another threshold, see {@link LayoutChoice#lance(int)}. */
  public DeleteOptions withArrayThreshold(int rows) {
    return withLayout(LayoutChoice.lance(rows));
  }

  public DeleteOptions withLayout(LayoutChoice other) {
    return new DeleteOptions(
        other,
        dryRun,
        commitEmpty,
        strictRowConflicts,
        conflictRetries,
        retryTimeout,
        commitAttempts,
        pacing);
  }

  /** Works the outcome out and writes nothing. */
  public DeleteOptions asDryRun() {
    return new DeleteOptions(
        layout,
        true,
        commitEmpty,
        strictRowConflicts,
        conflictRetries,
        retryTimeout,
        commitAttempts,
        pacing);
  }

  /** Makes a version even when nothing matches. */
  public DeleteOptions withEmptyCommits() {
    return new DeleteOptions(
        layout,
        dryRun,
        true,
        strictRowConflicts,
        conflictRetries,
        retryTimeout,
        commitAttempts,
        pacing);
  }

  /** Has a row that another commit deleted be a conflict. */
  public DeleteOptions withStrictRowConflicts() {
    return new DeleteOptions(
        layout, dryRun, commitEmpty, true, conflictRetries, retryTimeout, commitAttempts, pacing);
  }

  public DeleteOptions withRetries(int retries, Duration timeout) {
    return new DeleteOptions(
        layout, dryRun, commitEmpty, strictRowConflicts, retries, timeout, commitAttempts, pacing);
  }

  public DeleteOptions withCommitAttempts(int attempts, Pacing between) {
    return new DeleteOptions(
        layout,
        dryRun,
        commitEmpty,
        strictRowConflicts,
        conflictRetries,
        retryTimeout,
        attempts,
        between);
  }

  CommitOptions commitOptions(AffectedRows rows) {
    return CommitOptions.standard()
        .withAttempts(commitAttempts)
        .withPacing(pacing)
        .withStrictRowConflicts(strictRowConflicts)
        .withAffectedRows(rows);
  }
}
