package dev.narwhal.lance.datafile;

import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Rows of one column as Arrow vectors. Safe for use by many threads at once: what is known about
 * pages is immutable, what a call needs besides belongs to the call. Memory of a call is bounded by
 * the rows asked for; what is kept between calls (chunk tables, dictionaries) by the file's size.
 *
 * <p>Damaged bytes are a {@link dev.narwhal.lance.error.LanceFormatException} and constructs that
 * are not supported an {@link dev.narwhal.lance.error.UnsupportedFeatureException}; both name file,
 * column and page. Using the reader after its file was closed fails as the storage does.
 */
public interface ColumnReader {
  /**
   * The Arrow field of the vectors. Arrow's list vectors name their items {@code $data$} whatever
   * their field says: this one has the real name.
   */
  Field arrowField();

  /**
   * Rows {@code [firstRow, firstRow + count)}. The caller closes the vector. On failure nothing
   * leaks.
   *
   * @throws IllegalArgumentException unless the rows are in the file
   */
  FieldVector read(long firstRow, int count, BufferAllocator allocator) throws IOException;

  /**
   * Rows {@code firstRow + offsets[i]}, reading and decoding only the chunks they lie in. The
   * caller closes the vector. On failure nothing leaks.
   *
   * @param offsets ascending, no duplicates, {@code >= 0}
   * @throws IllegalArgumentException unless the rows are in the file and the offsets in order
   */
  FieldVector take(long firstRow, int[] offsets, BufferAllocator allocator) throws IOException;

  /**
   * About how many bytes a vector of rows {@code [firstRow, firstRow + count)} would take. Where
   * metadata does not tell, some rows of a page are read, once.
   *
   * @throws IllegalArgumentException unless the rows are in the file
   */
  long decodedBytes(long firstRow, long count, BufferAllocator allocator) throws IOException;
}
