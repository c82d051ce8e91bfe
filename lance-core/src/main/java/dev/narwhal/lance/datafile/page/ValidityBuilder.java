package dev.narwhal.lance.datafile.page;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The validity bitmap of a vector in the making. All slots are valid until told otherwise; callers
 * name positions themselves. One thread.
 */
public final class ValidityBuilder implements AutoCloseable {
  private final BufferAllocator allocator;
  private ArrowBuf buffer;
  private ByteBuffer bits;
  private boolean closed;

  ValidityBuilder(int rows, BufferAllocator allocator) {
    this.allocator = allocator;
    int sizeBytes = Bits.bytes(rows);
    this.buffer = allocator.buffer(Math.max(sizeBytes, 1));
    this.bits = buffer.nioBuffer(0, sizeBytes).order(ByteOrder.LITTLE_ENDIAN);
    buffer.setOne(0L, (long) sizeBytes);
  }

  /** Makes room for so many slots in all; those that are new are valid. */
  public void reserve(int slots) {
    int needed = Bits.bytes(slots);
    int known = bits.capacity();
    if (needed > known) {
      buffer = Slots.grow(buffer, known, needed, allocator);
      int sizeBytes = (int) Math.min(buffer.capacity(), Integer.MAX_VALUE - 64);
      buffer.setOne((long) known, (long) sizeBytes - known);
      bits = Slots.view(buffer, sizeBytes);
    }
  }

  /** Makes the slots {@code [position, position + count)} null. */
  public void setNull(int position, int count) {
    Bits.fill(bits, position, count, false);
  }

  /**
   * Copies {@code count} bits of {@code source} (LSB first, 1 = valid), from bit {@code from} on.
   */
  public void copy(int position, ByteBuffer source, int from, int count) {
    Bits.copy(source, from, bits, position, count);
  }

  /** Slot {@code position + i} becomes valid iff bit i of a word is set, for up to 64 slots. */
  public void putWord(int position, long word, int count) {
    Bits.putWord(bits, position, word, count);
  }

  /** Slot {@code position + i} becomes valid iff bit {@code indices[from + i]} of source is set. */
  public void gather(int position, ByteBuffer source, int[] indices, int from, int count) {
    Bits.gather(source, indices, from, bits, position, count);
  }

  /** Slot {@code position + i} becomes valid iff {@code levels[from + i]} is 0. */
  public void fromLevels(int position, short[] levels, int from, int count) {
    int at = position;
    for (int i = from, end = from + count; i < end; ) {
      // the first word is cut so that all others are written whole
      int n = Math.min(64 - (at & 7), end - i);
      long word = 0;
      for (int bit = 0; bit < n; bit++) {
        // 1 iff the level is 0
        word |= (long) (((levels[i + bit] & 0xFFFF) - 1) >>> 31) << bit;
      }
      Bits.putWord(bits, at, word, n);
      at += n;
      i += n;
    }
  }

  /** Whether the slot is valid. */
  public boolean isValid(int position) {
    return Bits.get(bits, position);
  }

  /** Nulls among the first slots. */
  public int nullCount(int rows) {
    return rows - Bits.cardinality(bits, rows);
  }

  /** Whether the first slots are as valid as another's. */
  public boolean agrees(ValidityBuilder other, int rows) {
    int whole = rows >>> 3;
    int rest = rows & 7;
    return bits.slice(0, whole).equals(other.bits.slice(0, whole))
        && (rest == 0
            || Bits.getWord(bits, 8 * whole, rest) == Bits.getWord(other.bits, 8 * whole, rest));
  }

  /** The bitmap, clear past the first slots; whoever keeps it retains it. */
  ArrowBuf buffer(int rows) {
    if ((rows & 7) != 0) {
      Bits.fill(bits, rows, 8 - (rows & 7), false);
    }
    return buffer;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      buffer.close();
    }
  }
}
