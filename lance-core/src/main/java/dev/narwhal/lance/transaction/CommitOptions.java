package dev.narwhal.lance.transaction;

import static java.util.Objects.requireNonNull;

import java.time.Clock;

/**
 * How a transaction is committed.
 *
 * @param attempts how often it is tried when others win the race, at least 1
 * @param strictRowConflicts whether a row that another commit removed too is a conflict, as for
 *     real Lance; else it counts as removed by that one, see {@link Rebase}
 * @param affectedRows rows that it removes from their places; without them any fragment that
 *     another commit touched too is a conflict
 * @param pacing what happens between attempts
 * @param clock stamps the version
 */
public record CommitOptions(
    int attempts,
    boolean strictRowConflicts,
    AffectedRows affectedRows,
    Pacing pacing,
    Clock clock) {
  /** Real Lance's number of attempts. Source: table format sheet 5.4. */
  public static final int LANCE_ATTEMPTS = 20;

  public CommitOptions {
    requireNonNull(affectedRows, "affectedRows");
    requireNonNull(pacing, "pacing");
    requireNonNull(clock, "clock");
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts must be at least 1: " + attempts);
    }
  }

  /** Real Lance's numbers; nothing is known of rows. */
  public static CommitOptions standard() {
    return new CommitOptions(
        LANCE_ATTEMPTS, false, AffectedRows.none(), Pacing.slots(), Clock.systemUTC());
  }

  public CommitOptions withAttempts(int count) {
    return new CommitOptions(count, strictRowConflicts, affectedRows, pacing, clock);
  }

  public CommitOptions withStrictRowConflicts(boolean strict) {
    return new CommitOptions(attempts, strict, affectedRows, pacing, clock);
  }

  public CommitOptions withAffectedRows(AffectedRows rows) {
    return new CommitOptions(attempts, strictRowConflicts, rows, pacing, clock);
  }

  public CommitOptions withClock(Clock other) {
    return new CommitOptions(attempts, strictRowConflicts, affectedRows, pacing, other);
  }

  public CommitOptions withPacing(Pacing other) {
    return new CommitOptions(attempts, strictRowConflicts, affectedRows, other, clock);
  }
}
