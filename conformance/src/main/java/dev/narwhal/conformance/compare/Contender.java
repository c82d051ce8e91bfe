package dev.narwhal.conformance.compare;

import dev.narwhal.iceberg.verify.RowsDigest;
import java.io.IOException;
import java.nio.file.Path;

/** A strategy with a copy of the data of its own. Each method is called once, in this order. */
interface Contender {
  /**
   * Makes the copy. Not measured.
   *
   * @param folder for the copy; does not exist yet
   * @throws dev.narwhal.lance.error.UnsupportedFeatureException when the data's types rule the
   *     strategy out
   */
  void prepare(Path folder) throws IOException;

  /**
   * Opens the copy, finds the rows, deletes them, commits.
   *
   * @throws dev.narwhal.lance.error.UnsupportedFeatureException when the predicate does not fit
   *     what the data's types became
   */
  void delete(String where) throws IOException;

  /** Reads every live row with the format's own reader. */
  RowsDigest read() throws IOException;

  /** Size of the data and delete files that {@link #read} needed. */
  long bytesRead() throws IOException;
}
