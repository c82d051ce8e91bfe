package dev.narwhal.lance.datafile.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.LanceFormatException;
import io.airlift.compress.Compressor;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitDecompressorTest {
  private static final int MAX = 1 << 20;

  @ParameterizedTest
  @EnumSource(Compression.class)
  void decompressesOneUnitAfterAnother(Compression scheme) {
    UnitDecompressor decompressor = new UnitDecompressor(scheme);
    for (int size : new int[] {1, 10, 1000, 100_000, MAX}) {
      byte[] content = content(size);
      ByteBuffer unit = unit(scheme, content);
      ByteBuffer direct = ByteBuffer.allocateDirect(unit.remaining() + 3).position(3);
      direct.put(unit).flip().position(3);
      ByteBuffer out = decompressor.decompress(direct, MAX);
      assertThat(direct.position()).isEqualTo(3);
      assertThat(out.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
      assertThat(bytes(out)).isEqualTo(content);
    }
    assertThat(decompressor.decompress(ByteBuffer.allocate(0), MAX).remaining()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1000, 70_000, MAX})
  void decompressesBareFramesThatDoNotTellTheirSize(int size) throws IOException {
    byte[] content = content(size);
    UnitDecompressor decompressor = new UnitDecompressor(Compression.ZSTD);
    ByteArrayOutputStream streamed = new ByteArrayOutputStream();
    try (ZstdOutputStream out = new ZstdOutputStream(streamed)) {
      out.write(content);
    }
    ByteBuffer frame = ByteBuffer.wrap(streamed.toByteArray());
    assertThat(bytes(decompressor.decompress(frame, MAX))).isEqualTo(content);
    if (size > 0) {
      assertThatThrownBy(() -> decompressor.decompress(frame, size - 1))
          .isInstanceOf(LanceFormatException.class)
          .hasMessageContaining("more than " + (size - 1));
    }
  }

  @Test
  void aClaimThatLooksLikeTheMagicIsToldByTheUnusedBit() {
    // 0x10FD2FB528: the frame magic, then a byte whose bit 4 is set: a prefix, and beyond any limit
    ByteBuffer unit = ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN);
    unit.putLong(0, 0x10_FD2F_B528L);
    assertThatThrownBy(() -> new UnitDecompressor(Compression.ZSTD).decompress(unit, MAX))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("claims " + 0x10_FD2F_B528L);
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void believesNoClaimPastTheLimitOrTheBestRatio(Compression scheme) {
    UnitDecompressor decompressor = new UnitDecompressor(scheme);
    byte[] content = content(1000);
    assertThat(bytes(decompressor.decompress(unit(scheme, content), 1000))).isEqualTo(content);
    assertThatThrownBy(() -> decompressor.decompress(unit(scheme, content), 999))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("claims 1000 bytes");
    for (long claim : new long[] {Integer.MAX_VALUE, 0xFFFF_FFFFL, 1L << 31}) {
      ByteBuffer unit = claim(scheme, unit(scheme, new byte[] {1, 2, 3}), claim);
      assertThatThrownBy(() -> decompressor.decompress(unit, Integer.MAX_VALUE))
          .isInstanceOf(LanceFormatException.class)
          .hasMessageContaining("claims " + claim + " bytes");
    }
    ByteBuffer negative = claim(scheme, unit(scheme, new byte[] {1, 2, 3}), -1);
    assertThatThrownBy(() -> decompressor.decompress(negative, Integer.MAX_VALUE))
        .isInstanceOf(LanceFormatException.class);
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void rejectsClaimsThatAreNotExact(Compression scheme) {
    UnitDecompressor decompressor = new UnitDecompressor(scheme);
    for (int claim : new int[] {0, 1, 999, 1001}) {
      ByteBuffer unit = claim(scheme, unit(scheme, content(1000)), claim);
      assertThatThrownBy(() -> decompressor.decompress(unit, MAX))
          .isInstanceOf(LanceFormatException.class);
    }
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void everyTruncationIsAFormatError(Compression scheme) {
    byte[] unit = bytes(unit(scheme, content(500)));
    UnitDecompressor decompressor = new UnitDecompressor(scheme);
    for (int length = 1; length < unit.length; length++) {
      ByteBuffer cut = ByteBuffer.wrap(unit, 0, length);
      assertThatThrownBy(() -> decompressor.decompress(cut, MAX))
          .as("first %d bytes", length)
          .isInstanceOf(LanceFormatException.class);
    }
  }

  /** Compressed bytes carry no checksum: a flipped bit may give other content of the same size. */
  @ParameterizedTest
  @EnumSource(Compression.class)
  void everyFlippedBitIsAFormatErrorOrContentOfTheClaimedSize(Compression scheme) {
    byte[] unit = bytes(unit(scheme, content(500)));
    UnitDecompressor decompressor = new UnitDecompressor(scheme);
    int prefix = scheme == Compression.LZ4 ? 4 : 8;
    for (int bit = 0; bit < unit.length * 8; bit++) {
      byte[] bad = unit.clone();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      try {
        int size = decompressor.decompress(ByteBuffer.wrap(bad), MAX).remaining();
        assertThat(bit).isGreaterThanOrEqualTo(prefix * 8);
        assertThat(size).isEqualTo(500);
      } catch (LanceFormatException e) {
        assertThat(e.getMessage()).startsWith(scheme.name());
      }
    }
  }

  private static byte[] content(int size) {
    byte[] content = new byte[size];
    Random random = new Random(size);
    for (int i = 0; i < size; ) {
      int end = Math.min(size, i + 1 + random.nextInt(30));
      Arrays.fill(content, i, end, (byte) random.nextInt(20));
      i = end;
    }
    return content;
  }

  private static ByteBuffer unit(Compression scheme, byte[] content) {
    Compressor compressor = scheme == Compression.LZ4 ? new Lz4Compressor() : new ZstdCompressor();
    byte[] packed = new byte[compressor.maxCompressedLength(content.length)];
    int length = compressor.compress(content, 0, content.length, packed, 0, packed.length);
    ByteBuffer unit = ByteBuffer.allocate(length + 8).order(ByteOrder.LITTLE_ENDIAN);
    if (scheme == Compression.LZ4) {
      unit.putInt(content.length);
    } else {
      unit.putLong(content.length);
    }
    return unit.put(packed, 0, length).flip();
  }

  private static ByteBuffer claim(Compression scheme, ByteBuffer unit, long size) {
    return scheme == Compression.LZ4 ? unit.putInt(0, (int) size) : unit.putLong(0, size);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
