package dev.narwhal.lance.write.merge;

import java.io.IOException;

/** The keys of the table's rows, batch by batch. */
@FunctionalInterface
interface TargetKeys {
  /**
   * Fills a batch with the next keys, perhaps none, by row address.
   *
   * @return false after the last
   */
  boolean next(KeyBatch keys) throws IOException;
}
