package dev.narwhal.lance.scan;

import dev.narwhal.lance.scan.Scan.Match;
import java.io.IOException;
import java.util.Optional;

/** Matching rows, window by window, in order. One thread. */
public final class MatchReader implements AutoCloseable {
  private final OrderedTasks<Match> tasks;
  private final WindowTasks<?> windows;

  MatchReader(OrderedTasks<Match> tasks, WindowTasks<?> windows) {
    this.tasks = tasks;
    this.windows = windows;
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
      windows.close();
    }
  }
}
