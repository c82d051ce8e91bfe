package dev.narwhal.lance.datafile.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.datafile.codec.FsstEncoder;
import dev.narwhal.lance.datafile.codec.GrowingBytes;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/** Byte strings. Nulls are empty. */
final class VariableLeaf implements LeafValues {
  private final int offsetBits;
  private final boolean text;
  private final @Nullable UnaryOperator<byte[]> stored;
  private final GrowingBytes bytes;
  private int[] offsets = new int[16];
  private int count;
  private int[] sourceOffsets = new int[1];
  private @Nullable ArrowBuf source;
  private byte @Nullable [] validity;

  /**
   * @param offsetBits of the offsets in the file, 32 or 64
   * @param text whether the bytes are UTF-8
   */
  VariableLeaf(int offsetBits, boolean text) {
    this(offsetBits, text, null, new GrowingBytes());
  }

  private VariableLeaf(
      int offsetBits, boolean text, @Nullable UnaryOperator<byte[]> stored, GrowingBytes bytes) {
    this.offsetBits = offsetBits;
    this.text = text;
    this.stored = stored;
    this.bytes = bytes;
  }

  /**
   * Values that are stored as something else than what vectors have.
   *
   * @param stored from a vector's value to the stored one
   */
  static VariableLeaf converting(int offsetBits, UnaryOperator<byte[]> stored) {
    return new VariableLeaf(offsetBits, false, stored, new GrowingBytes());
  }

  int offsetBits() {
    return offsetBits;
  }

  boolean isText() {
    return text;
  }

  /** All bytes from index 0 on, with {@link FsstEncoder#SLACK} bytes of anything behind. */
  byte[] bytes() {
    int size = bytes.size();
    bytes.extend(FsstEncoder.SLACK);
    bytes.truncate(size);
    return bytes.array();
  }

  /** Where each value starts, and where the last one ends; more elements may follow. */
  int[] offsets() {
    return offsets;
  }

  @Override
  public void bind(FieldVector vector) {
    source = vector.getDataBuffer();
    sourceOffsets = Source.offsets(vector);
    validity = Source.validity(vector);
  }

  @Override
  public void append(int from, int to) {
    if (validity == null) {
      copy(from, to);
      return;
    }
    int at = from;
    while (at < to) {
      int start = at;
      boolean valid = BitBuffer.bit(validity, at);
      while (at < to && BitBuffer.bit(validity, at) == valid) {
        at++;
      }
      if (valid) {
        copy(start, at);
      } else {
        appendNulls(at - start);
      }
    }
  }

  private void copy(int from, int to) {
    if (stored != null) {
      convert(from, to, stored);
      return;
    }
    int start = sourceOffsets[from];
    int size = sourceOffsets[to] - start;
    int at = bytes.extend(size);
    requireNonNull(source, "source").getBytes(start, bytes.array(), at, size);
    reserve(to - from);
    int shift = at - start;
    for (int i = from; i < to; i++) {
      offsets[++count] = sourceOffsets[i + 1] + shift;
    }
  }

  private void convert(int from, int to, UnaryOperator<byte[]> conversion) {
    for (int i = from; i < to; i++) {
      byte[] value = new byte[sourceOffsets[i + 1] - sourceOffsets[i]];
      requireNonNull(source, "source").getBytes(sourceOffsets[i], value);
      byte[] converted = conversion.apply(value);
      append(converted, 0, converted.length);
    }
  }

  /** Appends one value. */
  void append(byte[] value, int from, int size) {
    bytes.put(value, from, size);
    reserve(1);
    offsets[++count] = bytes.size();
  }

  @Override
  public void appendNulls(int nulls) {
    reserve(nulls);
    Arrays.fill(offsets, count + 1, count + 1 + nulls, bytes.size());
    count += nulls;
  }

  private void reserve(int more) {
    int needed = Math.addExact(count, more) + 1;
    if (needed > offsets.length) {
      offsets = Arrays.copyOf(offsets, needed + (needed >>> 1));
    }
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public long sizeBytes() {
    return bytes.size() + (long) count * Integer.BYTES;
  }

  @Override
  public long sizeBytes(int from, int to) {
    return (long) sourceOffsets[to] - sourceOffsets[from] + (long) (to - from) * Integer.BYTES;
  }

  @Override
  public void clear() {
    bytes.clear();
    count = 0;
  }

  @Override
  public VariableLeaf take() {
    VariableLeaf taken = new VariableLeaf(offsetBits, text, stored, bytes.take());
    taken.offsets = offsets;
    taken.count = count;
    offsets = new int[16];
    count = 0;
    return taken;
  }

  @Override
  public VariableLeaf slice(int from, int to) {
    VariableLeaf slice = new VariableLeaf(offsetBits, text);
    for (int i = from; i < to; i++) {
      slice.append(bytes.array(), offsets[i], offsets[i + 1] - offsets[i]);
    }
    return slice;
  }

  /** Size of the longest value. */
  int longest() {
    int longest = 0;
    for (int i = 0; i < count; i++) {
      longest = Math.max(longest, offsets[i + 1] - offsets[i]);
    }
    return longest;
  }
}
