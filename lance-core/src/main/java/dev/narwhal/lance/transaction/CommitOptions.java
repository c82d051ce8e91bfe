package dev.narwhal.lance.transaction;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;

/**
 * How a transaction is committed.
 *
 * @param attempts how often it is tried when others win the race, at least 1
 * @param timeout no further attempt is begun after this time, and none is waited for longer
 * @param strictRowConflicts whether a row that another commit removed too is a conflict, as for
 *     real Lance; else it counts as removed by that one, see {@link Rebase}
 * @param affectedRows rows that it removes from their places; without them any fragment that
 *     another commit touched too is a conflict
 * @param pacing what happens between attempts
 * @param clock stamps the version
 * @param inlineTransactionBytes longest transaction that is stored in the manifest file too, at
 *     least 0; a longer one is only in its own file, so that it is not stored twice
 */
public record CommitOptions(
    int attempts,
    Duration timeout,
    boolean strictRowConflicts,
    AffectedRows affectedRows,
    Pacing pacing,
    Clock clock,
    int inlineTransactionBytes) {
  /** Real Lance's number of attempts. Source: table format sheet 5.4. */
  public static final int LANCE_ATTEMPTS = 20;

  /** Longer than anybody waits. */
  public static final Duration NO_TIMEOUT = Duration.ofMillis(Long.MAX_VALUE);

  public CommitOptions {
    requireNonNull(timeout, "timeout");
    requireNonNull(affectedRows, "affectedRows");
    requireNonNull(pacing, "pacing");
    requireNonNull(clock, "clock");
    if (timeout.isNegative() || timeout.compareTo(NO_TIMEOUT) > 0) {
      throw new IllegalArgumentException(
          "timeout must not be negative, or without end: " + timeout);
    }
    if (inlineTransactionBytes < 0) {
      throw new IllegalArgumentException(
          "inlineTransactionBytes must be at least 0: " + inlineTransactionBytes);
    }
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts must be at least 1: " + attempts);
    }
  }

  /** Real Lance's numbers; nothing is known of rows. */
  public static CommitOptions standard() {
    return new CommitOptions(
        LANCE_ATTEMPTS,
        NO_TIMEOUT,
        false,
        AffectedRows.none(),
        Pacing.slots(),
        Clock.systemUTC(),
        ManifestBuilder.INLINE_TRANSACTION_BYTES);
  }

  public CommitOptions withAttempts(int count) {
    return new CommitOptions(
        count, timeout, strictRowConflicts, affectedRows, pacing, clock, inlineTransactionBytes);
  }

  public CommitOptions withTimeout(Duration limit) {
    return new CommitOptions(
        attempts, limit, strictRowConflicts, affectedRows, pacing, clock, inlineTransactionBytes);
  }

  public CommitOptions withStrictRowConflicts(boolean strict) {
    return new CommitOptions(
        attempts, timeout, strict, affectedRows, pacing, clock, inlineTransactionBytes);
  }

  public CommitOptions withAffectedRows(AffectedRows rows) {
    return new CommitOptions(
        attempts, timeout, strictRowConflicts, rows, pacing, clock, inlineTransactionBytes);
  }

  public CommitOptions withClock(Clock other) {
    return new CommitOptions(
        attempts, timeout, strictRowConflicts, affectedRows, pacing, other, inlineTransactionBytes);
  }

  public CommitOptions withPacing(Pacing other) {
    return new CommitOptions(
        attempts, timeout, strictRowConflicts, affectedRows, other, clock, inlineTransactionBytes);
  }

  public CommitOptions withInlineTransactionBytes(int limit) {
    return new CommitOptions(
        attempts, timeout, strictRowConflicts, affectedRows, pacing, clock, limit);
  }
}
