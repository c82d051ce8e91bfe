package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.ColumnMetadata;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;

/** One column of a file: takes the rows of its top-level field, gives pages. One thread. */
interface ColumnWriter {
  /** Rows that its pages count for one row of the table; pages of 2.0 have no first row. */
  int rowsPerRow();

  /** What its pages hold. */
  ColumnMetadata.Kind kind();

  /**
   * The vector that the next rows come from; it must fit the schema.
   *
   * @param root of the top-level field
   * @param row of the file that is the vector's first
   */
  void bind(FieldVector root, DictionaryProvider dictionaries, long row);

  /** Bytes that rows {@code [from, to)} of the vector would add, about. */
  long sizeBytes(int from, int to);

  /**
   * Appends rows {@code [from, to)} of the vector.
   *
   * @return the pages that this filled
   */
  List<EncodedPage> append(int from, int to);

  /** The page of the rows that are left, if there are any. */
  List<EncodedPage> finish();
}
