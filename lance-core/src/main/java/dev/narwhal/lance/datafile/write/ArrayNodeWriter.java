package dev.narwhal.lance.datafile.write;

import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;

/** A field of 2.0, with those below it: each has a column of its own. One thread. */
interface ArrayNodeWriter {
  /** The vector that the next slots come from. */
  void bind(FieldVector vector, DictionaryProvider dictionaries);

  /** Whether slots of that vector cannot be in the page that was begun. */
  default boolean needsPage() {
    return false;
  }

  /** Appends slots {@code [from, to)} of the vector. */
  void append(int from, int to);

  /** Bytes gathered for the fullest page. */
  long sizeBytes();

  /** Bytes that slots {@code [from, to)} would add to the page that grows most. */
  long sizeBytes(int from, int to);

  /** Ends the pages of all columns. */
  void endPages(List<ColumnPage> target);

  /** Adds what columns have once. */
  void finish(List<ColumnPage> target);
}
