package dev.narwhal.lance.datafile.write;

import org.apache.arrow.vector.FieldVector;

/**
 * The values of a leaf, gathered for one page. Nulls have a slot too; what is in it is this class's
 * choice. One thread.
 */
sealed interface LeafValues
    permits BitLeaf, DictionaryLeaf, FixedLeaf, ListLeaf, NothingLeaf, PackedLeaf, VariableLeaf {
  /** The vector that the next values come from. */
  void bind(FieldVector vector);

  /** Appends slots {@code [from, to)} of the vector. */
  void append(int from, int to);

  /** Appends slots that no vector has: those of null parents. */
  void appendNulls(int count);

  /** Slots so far. */
  int count();

  /** Bytes that the values take in memory. */
  long sizeBytes();

  /** Bytes that slots {@code [from, to)} of the vector would add. */
  long sizeBytes(int from, int to);

  /** Forgets all slots and keeps the memory. */
  void clear();

  /** Gives all slots away with their memory, and is empty after that, still bound. */
  LeafValues take();

  /** A copy of slots {@code [from, to)}. */
  LeafValues slice(int from, int to);
}
