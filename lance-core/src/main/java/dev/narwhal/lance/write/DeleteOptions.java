package dev.narwhal.lance.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.transaction.AffectedRows;
import dev.narwhal.lance.transaction.CommitOptions;
import dev.narwhal.lance.transaction.Pacing;
import java.time.Duration;

/**
 * How a delete is written.
 *
 * @param arrayThreshold number of deleted rows of a fragment from which on a first deletion file is
 *     a bitmap, at least 0. Lance's own value is {@link #LANCE_ARRAY_THRESHOLD}; readers accept
 *     either encoding at any size
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
    int arrayThreshold,
    boolean dryRun,
    boolean commitEmpty,
    boolean strictRowConflicts,
    int conflictRetries,
    Duration retryTimeout,
    int commitAttempts,
    Pacing pacing) {
  /** Source: table format sheet 4.1. */
  public static final int LANCE_ARRAY_THRESHOLD = 5_000;

  /** Source: table format sheet 5.1. */
  public static final int LANCE_CONFLICT_RETRIES = 10;

  public DeleteOptions {
    requireNonNull(retryTimeout, "retryTimeout");
    requireNonNull(pacing, "pacing");
    if (arrayThreshold < 0) {
      throw new IllegalArgumentException("arrayThreshold must be at least 0: " + arrayThreshold);
    }
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
        LANCE_ARRAY_THRESHOLD,
        false,
        false,
        false,
        LANCE_CONFLICT_RETRIES,
        Duration.ofSeconds(30),
        CommitOptions.LANCE_ATTEMPTS,
        Pacing.slots());
  }

  public DeleteOptions withArrayThreshold(int rows) {
    return new DeleteOptions(
        rows,
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
        arrayThreshold,
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
        arrayThreshold,
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
        arrayThreshold,
        dryRun,
        commitEmpty,
        true,
        conflictRetries,
        retryTimeout,
        commitAttempts,
        pacing);
  }

  public DeleteOptions withRetries(int retries, Duration timeout) {
    return new DeleteOptions(
        arrayThreshold,
        dryRun,
        commitEmpty,
        strictRowConflicts,
        retries,
        timeout,
        commitAttempts,
        pacing);
  }

  public DeleteOptions withCommitAttempts(int attempts, Pacing between) {
    return new DeleteOptions(
        arrayThreshold,
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
