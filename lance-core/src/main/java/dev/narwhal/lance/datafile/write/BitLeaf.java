package dev.narwhal.lance.datafile.write;

import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/** Booleans. Nulls are false. */
final class BitLeaf implements LeafValues {
  private final BitBuffer bits;
  private byte[] source = new byte[0];

  BitLeaf() {
    this(new BitBuffer());
  }

  private BitLeaf(BitBuffer bits) {
    this.bits = bits;
  }

  BitBuffer bits() {
    return bits;
  }

  @Override
  public void bind(FieldVector vector) {
    source = new byte[(vector.getValueCount() + 7) >>> 3];
    vector.getDataBuffer().getBytes(0, source);
    byte @Nullable [] validity = Source.validity(vector);
    for (int i = 0; validity != null && i < source.length; i++) {
      source[i] &= validity[i];
    }
  }

  @Override
  public void append(int from, int to) {
    bits.append(source, from, to);
  }

  @Override
  public void appendNulls(int count) {
    bits.fill(false, count);
  }

  @Override
  public int count() {
    return bits.size();
  }

  @Override
  public long sizeBytes() {
    return (bits.size() + 7L) / 8;
  }

  @Override
  public long sizeBytes(int from, int to) {
    return (to - from + 7L) / 8;
  }

  @Override
  public void clear() {
    bits.clear();
  }

  @Override
  public BitLeaf take() {
    return new BitLeaf(bits.take());
  }

  @Override
  public BitLeaf slice(int from, int to) {
    BitLeaf slice = new BitLeaf();
    for (int i = from; i < to; i++) {
      slice.bits.add(bits.get(i));
    }
    return slice;
  }
}
