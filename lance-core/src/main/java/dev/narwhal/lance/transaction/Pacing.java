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
   * Real Lance's way: one of some slots by chance, each a little longer than an attempt takes;
   * twice as many after each failure. Source: table format sheet 5.3. Three things differ, lest a
   * process in which everything is still slow never find a gap between the commits of one that is
   * at work: an attempt is as long as the shortest was and not the first, slots begin with 1 and
   * not with 4, which is no wait, and end with 16. The store lets one of those that meet win, so
   * that trying soon costs work and no progress.
   */
  static Pacing slots() {
    return (failures, attemptMillis, limitMillis) -> {
      int slots = 1 << Math.min(failures - 1, 4);
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
