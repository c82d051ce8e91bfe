package dev.narwhal.cli.source;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Rows one by one, their values as Java objects: {@link Boolean}, {@link NumberText} where the
 * source is text, {@link Long}, {@link java.math.BigInteger}, {@link java.math.BigDecimal}, {@link
 * Float}, {@link Double}, {@link String}, {@code byte[]}, {@link java.util.List}, {@link
 * java.util.Map} by member, and {@link Ticks} for times that are numbers in their source.
 */
interface RowCursor extends Closeable {
  /** Moves to the next row, and returns whether there is one. */
  boolean next() throws IOException;

  /** The value of a column of the schema that the cursor was opened with, or null. */
  @Nullable Object value(int column) throws IOException;

  /** Where the row is, such as {@code line 5}, for messages. */
  String place();

  /** Bytes of the row in its source, about. */
  long sizeBytes();
}
