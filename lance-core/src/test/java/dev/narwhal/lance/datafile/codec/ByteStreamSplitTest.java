package dev.narwhal.lance.datafile.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteStreamSplitTest {
  @ParameterizedTest(name = "{1} values of {0} bytes")
  @CsvSource({"4,0", "4,1", "4,7", "4,1024", "8,0", "8,1", "8,5", "8,512"})
  void joinsWhatWasSplit(int valueBytes, int count) {
    byte[] values = new byte[count * valueBytes];
    new Random(count).nextBytes(values);
    ByteBuffer split = ByteBuffer.allocateDirect(values.length);
    for (int j = 0; j < valueBytes; j++) {
      for (int i = 0; i < count; i++) {
        split.put(j * count + i, values[i * valueBytes + j]);
      }
    }
    ByteBuffer out = ByteBuffer.allocate(values.length);
    ByteStreamSplit.decode(split, valueBytes, count, out);
    assertThat(out.hasRemaining()).isFalse();
    assertThat(out.array()).isEqualTo(values);
  }

  @Test
  void rejectsEveryOtherLength() {
    for (int length : new int[] {0, 11, 13, 24}) {
      assertThatThrownBy(
              () ->
                  ByteStreamSplit.decode(
                      ByteBuffer.allocate(length), 4, 3, ByteBuffer.allocate(24)))
          .isInstanceOf(LanceFormatException.class);
    }
    assertThatThrownBy(
            () ->
                ByteStreamSplit.decode(ByteBuffer.allocate(0), 8, 1 << 29, ByteBuffer.allocate(24)))
        .isInstanceOf(LanceFormatException.class);
  }
}
