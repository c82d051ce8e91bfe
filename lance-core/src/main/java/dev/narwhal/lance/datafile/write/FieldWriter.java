package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.ColumnMetadata;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;

/**
 * One column of a file, or those of a field that fill their pages together: takes the rows of a
 * top-level field, gives pages. One thread.
 */
interface FieldWriter {
  /** Number of columns. */
  int columns();

  /** What the pages of a column hold. */
  ColumnMetadata.Kind kind(int column);

  /**
   * What a page says of its first row.
   *
   * @param pageRows rows of the column's pages before it, as their lengths say
   */
  long priority(long pageRows);

  /**
   * The vector that the next rows come from; it must fit the schema.
   *
   * @param root of the top-level field
   * @param row of the file that the vector's first row would be; negative when the rows that are
   *     taken begin further on in the vector
   */
  void bind(FieldVector root, DictionaryProvider dictionaries, long row);

  /** Bytes that rows {@code [from, to)} of the vector would add, about. */
  long sizeBytes(int from, int to);

  /**
   * Appends rows {@code [from, to)} of the vector.
   *
   * @return the pages that this filled, in sequence
   */
  List<PageTask> append(int from, int to);

  /** The pages of the rows that are left, if there are any. */
  List<PageTask> finish();
}
