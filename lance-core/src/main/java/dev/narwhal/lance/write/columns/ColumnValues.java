package dev.narwhal.lance.write.columns;

import dev.narwhal.lance.write.WriteContext;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;

/** Where the values of new columns come from. */
interface ColumnValues {
  /**
   * The columns on a version.
   *
   * @throws IllegalArgumentException when they make no sense there
   */
  List<Field> fields(WriteContext context) throws IOException;

  /** Whether rows get values at all; else the columns are null, and need no file. */
  boolean writes();

  /** Whether the values can be had a second time, after a conflict. */
  boolean repeatable();

  /**
   * Gives each fragment its values.
   *
   * @param files one for each fragment of the version, in its order
   */
  void fill(WriteContext context, List<Field> fields, List<ColumnFile> files) throws IOException;
}
