package dev.narwhal.lance.datafile.page;

import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Byte strings: value i is the bytes {@code [offsets[i], offsets[i + 1])} of one buffer. */
public final class VariableValues implements Values {
  private final ByteBuffer bytes;
  private final int[] offsets;
  private final int count;

  /**
   * @param bytes from its position on
   * @param offsets {@code count + 1} or more; they must be ascending and inside {@code bytes}, else
   *     it is a LanceFormatException. Not copied.
   */
  public VariableValues(ByteBuffer bytes, int[] offsets, int count) {
    int previous = 0;
    for (int i = 0; i <= count; i++) {
      int offset = offsets[i];
      if (offset < previous) {
        throw new LanceFormatException(
            "offset " + offset + " of value " + i + " is below " + previous);
      }
      previous = offset;
    }
    if (previous > bytes.remaining()) {
      throw new LanceFormatException(
          "offset " + previous + " exceeds the " + bytes.remaining() + " bytes of the values");
    }
    this.bytes = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    this.offsets = offsets;
    this.count = count;
  }

  @Override
  public int count() {
    return count;
  }

  /** The bytes that offsets point into. Not to be changed. */
  public ByteBuffer bytes() {
    return bytes;
  }

  /** At least {@code count() + 1} ascending offsets. Not to be changed. */
  public int[] offsets() {
    return offsets;
  }
}
