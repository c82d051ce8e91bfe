package dev.narwhal.lance.predicate;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Strings in UTF-8, or binaries: row {@code i} is bytes {@code [offsets[i], offsets[i + 1])}. Where
 * a row is null its bytes mean nothing.
 */
final class ByteValues implements Values {
  private final byte[] data;
  private final int[] offsets;
  private final long[] valid;
  private final boolean text;

  ByteValues(byte[] data, int[] offsets, long[] valid, boolean text) {
    this.data = data;
    this.offsets = offsets;
    this.valid = valid;
    this.text = text;
  }

  static ByteValues of(@Nullable Object[] boxed, boolean text) {
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    int[] offsets = new int[boxed.length + 1];
    for (int row = 0; row < boxed.length; row++) {
      Object value = boxed[row];
      if (value != null) {
        data.writeBytes(
            text
                ? GeneralFunctions.utf8((String) value)
                : GeneralFunctions.bytes((ByteBuffer) value));
      }
      offsets[row + 1] = data.size();
    }
    return new ByteValues(data.toByteArray(), offsets, Values.present(boxed), text);
  }

  byte[] data() {
    return data;
  }

  int[] offsets() {
    return offsets;
  }

  @Override
  public long[] valid() {
    return valid;
  }

  @Override
  public Object get(int row) {
    int length = offsets[row + 1] - offsets[row];
    return text
        ? new String(data, offsets[row], length, StandardCharsets.UTF_8)
        : ByteBuffer.wrap(Arrays.copyOfRange(data, offsets[row], offsets[row + 1]))
            .asReadOnlyBuffer();
  }
}
