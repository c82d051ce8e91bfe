package dev.narwhal.iceberg.verify;

import dev.narwhal.iceberg.mapping.RowBytes;
import java.io.IOException;
import java.util.List;
import org.apache.iceberg.Schema;

/** The live rows of one side, in parts that can be read side by side, as often as asked. */
interface RowSet {
  /** Column names and types as encoded. */
  Schema schema();

  List<? extends Part> parts();

  /** Some of the rows. Safe for use by many threads. */
  interface Part {
    /** Hands over every row, until the consumer has enough. */
    void forEach(RowConsumer consumer) throws IOException;
  }

  /** Takes rows. */
  interface RowConsumer {
    /**
     * Takes a row.
     *
     * @param row overwritten once this returns
     * @return whether to go on
     */
    boolean accept(RowBytes row);
  }
}
