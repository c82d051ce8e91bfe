package dev.narwhal.lance.scan;

import dev.narwhal.lance.scan.Scan.Match;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Matching rows, window by window, in order. One thread. */
public final class MatchReader implements AutoCloseable {
  private final OrderedTasks<Match> tasks;
  private final List<FragmentLease> leases;

  MatchReader(OrderedTasks<Match> tasks, List<FragmentLease> leases) {
    this.tasks = tasks;
    this.leases = leases;
  }

  /** The next window's matches, perhaps none; empty after the last window. */
  public Optional<Match> next() throws IOException {
    return tasks.next();
  }

  @Override
  public void close() throws IOException {
    try {
      tasks.close();
    } finally {
      FragmentLease.closeAll(leases);
    }
  }
}
