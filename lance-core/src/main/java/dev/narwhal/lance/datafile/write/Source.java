package dev.narwhal.lance.datafile.write;

import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.jspecify.annotations.Nullable;

/** Buffers of vectors as arrays: one copy for a batch, none for a slot. */
final class Source {
  /** Offsets that are copied at a time: a view of a buffer has less than 2 GiB. */
  private static final int PIECE = 1 << 20;

  private Source() {}

  /** The validity bitmap, 1 = valid; null when no slot is null. */
  static byte @Nullable [] validity(FieldVector vector) {
    int slots = vector.getValueCount();
    if (slots == 0 || vector instanceof NullVector || vector.getNullCount() == 0) {
      return null;
    }
    byte[] bitmap = new byte[(slots + 7) >>> 3];
    vector.getValidityBuffer().getBytes(0, bitmap);
    return bitmap;
  }

  /** The offsets of a list or of byte strings, one more than slots; 64-bit ones are narrowed. */
  static int[] offsets(FieldVector vector) {
    int slots = vector.getValueCount();
    int[] offsets = new int[slots + 1];
    if (slots == 0) {
      return offsets;
    }
    ArrowBuf buffer = vector.getOffsetBuffer();
    if (vector instanceof LargeListVector || vector instanceof BaseLargeVariableWidthVector) {
      for (int i = 0; i <= slots; i++) {
        offsets[i] = Math.toIntExact(buffer.getLong((long) i * Long.BYTES));
      }
    } else {
      for (int at = 0; at < offsets.length; at += PIECE) {
        int count = Math.min(PIECE, offsets.length - at);
        buffer
            .nioBuffer((long) at * Integer.BYTES, count * Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .asIntBuffer()
            .get(offsets, at, count);
      }
    }
    return offsets;
  }
}
