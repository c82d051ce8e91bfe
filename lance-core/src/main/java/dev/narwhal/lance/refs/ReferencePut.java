package dev.narwhal.lance.refs;

import dev.narwhal.lance.error.CommitStateUnknownException;
import dev.narwhal.lance.error.DatasetNotFoundException;
import java.io.IOException;

/**
 * The put that creates a reference's file, and what there is to find out when the store's reply is
 * lost, or when the store repeated the put on its own and met its own file.
 */
final class ReferencePut {
  private ReferencePut() {}

  /** A call to the store that answers yes or no. */
  @FunctionalInterface
  interface Call {
    boolean run() throws IOException;
  }

  /** A call to the store of which only the failure tells something. */
  @FunctionalInterface
  interface Step {
    void run() throws IOException;
  }

  /**
   * Looks once more whether what a new reference names is there, and takes the reference back when
   * it is not, or when that cannot be told.
   *
   * @throws CommitStateUnknownException when the reference could not be taken back either
   */
  static void confirm(Step look, Step takeBack, String name) throws IOException {
    try {
      look.run();
    } catch (IOException | RuntimeException e) {
      try {
        takeBack.run();
      } catch (IOException | RuntimeException left) {
        e.addSuppressed(left);
        throw new CommitStateUnknownException(
            name + ": was written, but the version it names cannot be found; look at it", e);
      }
      throw e;
    }
  }

  /**
   * Returns whether the reference is ours.
   *
   * @param create whether the file was created
   * @param isOurs whether the file that is there is ours; throws {@link DatasetNotFoundException}
   *     when none is
   * @param name for messages
   * @throws CommitStateUnknownException when it cannot be told
   * @throws IOException when storage failed and the file was not created
   */
  static boolean create(Call create, Call isOurs, String name) throws IOException {
    IOException failure;
    try {
      return create.run() || isOurs.run();
    } catch (DatasetNotFoundException e) {
      return false;
    } catch (IOException e) {
      failure = e;
    }
    try {
      if (isOurs.run()) {
        return true;
      }
    } catch (DatasetNotFoundException e) {
      failure.addSuppressed(e);
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
      throw new CommitStateUnknownException(
          name + ": whether it was created is not known, since it cannot be read; look at it",
          failure);
    }
    throw failure;
  }
}
