package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.page.Bits;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/**
 * Joins vectors of one type, where parts of a column were read apart: sizes are summed first, so
 * that each part is copied once. Arrow's own appender fails on large lists, does not grow null
 * vectors, and copies what is there again for each part.
 */
public final class VectorConcat {
  private VectorConcat() {}

  /**
   * The values of all parts, one after the other, in a new vector that the caller closes; the parts
   * stay.
   *
   * @param parts at least one, of one type; the items of lists begin with the first and end with
   *     the last item of their data vector
   * @throws UnsupportedFeatureException when the result would need offsets beyond its type, or more
   *     than 2^31 - 1 values
   */
  public static FieldVector concat(List<FieldVector> parts, BufferAllocator allocator) {
    FieldVector target = parts.get(0).getField().createVector(allocator);
    try {
      fill(target, parts);
      return target;
    } catch (RuntimeException | Error e) {
      target.close();
      throw e;
    }
  }

  private static void fill(FieldVector target, List<? extends FieldVector> parts) {
    int slots = size("values", target, parts.stream().mapToLong(FieldVector::getValueCount).sum());
    if (target instanceof NullVector) {
      target.setValueCount(slots);
      return;
    }
    List<ArrowBuf> buffers = new ArrayList<>();
    try {
      ArrowBuf validity = bits(target, slots);
      buffers.add(validity);
      int at = 0;
      for (FieldVector part : parts) {
        copyBits(part.getValidityBuffer(), validity, at, part.getValueCount());
        at += part.getValueCount();
      }
      addValues(target, parts, slots, buffers);
      int valid = slots == 0 ? 0 : Bits.cardinality(bytes(validity, Bits.bytes(slots)), slots);
      target.loadFieldBuffers(new ArrowFieldNode(slots, slots - valid), buffers);
    } finally {
      buffers.forEach(ArrowBuf::close);
    }
    List<FieldVector> children = target.getChildrenFromFields();
    for (int i = 0; i < children.size(); i++) {
      int child = i;
      fill(
          children.get(i),
          parts.stream().map(part -> part.getChildrenFromFields().get(child)).toList());
    }
  }

  /** What a type has besides the validity; vectors with children may have nothing more. */
  private static void addValues(
      FieldVector target, List<? extends FieldVector> parts, int slots, List<ArrowBuf> buffers) {
    if (target instanceof BitVector) {
      ArrowBuf data = bits(target, slots);
      buffers.add(data);
      int at = 0;
      for (FieldVector part : parts) {
        copyBits(part.getDataBuffer(), data, at, part.getValueCount());
        at += part.getValueCount();
      }
    } else if (target instanceof BaseFixedWidthVector fixed) {
      int width = fixed.getTypeWidth();
      ArrowBuf data = fixed.getAllocator().buffer((long) slots * width);
      buffers.add(data);
      long at = 0;
      for (FieldVector part : parts) {
        long size = (long) part.getValueCount() * width;
        data.setBytes(at, part.getDataBuffer(), 0, size);
        at += size;
      }
    } else if (target instanceof BaseVariableWidthVector
        || target instanceof BaseLargeVariableWidthVector) {
      boolean large = target instanceof BaseLargeVariableWidthVector;
      long end = addOffsets(target, parts, slots, large, buffers);
      ArrowBuf data = target.getAllocator().buffer(end);
      buffers.add(data);
      long at = 0;
      for (FieldVector part : parts) {
        int count = part.getValueCount();
        if (count > 0) {
          long first = offset(part.getOffsetBuffer(), 0, large);
          long size = offset(part.getOffsetBuffer(), count, large) - first;
          data.setBytes(at, part.getDataBuffer(), first, size);
          at += size;
        }
      }
    } else if (target instanceof ListVector || target instanceof LargeListVector) {
      addOffsets(target, parts, slots, target instanceof LargeListVector, buffers);
    }
  }

  /** The offsets of all parts; gives the last. */
  private static long addOffsets(
      FieldVector target,
      List<? extends FieldVector> parts,
      int slots,
      boolean large,
      List<ArrowBuf> buffers) {
    int width = large ? Long.BYTES : Integer.BYTES;
    ArrowBuf offsets = target.getAllocator().buffer((slots + 1L) * width);
    buffers.add(offsets);
    long end = 0;
    long to = 0;
    putOffset(offsets, to, end, large);
    for (FieldVector part : parts) {
      ArrowBuf source = part.getOffsetBuffer();
      int count = part.getValueCount();
      if (count > 0) {
        long shift = end - offset(source, 0, large);
        end = offset(source, count, large) + shift;
        if (!large) {
          size("bytes or items", target, end);
        }
        for (int i = 1; i <= count; i++) {
          putOffset(offsets, ++to, offset(source, i, large) + shift, large);
        }
      }
    }
    return end;
  }

  private static long offset(ArrowBuf offsets, long index, boolean large) {
    return large ? offsets.getLong(index * Long.BYTES) : offsets.getInt(index * Integer.BYTES);
  }

  private static void putOffset(ArrowBuf offsets, long index, long value, boolean large) {
    if (large) {
      offsets.setLong(index * Long.BYTES, value);
    } else {
      offsets.setInt(index * Integer.BYTES, (int) value);
    }
  }

  private static ArrowBuf bits(FieldVector target, int slots) {
    return target.getAllocator().buffer(Bits.bytes(slots));
  }

  private static void copyBits(ArrowBuf source, ArrowBuf target, int at, int count) {
    if (count > 0) {
      Bits.copy(
          bytes(source, Bits.bytes(count)), 0, bytes(target, Bits.bytes(at + count)), at, count);
    }
  }

  private static ByteBuffer bytes(ArrowBuf buffer, int size) {
    return buffer.nioBuffer(0, size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int size(String what, FieldVector target, long size) {
    if (size > Integer.MAX_VALUE) {
      throw new UnsupportedFeatureException(
          "column '"
              + target.getName()
              + "': the rows have "
              + size
              + " "
              + what
              + ", more than the 2^31 - 1 of one batch; read fewer rows at once");
    }
    return (int) size;
  }
}
