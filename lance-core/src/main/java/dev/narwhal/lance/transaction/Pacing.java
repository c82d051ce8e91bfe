package dev.narwhal.lance.transaction;

import java.io.InterruptedIOException;
import java.util.concurrent.ThreadLocalRandom;

/** How long to wait after a lost race before the next attempt. Safe for use by many threads. */
@FunctionalInterface
public interface Pacing {
  /**
   * Waits.
   *
   * @param failures attempts that failed so far, at least 1
   * @param firstAttemptMillis how long the first of them took
   * @param limitMillis longest wait that is of use
   * @throws InterruptedIOException when the thread is interrupted, which it stays
   */
  void pause(int failures, long firstAttemptMillis, long limitMillis) throws InterruptedIOException;

  /** Does not wait. */
  static Pacing none() {
    return (failures, firstAttemptMillis, limitMillis) -> {};
  }

  /**
   * Real Lance's way: one of 4, 8, 16, ... slots by chance, each a little longer than an attempt
   * takes. Source: table format sheet 5.3. The number of slots ends at 256.
   */
  static Pacing slots() {
    return (failures, firstAttemptMillis, limitMillis) -> {
      int slots = 1 << Math.min(failures + 1, 8);
      long unit = Math.max(1, firstAttemptMillis * 11 / 10);
      long millis = Math.min(limitMillis, ThreadLocalRandom.current().nextInt(slots) * unit);
      try {
        Thread.sleep(millis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted between two attempts to commit");
      }
    };
  }
}
