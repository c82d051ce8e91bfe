package dev.narwhal.lance.scan;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

/** Copies chosen rows of a vector into a new one, whole runs at a time. */
public final class VectorSelection {
  private VectorSelection() {}

  /**
   * Rows of {@code source} by their positions. The caller closes the result; the source stays.
   *
   * @param positions in any order; a row named twice comes twice
   */
  public static FieldVector select(FieldVector source, int[] positions, BufferAllocator allocator) {
    return select(source, RowRuns.ofPositions(positions), allocator);
  }

  /** A copy of {@code source}, which stays. The caller closes the result. */
  public static FieldVector copy(FieldVector source, BufferAllocator allocator) {
    int rows = source.getValueCount();
    return select(
        source, RowRuns.of(new int[] {0}, new int[] {rows}, rows == 0 ? 0 : 1), allocator);
  }

  /** The rows of {@code source} in {@code runs}. The caller closes the result; the source stays. */
  static FieldVector select(FieldVector source, RowRuns runs, BufferAllocator allocator) {
    FieldVector target = source.getField().createVector(allocator);
    try {
      copy(source, target, runs);
      return target;
    } catch (RuntimeException | Error e) {
      target.close();
      throw e;
    }
  }

  private static void copy(FieldVector source, FieldVector target, RowRuns runs) {
    if (source.getValueCount() == 0) {
      // items that no list has; Arrow lets them be without any offset
      target.setValueCount(0);
    } else if (source instanceof NullVector) {
      target.setValueCount(runs.rows());
    } else if (source instanceof BitVector bits) {
      copyBitVector(bits, (BitVector) target, runs);
    } else if (source instanceof BaseFixedWidthVector fixed) {
      copyFixed(fixed, (BaseFixedWidthVector) target, runs);
    } else if (source instanceof BaseVariableWidthVector variable) {
      copyVariable(variable, (BaseVariableWidthVector) target, runs);
    } else if (source instanceof BaseLargeVariableWidthVector large) {
      copyLarge(large, (BaseLargeVariableWidthVector) target, runs);
    } else if (source instanceof FixedSizeListVector lists) {
      copyFixedSizeLists(lists, (FixedSizeListVector) target, runs);
    } else if (source instanceof StructVector structs) {
      copyStructs(structs, (StructVector) target, runs);
    } else if (source instanceof ListVector lists) {
      copyLists(lists, (ListVector) target, runs);
    } else if (source instanceof LargeListVector lists) {
      copyLargeLists(lists, (LargeListVector) target, runs);
    } else {
      throw new UnsupportedFeatureException(
          "rows of " + source.getField().getType() + " cannot be selected");
    }
  }

  private static void copyBitVector(BitVector source, BitVector target, RowRuns runs) {
    target.allocateNew(runs.rows());
    copyBits(source.getDataBuffer(), target.getDataBuffer(), runs);
    copyValidity(source, target.getValidityBuffer(), runs);
    target.setValueCount(runs.rows());
  }

  private static void copyFixed(
      BaseFixedWidthVector source, BaseFixedWidthVector target, RowRuns runs) {
    target.allocateNew(runs.rows());
    copyValues(source.getDataBuffer(), target.getDataBuffer(), source.getTypeWidth(), runs);
    copyValidity(source, target.getValidityBuffer(), runs);
    target.setValueCount(runs.rows());
  }

  /**
   * Values of one width in bytes; lone rows of the common widths are moved by one load and store.
   */
  private static void copyValues(ArrowBuf source, ArrowBuf target, int width, RowRuns runs) {
    long to = 0;
    for (int run = 0; run < runs.runs(); run++) {
      long from = (long) runs.start(run) * width;
      int length = runs.length(run);
      if (length == 1 && width == 8) {
        target.setLong(to, source.getLong(from));
      } else if (length == 1 && width == 4) {
        target.setInt(to, source.getInt(from));
      } else {
        target.setBytes(to, source, from, (long) length * width);
      }
      to += (long) length * width;
    }
  }

  private static void copyVariable(
      BaseVariableWidthVector source, BaseVariableWidthVector target, RowRuns runs) {
    ArrowBuf sourceOffsets = source.getOffsetBuffer();
    long bytes = 0;
    for (int run = 0; run < runs.runs(); run++) {
      bytes +=
          sourceOffsets.getInt(4L * (runs.start(run) + runs.length(run)))
              - sourceOffsets.getInt(4L * runs.start(run));
    }
    if (bytes > Integer.MAX_VALUE) {
      throw new UnsupportedFeatureException(
          "column '"
              + source.getName()
              + "': the chosen rows have "
              + bytes
              + " bytes, more than the 2 GiB of one batch; choose fewer rows at once");
    }
    target.allocateNew(bytes, runs.rows());
    ArrowBuf offsets = target.getOffsetBuffer();
    offsets.setInt(0, 0);
    int at = 0;
    long row = 0;
    for (int run = 0; run < runs.runs(); run++) {
      int first = sourceOffsets.getInt(4L * runs.start(run));
      int shift = at - first;
      int end = first;
      for (int i = runs.start(run), last = i + runs.length(run); i < last; i++) {
        end = sourceOffsets.getInt(4L * (i + 1));
        offsets.setInt(4L * ++row, end + shift);
      }
      target.getDataBuffer().setBytes(at, source.getDataBuffer(), first, end - first);
      at += end - first;
    }
    copyValidity(source, target.getValidityBuffer(), runs);
    target.setLastSet(runs.rows() - 1);
    target.setValueCount(runs.rows());
  }

  private static void copyLarge(
      BaseLargeVariableWidthVector source, BaseLargeVariableWidthVector target, RowRuns runs) {
    ArrowBuf sourceOffsets = source.getOffsetBuffer();
    long bytes = 0;
    for (int run = 0; run < runs.runs(); run++) {
      bytes +=
          sourceOffsets.getLong(8L * (runs.start(run) + runs.length(run)))
              - sourceOffsets.getLong(8L * runs.start(run));
    }
    target.allocateNew(bytes, runs.rows());
    ArrowBuf offsets = target.getOffsetBuffer();
    offsets.setLong(0, 0);
    long at = 0;
    long row = 0;
    for (int run = 0; run < runs.runs(); run++) {
      long first = sourceOffsets.getLong(8L * runs.start(run));
      long shift = at - first;
      long end = first;
      for (int i = runs.start(run), last = i + runs.length(run); i < last; i++) {
        end = sourceOffsets.getLong(8L * (i + 1));
        offsets.setLong(8L * ++row, end + shift);
      }
      target.getDataBuffer().setBytes(at, source.getDataBuffer(), first, end - first);
      at += end - first;
    }
    copyValidity(source, target.getValidityBuffer(), runs);
    target.setLastSet(runs.rows() - 1);
    target.setValueCount(runs.rows());
  }

  private static void copyFixedSizeLists(
      FixedSizeListVector source, FixedSizeListVector target, RowRuns runs) {
    target.setInitialCapacity(runs.rows());
    target.allocateNew();
    copy(source.getDataVector(), target.getDataVector(), runs.scaled(source.getListSize()));
    ensureValidity(target, runs.rows());
    copyValidity(source, target.getValidityBuffer(), runs);
    target.setValueCount(runs.rows());
  }

  private static void copyStructs(StructVector source, StructVector target, RowRuns runs) {
    target.setInitialCapacity(runs.rows());
    target.allocateNew();
    List<FieldVector> children = source.getChildrenFromFields();
    List<FieldVector> copies = target.getChildrenFromFields();
    for (int i = 0; i < children.size(); i++) {
      copy(children.get(i), copies.get(i), runs);
    }
    // before the validity, which grows by it; a struct without children tells no capacity
    target.setValueCount(runs.rows());
    copyValidity(source, target.getValidityBuffer(), runs);
  }

  private static void copyLists(ListVector source, ListVector target, RowRuns runs) {
    ArrowBuf sourceOffsets = source.getOffsetBuffer();
    int[] starts = new int[runs.runs()];
    int[] lengths = new int[runs.runs()];
    for (int run = 0; run < runs.runs(); run++) {
      starts[run] = sourceOffsets.getInt(4L * runs.start(run));
      lengths[run] = sourceOffsets.getInt(4L * (runs.start(run) + runs.length(run))) - starts[run];
    }
    target.setInitialCapacity(runs.rows());
    target.allocateNew();
    copy(source.getDataVector(), target.getDataVector(), RowRuns.of(starts, lengths, runs.runs()));
    ensureValidity(target, runs.rows());
    ArrowBuf offsets = target.getOffsetBuffer();
    offsets.setInt(0, 0);
    long row = 0;
    int at = 0;
    for (int run = 0; run < runs.runs(); run++) {
      int shift = at - starts[run];
      for (int i = runs.start(run), last = i + runs.length(run); i < last; i++) {
        offsets.setInt(4L * ++row, sourceOffsets.getInt(4L * (i + 1)) + shift);
      }
      at += lengths[run];
    }
    copyValidity(source, target.getValidityBuffer(), runs);
    target.setLastSet(runs.rows() - 1);
    target.setValueCount(runs.rows());
  }

  private static void copyLargeLists(LargeListVector source, LargeListVector target, RowRuns runs) {
    ArrowBuf sourceOffsets = source.getOffsetBuffer();
    int[] starts = new int[runs.runs()];
    int[] lengths = new int[runs.runs()];
    for (int run = 0; run < runs.runs(); run++) {
      long start = sourceOffsets.getLong(8L * runs.start(run));
      starts[run] = Math.toIntExact(start);
      lengths[run] =
          Math.toIntExact(sourceOffsets.getLong(8L * (runs.start(run) + runs.length(run))) - start);
    }
    target.setInitialCapacity(runs.rows());
    target.allocateNew();
    copy(source.getDataVector(), target.getDataVector(), RowRuns.of(starts, lengths, runs.runs()));
    ensureValidity(target, runs.rows());
    ArrowBuf offsets = target.getOffsetBuffer();
    offsets.setLong(0, 0);
    long row = 0;
    long at = 0;
    for (int run = 0; run < runs.runs(); run++) {
      long shift = at - starts[run];
      for (int i = runs.start(run), last = i + runs.length(run); i < last; i++) {
        offsets.setLong(8L * ++row, sourceOffsets.getLong(8L * (i + 1)) + shift);
      }
      at += lengths[run];
    }
    copyValidity(source, target.getValidityBuffer(), runs);
    target.setLastSet(runs.rows() - 1);
    target.setValueCount(runs.rows());
  }

  private static void ensureValidity(FieldVector target, int rows) {
    while (target.getValueCapacity() < rows) {
      target.reAlloc();
    }
  }

  private static void copyValidity(FieldVector source, ArrowBuf target, RowRuns runs) {
    if (hasNoNull(source)) {
      fillOnes(target, runs.rows());
    } else {
      copyBits(source.getValidityBuffer(), target, runs);
    }
  }

  /** Words of the buffer at once: Arrow's count checks the bounds of each. */
  private static boolean hasNoNull(FieldVector source) {
    int rows = source.getValueCount();
    int bytes = rows >>> 3;
    ArrowBuf bits = source.getValidityBuffer();
    if (bits.capacity() < (rows + 7L) >>> 3) {
      return source.getNullCount() == 0;
    }
    ByteBuffer validity = bits.nioBuffer(0, bytes);
    int at = 0;
    for (; at + 8 <= bytes; at += 8) {
      if (validity.getLong(at) != -1) {
        return false;
      }
    }
    for (; at < bytes; at++) {
      if (validity.get(at) != -1) {
        return false;
      }
    }
    int last = (1 << (rows & 7)) - 1;
    return last == 0 || (bits.getByte(bytes) & last) == last;
  }

  private static void fillOnes(ArrowBuf target, int bits) {
    target.setOne(0L, (bits + 7L) >>> 3);
  }

  /** Packs the bits of the runs, least significant first, from bit 0 of the target on. */
  private static void copyBits(ArrowBuf source, ArrowBuf target, RowRuns runs) {
    long word = 0;
    int filled = 0;
    long to = 0;
    for (int run = 0; run < runs.runs(); run++) {
      int from = runs.start(run);
      int left = runs.length(run);
      while (left > 0) {
        int take = Math.min(left, 64 - filled);
        word |= bits(source, from, take) << filled;
        filled += take;
        from += take;
        left -= take;
        if (filled == 64) {
          target.setLong(to, word);
          to += 8;
          word = 0;
          filled = 0;
        }
      }
    }
    for (; filled > 0; filled -= 8, word >>>= 8) {
      target.setByte(to++, (byte) word);
    }
  }

  /** {@code count} bits (1 to 64) from bit {@code from} on, in the low bits of the result. */
  private static long bits(ArrowBuf source, int from, int count) {
    int at = from >>> 3;
    int shift = from & 7;
    long capacity = source.capacity();
    long low;
    if (at + 8 <= capacity) {
      low = source.getLong(at) >>> shift;
    } else {
      low = 0;
      for (int i = 0; at + i < capacity; i++) {
        low |= (source.getByte(at + i) & 0xFFL) << (8 * i);
      }
      low >>>= shift;
    }
    if (shift != 0 && count > 64 - shift) {
      low |= (source.getByte(at + 8) & 0xFFL) << (64 - shift);
    }
    return count == 64 ? low : low & ((1L << count) - 1);
  }
}
