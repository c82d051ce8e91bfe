package dev.narwhal.lance.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.IncompatibleConflictException;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.transaction.CommitOptions;
import dev.narwhal.lance.transaction.Pacing;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Works an operation out again when another commit came first and the conflict allows it. Anything
 * but a {@link RetryableConflictException} ends it at once. The first attempt has all the time it
 * takes; the waiting and the commits of later ones end with the timeout. Source: table format sheet
 * 5.3.
 *
 * <pre>{@code
 * Retries.standard().run(context, attempt -> {
 *   Operation operation = workOut(attempt.context());
 *   Committed committed = committer.commit(transaction, base, attempt.bound(options));
 *   return new Result(committed, attempt.earlier() + committed.attempts());
 * });
 * }</pre>
 *
 * @param retries how often it is worked out again, at least 0
 * @param timeout from the beginning of the first attempt; none is begun after it
 * @param pacing what happens between attempts
 */
public record Retries(int retries, Duration timeout, Pacing pacing) {
  /** Source: table format sheet 5.1. */
  public static final int LANCE_RETRIES = 10;

  /** Source: table format sheet 5.1. */
  public static final Duration LANCE_TIMEOUT = Duration.ofSeconds(30);

  public Retries {
    requireNonNull(timeout, "timeout");
    requireNonNull(pacing, "pacing");
    if (retries < 0) {
      throw new IllegalArgumentException("retries must be at least 0: " + retries);
    }
    if (timeout.isNegative() || timeout.compareTo(CommitOptions.NO_TIMEOUT) > 0) {
      throw new IllegalArgumentException(
          "timeout must not be negative, or without end: " + timeout);
    }
  }

  /** Real Lance's numbers. */
  public static Retries standard() {
    return new Retries(LANCE_RETRIES, LANCE_TIMEOUT, Pacing.slots());
  }

  public Retries withPacing(Pacing other) {
    return new Retries(retries, timeout, other);
  }

  /** What is tried: works the operation out on a version, and commits it. */
  @FunctionalInterface
  public interface Work<T> {
    T on(Attempt attempt) throws IOException;
  }

  /**
   * One try.
   *
   * @param context the version to work on
   * @param earlier tries that failed before this one
   * @param left time that its commit may take
   */
  public record Attempt(WriteContext context, int earlier, Duration left) {
    /** The options with no more time than is left. */
    public CommitOptions bound(CommitOptions options) {
      return options.timeout().compareTo(left) <= 0 ? options : options.withTimeout(left);
    }
  }

  /**
   * Tries on a version, and after each conflict on the newest there is then.
   *
   * @param first what the first attempt works on
   * @throws RetryableConflictException the last one, when there are no more attempts or no more
   *     time
   * @throws IncompatibleConflictException as it came
   */
  public <T> T run(WriteContext first, Work<T> work) throws IOException {
    return run(first, true, work);
  }

  /**
   * Tries on one version only, for work that means nothing on others: whoever only lost races goes
   * on where he began, and a conflict with what another commit did is final.
   *
   * @throws RetryableConflictException as {@link #run}, and for the first such conflict
   */
  public <T> T runOn(WriteContext version, Work<T> work) throws IOException {
    return run(version, false, work);
  }

  private <T> T run(WriteContext first, boolean moves, Work<T> work) throws IOException {
    long start = System.nanoTime();
    long limitMillis = timeout.toMillis();
    long shortest = Long.MAX_VALUE;
    long left = CommitOptions.NO_TIMEOUT.toMillis();
    WriteContext current = first;
    for (int failures = 0; ; failures++) {
      long begun = System.nanoTime();
      try {
        return work.on(new Attempt(current, failures, Duration.ofMillis(left)));
      } catch (RetryableConflictException e) {
        long millis = millisSince(start);
        shortest = Math.min(shortest, millisSince(begun));
        boolean again = moves || e.conflict().isEmpty();
        if (!again || failures >= retries || millis >= limitMillis) {
          throw e;
        }
        pacing.pause(failures + 1, shortest, limitMillis - millis);
        current = moves ? current.latest() : current;
        left = limitMillis - millisSince(start);
        if (left <= 0) {
          throw e;
        }
      }
    }
  }

  private static long millisSince(long start) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }
}
