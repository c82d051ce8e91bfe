package dev.narwhal.lance.datafile.write;

import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * Indices into a dictionary of Arrow's, and the dictionary. All indices of a page are into one
 * dictionary.
 */
final class DictionaryLeaf implements LeafValues {
  private final int indexBits;
  private final ArrowType valueType;
  private final FixedLeaf indices;
  private LeafValues items;
  private boolean bound;

  /**
   * @param indexBits 8, 16, 32 or 64, one less when indices have a sign
   * @param valueType of the dictionary
   * @param items empty; holds the dictionary later
   */
  DictionaryLeaf(int indexBits, ArrowType valueType, LeafValues items) {
    this(indexBits, valueType, new FixedLeaf((indexBits + 7) / 8), items);
  }

  private DictionaryLeaf(int indexBits, ArrowType valueType, FixedLeaf indices, LeafValues items) {
    this.indexBits = indexBits;
    this.valueType = valueType;
    this.indices = indices;
    this.items = items;
  }

  FixedLeaf indices() {
    return indices;
  }

  /** Bits of an index that count. */
  int indexBits() {
    return indexBits;
  }

  /** The dictionary. */
  LeafValues items() {
    return items;
  }

  /** Whether a vector's dictionary is another than the one in use. */
  boolean changesDictionary(FieldVector vector, DictionaryProvider dictionaries) {
    FieldVector values = lookup(vector, dictionaries);
    if (!values.getField().getType().equals(valueType)) {
      throw new IllegalArgumentException(
          "column '%s': a dictionary of %s, the schema has one of %s"
              .formatted(vector.getName(), values.getField().getType(), valueType));
    }
    requireIndices(vector, values.getValueCount());
    if (!bound || items.count() != values.getValueCount()) {
      return true;
    }
    LeafValues other = items.slice(0, 0);
    fill(other, values);
    return !Leaves.equal(items, other);
  }

  /** Takes over a vector's dictionary; there must be no indices yet. */
  void bindDictionary(FieldVector vector, DictionaryProvider dictionaries) {
    // pages that were given away have the old one
    items = items.slice(0, 0);
    fill(items, lookup(vector, dictionaries));
    bound = true;
  }

  private static void requireIndices(FieldVector vector, int size) {
    BaseIntVector indices = (BaseIntVector) vector;
    for (int i = 0; i < vector.getValueCount(); i++) {
      if (!vector.isNull(i) && Long.compareUnsigned(indices.getValueAsLong(i), size) >= 0) {
        throw new IllegalArgumentException(
            "column '%s', row %d of the batch: index %d in a dictionary of %d values"
                .formatted(vector.getName(), i, indices.getValueAsLong(i), size));
      }
    }
  }

  private static void fill(LeafValues target, FieldVector values) {
    if (Source.validity(values) != null) {
      throw new IllegalArgumentException(
          "dictionary '"
              + values.getName()
              + "' has nulls; make the indices null instead, which Lance does when it writes");
    }
    target.bind(values);
    target.append(0, values.getValueCount());
  }

  private static FieldVector lookup(FieldVector vector, DictionaryProvider dictionaries) {
    Dictionary dictionary = dictionaries.lookup(vector.getField().getDictionary().getId());
    if (dictionary == null) {
      throw new IllegalArgumentException(
          "column '%s': its dictionary %d was not given"
              .formatted(vector.getName(), vector.getField().getDictionary().getId()));
    }
    return dictionary.getVector();
  }

  @Override
  public void bind(FieldVector vector) {
    indices.bind(vector);
  }

  @Override
  public void append(int from, int to) {
    indices.append(from, to);
  }

  @Override
  public void appendNulls(int count) {
    indices.appendNulls(count);
  }

  @Override
  public int count() {
    return indices.count();
  }

  @Override
  public long sizeBytes() {
    return indices.sizeBytes();
  }

  @Override
  public long sizeBytes(int from, int to) {
    return indices.sizeBytes(from, to);
  }

  @Override
  public void clear() {
    indices.clear();
  }

  @Override
  public DictionaryLeaf take() {
    return new DictionaryLeaf(indexBits, valueType, indices.take(), items);
  }

  @Override
  public DictionaryLeaf slice(int from, int to) {
    return new DictionaryLeaf(indexBits, valueType, indices.slice(from, to), items);
  }
}
