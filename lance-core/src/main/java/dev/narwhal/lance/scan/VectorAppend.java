package dev.narwhal.lance.scan;

import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.util.VectorBatchAppender;

/** Appends vectors of one type. Arrow's own appender fails on large lists, wherever they are. */
final class VectorAppend {
  private VectorAppend() {}

  /** Puts the values of {@code more} after those of {@code target}; {@code more} stays. */
  static void append(FieldVector target, FieldVector more) {
    if (!hasLargeLists(target.getField())) {
      VectorBatchAppender.batchAppend(target, more);
    } else if (target instanceof LargeListVector lists) {
      append(lists, (LargeListVector) more);
    } else {
      int start = target.getValueCount();
      for (int i = 0; i < more.getValueCount(); i++) {
        target.copyFromSafe(i, start + i, more);
      }
      target.setValueCount(start + more.getValueCount());
    }
  }

  private static void append(LargeListVector target, LargeListVector more) {
    int start = target.getValueCount();
    int count = more.getValueCount();
    if (count == 0) {
      return;
    }
    int items = target.getDataVector().getValueCount();
    while (target.getValueCapacity() < start + count) {
      target.reAlloc();
    }
    for (int i = 0; i <= count; i++) {
      long offset = more.getOffsetBuffer().getLong((long) i * LargeListVector.OFFSET_WIDTH);
      target
          .getOffsetBuffer()
          .setLong((long) (start + i) * LargeListVector.OFFSET_WIDTH, items + offset);
    }
    for (int i = 0; i < count; i++) {
      BitVectorHelper.setValidityBit(target.getValidityBuffer(), start + i, more.isNull(i) ? 0 : 1);
    }
    append(target.getDataVector(), more.getDataVector());
    target.setLastSet(start + count - 1);
    target.setValueCount(start + count);
  }

  private static boolean hasLargeLists(Field field) {
    return field.getType() instanceof ArrowType.LargeList
        || field.getChildren().stream().anyMatch(VectorAppend::hasLargeLists);
  }
}
