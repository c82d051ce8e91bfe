package dev.narwhal.lance.datafile.page;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/** Byte strings behind offsets of 32 or 64 bits. The bytes grow as values come. */
final class VariableBuilder implements VectorBuilder {
  /** The first allocation extrapolates from the first values, up to here. */
  private static final long MAX_GUESS_BYTES = 16 << 20;

  private static final int STAGE_BYTES = 1 << 16;

  private final boolean wide;
  private int capacity;
  private final BufferAllocator allocator;
  private final ValidityBuilder validity;
  private ArrowBuf offsetBuffer;
  private ByteBuffer offsets;
  private ArrowBuf buffer;
  private ByteBuffer out;
  private int sizeBytes;
  private int rows;
  private byte[] stage = new byte[0];
  private boolean closed;

  VariableBuilder(int offsetBits, int capacity, BufferAllocator allocator) {
    this.wide = offsetBits == 64;
    this.capacity = capacity;
    this.allocator = allocator;
    int offsetBytes = Slots.sizeBytes((capacity + 1L) * (offsetBits / 8));
    this.validity = new ValidityBuilder(capacity, allocator);
    try {
      this.offsetBuffer = allocator.buffer(offsetBytes);
    } catch (RuntimeException e) {
      validity.close();
      throw e;
    }
    this.offsets = Slots.view(offsetBuffer, offsetBytes);
    this.buffer = allocator.getEmpty();
    this.out = ByteBuffer.allocate(0);
    putOffset(0, 0);
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public long sizeBytes() {
    return sizeBytes + (long) rows * (wide ? Long.BYTES : Integer.BYTES);
  }

  @Override
  public ValidityBuilder validity() {
    return validity;
  }

  @Override
  public void reserve(int more) {
    int slots = Slots.count((long) rows + more);
    validity.reserve(slots);
    int width = wide ? Long.BYTES : Integer.BYTES;
    int needed = Slots.sizeBytes((slots + 1L) * width);
    if (needed > offsets.capacity()) {
      offsetBuffer = Slots.grow(offsetBuffer, (rows + 1L) * width, needed, allocator);
      offsets =
          Slots.view(offsetBuffer, (int) Math.min(offsetBuffer.capacity(), Integer.MAX_VALUE - 64));
    }
    capacity = Math.max(capacity, slots);
  }

  @Override
  public void append(Values values, int from, int count) {
    VariableValues source = variable(values);
    int[] ends = source.offsets();
    int start = ends[from];
    int length = ends[from + count] - start;
    reserveBytes(length, count);
    out.put(sizeBytes, source.bytes(), start, length);
    int shift = sizeBytes - start;
    if (wide) {
      for (int i = 1; i <= count; i++) {
        offsets.putLong((rows + i) * 8, ends[from + i] + shift);
      }
    } else {
      for (int i = 1; i <= count; i++) {
        offsets.putInt((rows + i) * 4, ends[from + i] + shift);
      }
    }
    sizeBytes += length;
    rows += count;
  }

  @Override
  public void gather(Values values, int[] indices, int from, int count) {
    VariableValues source = variable(values);
    int[] ends = source.offsets();
    long total = 0;
    for (int i = from, end = from + count; i < end; i++) {
      int index = indices[i];
      total += index < 0 ? 0 : ends[index + 1] - ends[index];
    }
    reserveBytes(total, count);
    if (stage.length == 0) {
      stage = new byte[STAGE_BYTES];
    }
    // short values are collected on the heap: one bulk copy for many
    int staged = 0;
    for (int i = from, end = from + count; i < end; i++) {
      int index = indices[i];
      if (index >= 0) {
        int length = ends[index + 1] - ends[index];
        if (length > STAGE_BYTES - staged) {
          flush(staged);
          staged = 0;
        }
        if (length > STAGE_BYTES) {
          out.put(sizeBytes, source.bytes(), ends[index], length);
          sizeBytes += length;
        } else {
          source.bytes().get(ends[index], stage, staged, length);
          staged += length;
        }
      }
      rows++;
      putOffset(rows, sizeBytes + staged);
    }
    flush(staged);
  }

  @Override
  public void repeat(Values values, int index, int count) {
    VariableValues source = variable(values);
    int start = source.offsets()[index];
    int length = source.offsets()[index + 1] - start;
    reserveBytes((long) length * count, count);
    for (int i = 0; i < count; i++) {
      if (i == 0) {
        out.put(sizeBytes, source.bytes(), start, length);
      } else {
        out.put(sizeBytes, out, sizeBytes - length, length);
      }
      sizeBytes += length;
      rows++;
      putOffset(rows, sizeBytes);
    }
  }

  @Override
  public void appendEmpty(int count) {
    for (int i = 0; i < count; i++) {
      rows++;
      putOffset(rows, sizeBytes);
    }
  }

  @Override
  public void transferTo(FieldVector vector) {
    vector.loadFieldBuffers(
        new ArrowFieldNode(rows, validity.nullCount(rows)),
        List.of(validity.buffer(rows), offsetBuffer, buffer));
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      validity.close();
      offsetBuffer.close();
      buffer.close();
    }
  }

  static VariableValues variable(Values values) {
    if (values instanceof VariableValues variable) {
      return variable;
    }
    throw Slots.mismatch("a builder of byte strings", values);
  }

  private void putOffset(int slot, int offset) {
    if (wide) {
      offsets.putLong(slot * 8, offset);
    } else {
      offsets.putInt(slot * 4, offset);
    }
  }

  private void flush(int staged) {
    out.put(sizeBytes, stage, 0, staged);
    sizeBytes += staged;
  }

  private void reserveBytes(long moreBytes, int slots) {
    int needed = Slots.sizeBytes(sizeBytes + moreBytes);
    if (needed <= out.capacity()) {
      return;
    }
    long guess =
        sizeBytes == 0
            ? Math.min(MAX_GUESS_BYTES, moreBytes * (capacity - rows) / Math.max(slots, 1))
            : 2L * sizeBytes;
    int newSize = (int) Math.max(needed, Math.min(guess, Integer.MAX_VALUE - 64));
    ArrowBuf larger = allocator.buffer(newSize);
    larger.setBytes(0, buffer, 0, sizeBytes);
    buffer.close();
    buffer = larger;
    out = Slots.view(larger, newSize);
  }
}
