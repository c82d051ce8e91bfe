package dev.narwhal.lance.datafile.write;

import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.jspecify.annotations.Nullable;

/**
 * Fixed-size lists whose items are not fields of their own. Items have a validity bitmap beside
 * them; a null list has valid items that are null values.
 */
final class ListLeaf implements LeafValues {
  private final int dimension;
  private final LeafValues items;
  private final BitBuffer validItems;
  private byte @Nullable [] validity;
  private byte @Nullable [] itemValidity;

  /**
   * @param items bits, values of one width, or again such lists
   */
  ListLeaf(int dimension, LeafValues items) {
    this(dimension, items, new BitBuffer());
  }

  private ListLeaf(int dimension, LeafValues items, BitBuffer validItems) {
    this.dimension = dimension;
    this.items = items;
    this.validItems = validItems;
  }

  int dimension() {
    return dimension;
  }

  LeafValues items() {
    return items;
  }

  /** Which items are valid. */
  BitBuffer validItems() {
    return validItems;
  }

  /** Whether some item is null, of a list that is not. */
  boolean hasItemNulls() {
    return !validItems.allOnes();
  }

  /** Items of one list, those of inner lists counted one by one. */
  int totalDimension() {
    return items instanceof ListLeaf inner
        ? Math.multiplyExact(dimension, inner.totalDimension())
        : dimension;
  }

  /** The innermost items. */
  LeafValues leaf() {
    return items instanceof ListLeaf inner ? inner.leaf() : items;
  }

  @Override
  public void bind(FieldVector vector) {
    FieldVector below = ((FixedSizeListVector) vector).getDataVector();
    validity = Source.validity(vector);
    itemValidity = Source.validity(below);
    items.bind(below);
  }

  @Override
  public void append(int from, int to) {
    byte[] valid = validity;
    if (valid == null) {
      copy(from, to);
      return;
    }
    int at = from;
    while (at < to) {
      int start = at;
      boolean set = BitBuffer.bit(valid, at);
      while (at < to && BitBuffer.bit(valid, at) == set) {
        at++;
      }
      if (set) {
        copy(start, at);
      } else {
        appendNulls(at - start);
      }
    }
  }

  private void copy(int from, int to) {
    int first = Math.multiplyExact(from, dimension);
    int end = Math.multiplyExact(to, dimension);
    if (itemValidity == null) {
      validItems.fill(true, end - first);
    } else {
      validItems.append(itemValidity, first, end);
    }
    items.append(first, end);
  }

  @Override
  public void appendNulls(int count) {
    validItems.fill(true, Math.multiplyExact(count, dimension));
    items.appendNulls(count * dimension);
  }

  @Override
  public int count() {
    return validItems.size() / dimension;
  }

  @Override
  public long sizeBytes() {
    return items.sizeBytes();
  }

  @Override
  public long sizeBytes(int from, int to) {
    return items.sizeBytes(Math.multiplyExact(from, dimension), Math.multiplyExact(to, dimension));
  }

  @Override
  public void clear() {
    items.clear();
    validItems.clear();
  }

  @Override
  public ListLeaf take() {
    return new ListLeaf(dimension, items.take(), validItems.take());
  }

  @Override
  public ListLeaf slice(int from, int to) {
    ListLeaf slice = new ListLeaf(dimension, items.slice(from * dimension, to * dimension));
    for (int i = from * dimension; i < to * dimension; i++) {
      slice.validItems.add(validItems.get(i));
    }
    return slice;
  }
}
