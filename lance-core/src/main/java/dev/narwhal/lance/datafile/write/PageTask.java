package dev.narwhal.lance.datafile.write;

import java.util.List;
import java.util.function.Supplier;

/**
 * Pages of one of a field's columns, in sequence, that are yet to be encoded. What they are made of
 * is theirs alone: any thread may do it.
 *
 * @param sizeBytes of the values in memory, for who does it
 * @param encoding called once
 */
record PageTask(long sizeBytes, Supplier<List<ColumnPage>> encoding) {
  /** Pages that are encoded already; none of them is no task. */
  static List<PageTask> done(List<ColumnPage> pages) {
    return pages.isEmpty() ? List.of() : List.of(new PageTask(0, () -> pages));
  }
}
