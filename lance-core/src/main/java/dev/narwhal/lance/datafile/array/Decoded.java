package dev.narwhal.lance.datafile.array;

import dev.narwhal.lance.datafile.page.Values;
import dev.narwhal.lance.datafile.page.VectorBuilder;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Some decoded slots in a row: values, perhaps picked by indices, perhaps with a bitmap. */
final class Decoded {
  private final Values values;
  private final int @Nullable [] indices;
  private final @Nullable ByteBuffer validity;

  private Decoded(Values values, int @Nullable [] indices, @Nullable ByteBuffer validity) {
    this.values = values;
    this.indices = indices;
    this.validity = validity;
  }

  /** Slot i is value i. */
  static Decoded of(Values values) {
    return new Decoded(values, null, null);
  }

  /**
   * Slot i is value {@code indices[i]}.
   *
   * @param indices checked; -1 for a slot without a value
   */
  static Decoded picked(Values values, int[] indices) {
    return new Decoded(values, indices, null);
  }

  /**
   * The same slots, null where this bitmap says so or where they are null already.
   *
   * @param bits from index 0 on, LSB first, 1 = valid; on the heap and not used for anything else
   * @param count number of slots
   */
  Decoded withValidity(ByteBuffer bits, int count) {
    if (validity != null) {
      for (int i = 0; i < (count + 7L) >>> 3; i++) {
        bits.put(i, (byte) (bits.get(i) & validity.get(i)));
      }
    }
    return new Decoded(values, indices, bits);
  }

  /** The values that slots are taken from. */
  Values values() {
    return values;
  }

  /** One bit per slot, LSB first, 1 = valid; empty when all slots are valid. */
  Optional<ByteBuffer> validity() {
    return Optional.ofNullable(validity);
  }

  /** Appends the first {@code count} slots. */
  void appendTo(VectorBuilder out, int count) {
    if (validity != null) {
      out.validity().copy(out.rows(), validity, 0, count);
    }
    if (indices == null) {
      out.append(values, 0, count);
    } else {
      out.gather(values, indices, 0, count);
    }
  }

  /** Appends the slots at the first {@code count} positions. */
  void gatherTo(VectorBuilder out, int[] positions, int count) {
    if (validity != null) {
      out.validity().gather(out.rows(), validity, positions, 0, count);
    }
    if (indices == null) {
      out.gather(values, positions, 0, count);
    } else {
      int[] picked = new int[count];
      for (int i = 0; i < count; i++) {
        picked[i] = indices[positions[i]];
      }
      out.gather(values, picked, 0, count);
    }
  }
}
