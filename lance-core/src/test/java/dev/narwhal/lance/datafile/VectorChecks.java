package dev.narwhal.lance.datafile;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.arrow.memory.ArrowBuf;
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

/**
 * Whether reading any slot of a vector stays inside its buffers. Arrow's own validation does not
 * know half floats and fixed-size lists, and wants UTF-8, which Lance does not promise.
 */
final class VectorChecks {
  private VectorChecks() {}

  static void check(FieldVector vector) {
    int slots = vector.getValueCount();
    if (vector instanceof NullVector) {
      return;
    }
    assertThat(vector.getValidityBuffer().capacity()).isGreaterThanOrEqualTo((slots + 7) / 8);
    if (vector instanceof StructVector struct) {
      for (FieldVector child : struct.getChildrenFromFields()) {
        assertThat(child.getValueCount()).isEqualTo(slots);
        check(child);
      }
    } else if (vector instanceof FixedSizeListVector lists) {
      assertThat((long) lists.getDataVector().getValueCount())
          .isGreaterThanOrEqualTo((long) slots * lists.getListSize());
      check(lists.getDataVector());
    } else if (vector instanceof ListVector lists) {
      checkOffsets(lists.getOffsetBuffer(), 4, slots, lists.getDataVector().getValueCount());
      check(lists.getDataVector());
    } else if (vector instanceof LargeListVector lists) {
      checkOffsets(lists.getOffsetBuffer(), 8, slots, lists.getDataVector().getValueCount());
      check(lists.getDataVector());
    } else if (vector instanceof BaseVariableWidthVector) {
      checkOffsets(vector.getOffsetBuffer(), 4, slots, vector.getDataBuffer().capacity());
    } else if (vector instanceof BaseLargeVariableWidthVector) {
      checkOffsets(vector.getOffsetBuffer(), 8, slots, vector.getDataBuffer().capacity());
    } else if (vector instanceof BitVector) {
      assertThat(vector.getDataBuffer().capacity()).isGreaterThanOrEqualTo((slots + 7) / 8);
    } else {
      int width = ((BaseFixedWidthVector) vector).getTypeWidth();
      assertThat(vector.getDataBuffer().capacity()).isGreaterThanOrEqualTo((long) slots * width);
    }
  }

  private static void checkOffsets(ArrowBuf offsets, int width, int slots, long end) {
    if (slots == 0 && offsets.capacity() == 0) {
      return;
    }
    long previous = 0;
    for (long i = 0; i <= slots; i++) {
      long offset = width == 4 ? offsets.getInt(4 * i) : offsets.getLong(8 * i);
      if (offset < previous || offset > end) {
        throw new AssertionError(
            "offset " + i + " is " + offset + ", after " + previous + ", of " + end);
      }
      previous = offset;
    }
  }
}
