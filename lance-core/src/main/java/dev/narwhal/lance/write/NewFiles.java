package dev.narwhal.lance.write;

import dev.narwhal.lance.error.CommitStateUnknownException;
import java.io.IOException;

/**
 * Whose data files are that a commit names: their writer's, who removes them when he is closed,
 * until a version may name them. A commit that returns has made one; only a delete can find that
 * nothing is left to do, and it names no new data files.
 */
public final class NewFiles {
  private NewFiles() {}

  /** A commit that names new data files. */
  @FunctionalInterface
  public interface Commit<T> {
    /** Runs it. */
    T run() throws IOException;
  }

  /**
   * Runs a commit.
   *
   * @param keep lets go of the files: run when a version names them, or may do so
   * @throws CommitStateUnknownException as the commit does
   */
  public static <T> T commit(Commit<T> commit, Runnable keep) throws IOException {
    T done;
    try {
      done = commit.run();
    } catch (CommitStateUnknownException | Error e) {
      // an Error may have come after the version was there: no memory, no stack
      keep.run();
      throw e;
    }
    keep.run();
    return done;
  }
}
