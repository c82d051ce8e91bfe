package dev.narwhal.cli.source;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.airlift.compress.lz4.Lz4Compressor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Lz4FrameTest {
  /** Literals "abc", then 5 bytes from 3 back, then a last literal "z". */
  private static final String BLOCK = "31" + "616263" + "0300" + "10" + "7a";

  @Test
  void decodesLiteralsAndMatchesThatOverlap() {
    byte[] frame =
        frame(0x60, "08000080" + HexFormat.of().formatHex("storedXY".getBytes(US_ASCII)));
    assertThat(new String(Lz4Frame.decode(frame, 8), US_ASCII)).isEqualTo("storedXY");
    byte[] matched = frame(0x60, "08000000" + BLOCK);
    assertThat(new String(Lz4Frame.decode(matched, 9), US_ASCII)).isEqualTo("abcabcabz");
  }

  @Test
  void blocksMayReferToThoseBefore() {
    // the second block has no literals before a match of 4 from 9 back
    byte[] frame = frame(0x40, "08000000" + BLOCK + "05000000" + "00" + "0900" + "10" + "21");
    assertThat(new String(Lz4Frame.decode(frame, 14), US_ASCII)).isEqualTo("abcabcabzabca!");
  }

  @Test
  void decodesWhatACompressorWrote() {
    byte[] content = new byte[200_000];
    Random random = new Random(1);
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) (random.nextInt(20) == 0 ? random.nextInt() : i / 1000);
    }
    Lz4Compressor compressor = new Lz4Compressor();
    byte[] block = new byte[compressor.maxCompressedLength(content.length)];
    int size = compressor.compress(content, 0, content.length, block, 0, block.length);
    ByteBuffer frame = ByteBuffer.allocate(size + 40).order(ByteOrder.LITTLE_ENDIAN);
    frame
        .putInt(0x184D2204)
        .put((byte) 0x7C)
        .put((byte) 0x70)
        .putLong(content.length)
        .put((byte) 0);
    frame.putInt(size).put(block, 0, size).putInt(99).putInt(0).putInt(99).flip();
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    assertThat(Lz4Frame.decode(bytes, content.length)).isEqualTo(content);
  }

  @Test
  void everyTruncationAndEveryFlippedBitIsRefusedOrGivesTheRightLength() {
    byte[] frame = frame(0x60, "08000000" + BLOCK + "05000000" + "00" + "0900" + "10" + "21");
    for (int end = 0; end < frame.length; end++) {
      byte[] cut = Arrays.copyOf(frame, end);
      assertThatIllegalArgumentException()
          .as("%d bytes", end)
          .isThrownBy(() -> Lz4Frame.decode(cut, 14));
    }
    for (int bit = 0; bit < frame.length * 8; bit++) {
      byte[] flipped = frame.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      try {
        assertThat(Lz4Frame.decode(flipped, 14)).hasSize(14);
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageContaining("LZ4");
      }
    }
  }

  private static byte[] frame(int flags, String blocks) {
    return HexFormat.of()
        .parseHex("04224d18" + "%02x".formatted(flags) + "40" + "00" + blocks + "00000000");
  }
}
