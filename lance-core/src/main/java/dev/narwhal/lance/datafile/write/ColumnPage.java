package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.page.ByteRange;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;

/**
 * A page of one of a field's columns.
 *
 * @param column counted from the field's first column, 0
 * @param payloads bytes that are in the file before the page, which says where they are
 * @param page made when it is known where the payloads are
 */
record ColumnPage(
    int column, List<ByteBuffer> payloads, Function<List<ByteRange>, EncodedPage> page) {
  ColumnPage {
    payloads = List.copyOf(payloads);
  }

  /** A page that is complete in itself. */
  static ColumnPage of(int column, EncodedPage page) {
    return new ColumnPage(column, List.of(), places -> page);
  }
}
