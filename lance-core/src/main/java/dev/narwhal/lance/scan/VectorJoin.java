package dev.narwhal.lance.scan;

import dev.narwhal.lance.error.LanceFormatException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.ByteFunctionHelpers;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/**
 * Joins what several data files say of one struct or list. It is null where all say so, as in
 * Lance: a file that got a child later may know nothing of the nulls that were there. Lists must
 * have the same lengths.
 */
final class VectorJoin {
  private VectorJoin() {}

  /**
   * Gives a fresh vector its nulls and lengths; its children are not touched.
   *
   * @param vectors at least one, all of the target's type and as long as each other
   */
  static void join(String name, List<FieldVector> vectors, FieldVector target) {
    FieldVector first = vectors.get(0);
    int slots = first.getValueCount();
    int offsetBytes = offsetBytes(target);
    int bytes = (slots + 7) / 8;
    try (ArrowBuf validity = target.getAllocator().buffer(Math.max(1, bytes))) {
      validity.setZero(0, bytes);
      for (FieldVector vector : vectors) {
        for (int i = 0; i < bytes; i++) {
          validity.setByte(i, validity.getByte(i) | vector.getValidityBuffer().getByte(i));
        }
        requireSameLengths(name, first, vector, slots * (long) offsetBytes);
      }
      List<ArrowBuf> buffers = new ArrayList<>(List.of(validity));
      if (offsetBytes > 0) {
        buffers.add(first.getOffsetBuffer());
      }
      target.loadFieldBuffers(new ArrowFieldNode(slots, nulls(validity, slots)), buffers);
    }
  }

  private static void requireSameLengths(
      String name, FieldVector first, FieldVector other, long bytes) {
    int size = offsetBytes(first);
    if (size == 0) {
      return;
    }
    boolean same =
        ByteFunctionHelpers.equal(
                first.getOffsetBuffer(), 0, bytes + size, other.getOffsetBuffer(), 0, bytes + size)
            == 1;
    if (!same) {
      throw new LanceFormatException(
          "data files of one fragment have lists '" + name + "' of different lengths");
    }
  }

  private static int offsetBytes(FieldVector vector) {
    if (vector instanceof LargeListVector) {
      return Long.BYTES;
    }
    return vector instanceof ListVector ? Integer.BYTES : 0;
  }

  private static int nulls(ArrowBuf validity, int slots) {
    int valid = 0;
    for (int i = 0; i < slots; i++) {
      valid += validity.getByte(i >> 3) >> (i & 7) & 1;
    }
    return slots - valid;
  }
}
