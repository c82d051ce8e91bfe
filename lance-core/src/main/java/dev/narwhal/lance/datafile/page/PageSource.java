package dev.narwhal.lance.datafile.page;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.schema.LanceField;

/**
 * What a page decoder is made from.
 *
 * @param field the column's field; its name and logical type belong in messages about encodings
 *     that are not supported. The edge adds file, column and page number to every message.
 * @param shape what one value looks like in Arrow; the decoder checks the page's encoding against
 *     it
 * @param rows values of the column in this page, {@code >= 0}
 * @param encoding the serialised page message: {@code ArrayEncoding} in 2.0, {@code PageLayout}
 *     from 2.1 on; its type URL has been checked
 */
public record PageSource(
    LanceField field, ValueShape shape, long rows, PageBuffers buffers, ByteString encoding) {
  public PageSource {
    requireNonNull(field, "field");
    requireNonNull(shape, "shape");
    requireNonNull(buffers, "buffers");
    requireNonNull(encoding, "encoding");
    if (rows < 0) {
      throw new IllegalArgumentException("rows must be >= 0: " + rows);
    }
  }
}
