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
   * @param attemptMillis how long the shortest of them took
   * @param limitMillis longest wait that is of use
   * @throws InterruptedIOException when the thread is interrupted, which it stays
   */
  void pause(int failures, long attemptMillis, long limitMillis) throws InterruptedIOException;

  /** Does not wait. */
  static Pacing none() {
    return (failures, attemptMillis, limitMillis) -> {};
  }

  /**
   * Real Lance's way: one of 4, 8, 16, ... slots by chance, each a little longer than an attempt
   * takes. Source: table format sheet 5.3. The number of slots ends at 256. Real Lance measures the
   * first attempt only: one that was slow, as in a JVM that has just begun, would make a process
   * wait for so long each time that those which are at work already leave it no gap.
   */
  static Pacing slots() {
    return (failures, attemptMillis, limitMillis) -> {
      int slots = 1 << Math.min(failures + 1, 8);
      long unit = Math.max(1, attemptMillis * 11 / 10);
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
