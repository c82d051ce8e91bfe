package dev.narwhal.lance.datafile.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.datafile.codec.GrowingBytes;
import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/** Values of whole bytes, little-endian as Arrow has them. Nulls are zeros. */
final class FixedLeaf implements LeafValues {
  private final int width;
  private final GrowingBytes bytes;
  private @Nullable ArrowBuf source;
  private byte @Nullable [] validity;

  /**
   * @param width bytes of a value, {@code >= 1}
   */
  FixedLeaf(int width) {
    this(width, new GrowingBytes());
  }

  private FixedLeaf(int width, GrowingBytes bytes) {
    this.width = width;
    this.bytes = bytes;
  }

  int width() {
    return width;
  }

  /** The values back to back, from index 0 on. */
  GrowingBytes bytes() {
    return bytes;
  }

  @Override
  public void bind(FieldVector vector) {
    source = vector.getDataBuffer();
    validity = Source.validity(vector);
  }

  @Override
  public void append(int from, int to) {
    int size = Math.multiplyExact(to - from, width);
    int at = bytes.extend(size);
    requireNonNull(source, "source").getBytes((long) from * width, bytes.array(), at, size);
    byte[] valid = validity;
    if (valid != null) {
      for (int i = from; i < to; i++, at += width) {
        if (!BitBuffer.bit(valid, i)) {
          Arrays.fill(bytes.array(), at, at + width, (byte) 0);
        }
      }
    }
  }

  /** Appends one value. */
  void append(byte[] value, int from) {
    bytes.put(value, from, width);
  }

  @Override
  public void appendNulls(int count) {
    bytes.fill(0, Math.multiplyExact(count, width));
  }

  @Override
  public int count() {
    return bytes.size() / width;
  }

  @Override
  public long sizeBytes() {
    return bytes.size();
  }

  @Override
  public long sizeBytes(int from, int to) {
    return (long) (to - from) * width;
  }

  @Override
  public void clear() {
    bytes.clear();
  }

  @Override
  public FixedLeaf take() {
    return new FixedLeaf(width, bytes.take());
  }

  @Override
  public FixedLeaf slice(int from, int to) {
    FixedLeaf slice = new FixedLeaf(width);
    slice.bytes.put(bytes.array(), from * width, (to - from) * width);
    return slice;
  }
}
