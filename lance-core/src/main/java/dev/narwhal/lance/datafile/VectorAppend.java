package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.page.Bits;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.util.VectorBatchAppender;

/**
 * Appends vectors of one type, where parts of a column were read apart. Arrow's own appender fails
 * on large lists, and its copier on large lists in lists; so nodes with children are joined here.
 */
public final class VectorAppend {
  private VectorAppend() {}

  /**
   * Puts the values of {@code more} after those of {@code target}; {@code more} stays. When it
   * throws, {@code target} is in no defined state, and the caller closes it.
   *
   * @param more lists begin with the first item of their data vector
   */
  public static void append(FieldVector target, FieldVector more) {
    List<FieldVector> children = target.getChildrenFromFields();
    if (children.isEmpty() && !(target instanceof StructVector)) {
      VectorBatchAppender.batchAppend(target, more);
      return;
    }
    appendSlots(target, more);
    for (int i = 0; i < children.size(); i++) {
      append(children.get(i), more.getChildrenFromFields().get(i));
    }
  }

  /** Joins the validity, and of lists the offsets; children are not touched. */
  private static void appendSlots(FieldVector target, FieldVector more) {
    int start = target.getValueCount();
    int count = more.getValueCount();
    int width = offsetBytes(target);
    BufferAllocator allocator = target.getAllocator();
    try (ArrowBuf validity = allocator.buffer(Math.max(1, Bits.bytes(start + count)));
        ArrowBuf offsets = allocator.buffer((start + count + 1L) * width)) {
      copyValidity(target, validity, 0);
      copyValidity(more, validity, start);
      List<ArrowBuf> buffers = new ArrayList<>(List.of(validity));
      if (width > 0) {
        int items = target.getChildrenFromFields().get(0).getValueCount();
        copyOffsets(target, width, offsets, 0, 0);
        copyOffsets(more, width, offsets, start, items);
        buffers.add(offsets);
      }
      target.loadFieldBuffers(
          new ArrowFieldNode(start + count, target.getNullCount() + more.getNullCount()), buffers);
    }
  }

  private static void copyValidity(FieldVector source, ArrowBuf validity, int at) {
    for (int i = 0; i < source.getValueCount(); i++) {
      BitVectorHelper.setValidityBit(validity, at + i, source.isNull(i) ? 0 : 1);
    }
  }

  /** Copies the ends of all lists, after the begin of the first. */
  private static void copyOffsets(
      FieldVector lists, int width, ArrowBuf offsets, int at, int items) {
    if (width == Integer.BYTES) {
      offsets.setInt((long) at * width, items);
    } else {
      offsets.setLong((long) at * width, items);
    }
    for (int i = 1; i <= lists.getValueCount(); i++) {
      long from = (long) i * width;
      long to = (long) (at + i) * width;
      if (width == Integer.BYTES) {
        offsets.setInt(to, items + lists.getOffsetBuffer().getInt(from));
      } else {
        offsets.setLong(to, items + lists.getOffsetBuffer().getLong(from));
      }
    }
  }

  private static int offsetBytes(FieldVector vector) {
    if (vector instanceof LargeListVector) {
      return Long.BYTES;
    }
    return vector instanceof ListVector ? Integer.BYTES : 0;
  }
}
