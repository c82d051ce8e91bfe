package dev.narwhal.lance.transaction;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Who may commit to a dataset next, among the threads of this process: in the order in which they
 * ask. Only one commit can succeed at a time, and every other one under way has to begin again;
 * threads that know of each other need not find that out from the store. Between processes the
 * store decides, as ever.
 *
 * <p>Safe for use by many threads. A thread may take a turn within its own.
 */
final class CommitTurns {
  /** Turns that somebody has or waits for, by the URI of the dataset. */
  private static final Map<String, Turn> TURNS = new HashMap<>();

  private CommitTurns() {}

  /** What is done in a turn. */
  @FunctionalInterface
  interface Work {
    boolean run() throws IOException;
  }

  /** Waits for a turn, does the work in it, and lets the next one have his. */
  static boolean inTurn(String uri, Work work) throws IOException {
    Turn turn = enter(uri);
    turn.lock.lock();
    try {
      return work.run();
    } finally {
      turn.lock.unlock();
      leave(uri, turn);
    }
  }

  /** Whether others wait while somebody has the turn. */
  static synchronized boolean othersWait(String uri) {
    Turn turn = TURNS.get(uri);
    return turn != null && turn.users > 1;
  }

  private static synchronized Turn enter(String uri) {
    Turn turn = TURNS.computeIfAbsent(uri, key -> new Turn());
    turn.users++;
    return turn;
  }

  private static synchronized void leave(String uri, Turn turn) {
    turn.users--;
    if (turn.users == 0) {
      TURNS.remove(uri);
    }
  }

  private static final class Turn {
    private final ReentrantLock lock = new ReentrantLock(true);

    /** Threads that have the turn or wait for it; guarded by the class. */
    private int users;
  }
}
