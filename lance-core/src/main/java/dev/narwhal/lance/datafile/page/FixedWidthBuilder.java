package dev.narwhal.lance.datafile.page;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/** Values of one width, back to back. */
final class FixedWidthBuilder implements VectorBuilder {
  private final int width;
  private final BufferAllocator allocator;
  private final ValidityBuilder validity;
  private ArrowBuf buffer;
  private ByteBuffer out;
  private int rows;
  private boolean closed;

  FixedWidthBuilder(int width, int capacity, BufferAllocator allocator) {
    int sizeBytes = Slots.sizeBytes((long) width * capacity);
    this.width = width;
    this.allocator = allocator;
    this.validity = new ValidityBuilder(capacity, allocator);
    try {
      this.buffer = allocator.buffer(Math.max(sizeBytes, 1));
    } catch (RuntimeException e) {
      validity.close();
      throw e;
    }
    this.out = Slots.view(buffer, sizeBytes);
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public long sizeBytes() {
    return (long) rows * width;
  }

  @Override
  public ValidityBuilder validity() {
    return validity;
  }

  @Override
  public void reserve(int more) {
    int slots = Slots.count((long) rows + more);
    validity.reserve(slots);
    int needed = Slots.sizeBytes((long) width * slots);
    if (needed > out.capacity()) {
      buffer = Slots.grow(buffer, (long) width * rows, needed, allocator);
      out = Slots.view(buffer, (int) Math.min(buffer.capacity(), Integer.MAX_VALUE - 64));
    }
  }

  @Override
  public void append(Values values, int from, int count) {
    out.put(rows * width, bytes(values), from * width, count * width);
    rows += count;
  }

  @Override
  public void gather(Values values, int[] indices, int from, int count) {
    ByteBuffer source = bytes(values);
    int end = from + count;
    int at = rows * width;
    switch (width) {
      case 4 -> {
        for (int i = from; i < end; i++, at += 4) {
          out.putInt(at, indices[i] < 0 ? 0 : source.getInt(indices[i] * 4));
        }
      }
      case 8 -> {
        for (int i = from; i < end; i++, at += 8) {
          out.putLong(at, indices[i] < 0 ? 0 : source.getLong(indices[i] * 8));
        }
      }
      default -> {
        for (int i = from; i < end; i++, at += width) {
          if (indices[i] < 0) {
            zero(at, width);
          } else {
            out.put(at, source, indices[i] * width, width);
          }
        }
      }
    }
    rows += count;
  }

  @Override
  public void repeat(Values values, int index, int count) {
    if (count == 0) {
      return;
    }
    int start = rows * width;
    int total = count * width;
    out.put(start, bytes(values), index * width, width);
    // what is there doubles
    for (int done = width; done < total; ) {
      int n = Math.min(done, total - done);
      out.put(start + done, out, start, n);
      done += n;
    }
    rows += count;
  }

  @Override
  public void appendEmpty(int count) {
    zero(rows * width, count * width);
    rows += count;
  }

  @Override
  public void transferTo(FieldVector vector) {
    vector.loadFieldBuffers(
        new ArrowFieldNode(rows, validity.nullCount(rows)), List.of(validity.buffer(rows), buffer));
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      validity.close();
      buffer.close();
    }
  }

  private ByteBuffer bytes(Values values) {
    if (values instanceof FixedValues fixed && fixed.widthBytes() == width) {
      return fixed.bytes();
    }
    throw Slots.mismatch("a builder of " + width + "-byte values", values);
  }

  private void zero(int at, int sizeBytes) {
    buffer.setZero(at, sizeBytes);
  }
}
