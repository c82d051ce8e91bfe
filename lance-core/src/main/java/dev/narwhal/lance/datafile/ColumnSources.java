package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.ColumnMetadata.Page;
import dev.narwhal.lance.datafile.array.ArrayPages;
import dev.narwhal.lance.datafile.blob.BlobReader;
import dev.narwhal.lance.datafile.layout.LayoutPages;
import dev.narwhal.lance.datafile.page.PageBuffers;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What readers of a file's columns are made from. The metadata of a column is read when it is first
 * asked for, and kept. Safe for use by many threads.
 */
final class ColumnSources {
  private final FileTail tail;
  private final long rows;
  private final BlobReader blobs;
  private final Map<Integer, ColumnMetadata> metadata = new ConcurrentHashMap<>();

  ColumnSources(FileTail tail, long rows, BlobReader blobs) {
    this.tail = tail;
    this.rows = rows;
    this.blobs = blobs;
  }

  FileVersion version() {
    return tail.version();
  }

  /** Rows of the file. */
  long rows() {
    return rows;
  }

  /** Reads what descriptors of blobs point at. */
  BlobReader blobs() {
    return blobs;
  }

  /** Size of the file. */
  long fileBytes() {
    return tail.fileBytes();
  }

  /**
   * The metadata of a column.
   *
   * @param column in {@code [0, columns of the file)}
   */
  ColumnMetadata metadata(int column) throws IOException {
    ColumnMetadata known = metadata.get(column);
    if (known == null) {
      known = tail.column(column);
      metadata.put(column, known);
    }
    return known;
  }

  PageBuffers buffers(Page page) {
    return tail.buffers(page.buffers());
  }

  /** Encodings of a page, in a few words. */
  String describe(Page page) {
    return version().hasArrayPages()
        ? ArrayPages.describe(page.encoding())
        : LayoutPages.describe(page.encoding());
  }
}
