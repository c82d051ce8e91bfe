package dev.narwhal.lance.datafile.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What encoders write, decoders give back; that decoders are right other tests show. */
class EncodersTest {
  private static final long SEED = Long.getLong("test.seed", 11);

  @ParameterizedTest
  @ValueSource(ints = {8, 16, 32, 64})
  void groupsOfEveryWidthComeBack(int valueBits) {
    FastLanes lanes = new FastLanes(valueBits);
    Random random = new Random(SEED + valueBits);
    for (int width = 0; width <= valueBits; width++) {
      for (int count : new int[] {0, 1, 37, 1023, 1024}) {
        byte[] values = values(random, valueBits, width, count);
        GrowingBytes packed = new GrowingBytes();
        InlineBitpacking.encode(values, 0, count, lanes, packed);
        ByteBuffer target = ByteBuffer.allocate(values.length);
        InlineBitpacking.decode(packed.view(), lanes, count, target);
        assertThat(target.array()).as("width %d, %d values", width, count).isEqualTo(values);
        int most = InlineBitpacking.encodedBytes(valueBits, width);
        assertThat(packed.size()).isLessThanOrEqualTo(most);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 65, 1000, 1024, 1025, 1088, 5000})
  void groupsWithoutTheirWidthComeBack(int count) {
    FastLanes lanes = new FastLanes(16);
    Random random = new Random(SEED);
    for (int width : new int[] {1, 2, 5, 15, 16}) {
      byte[] values = values(random, 16, width, count);
      GrowingBytes packed = new GrowingBytes();
      OutOfLineBitpacking.encode(values, 0, count, lanes, width, packed);
      assertThat(packed.size()).isEqualTo((int) OutOfLineBitpacking.encodedBytes(16, width, count));
      ByteBuffer target = ByteBuffer.allocate(values.length);
      OutOfLineBitpacking.decode(packed.view(), lanes, width, count, target);
      assertThat(target.array()).as("width %d", width).isEqualTo(values);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 16, 32, 64})
  void runsComeBack(int valueBits) {
    Random random = new Random(SEED);
    int width = valueBits / 8;
    int count = 3000;
    byte[] values = new byte[count * width];
    int runs = 0;
    for (int i = 0; i < count; ) {
      int length = Math.min(count - i, 1 + random.nextInt(runs % 3 == 0 ? 700 : 4));
      byte[] value = new byte[width];
      random.nextBytes(value);
      value[0] = (byte) runs;
      for (int j = 0; j < length; j++) {
        System.arraycopy(value, 0, values, (i + j) * width, width);
      }
      i += length;
      runs++;
    }
    assertThat(Rle.countRuns(values, 0, valueBits, count)).isEqualTo(runs);
    GrowingBytes block = new GrowingBytes();
    Rle.encodeBlock(values, 0, valueBits, count, block);
    ByteBuffer target = ByteBuffer.allocate(values.length);
    Rle.decodeBlock(block.view(), valueBits, count, target);
    assertThat(target.array()).isEqualTo(values);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8})
  void splitStreamsComeBack(int valueBytes) {
    byte[] values = new byte[1000 * valueBytes];
    new Random(SEED).nextBytes(values);
    GrowingBytes split = new GrowingBytes();
    ByteStreamSplit.encode(values, 0, valueBytes, 1000, split);
    ByteBuffer target = ByteBuffer.allocate(values.length);
    ByteStreamSplit.decode(split.view(), valueBytes, 1000, target);
    assertThat(target.array()).isEqualTo(values);
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void compressedUnitsComeBack(Compression scheme) {
    byte[] text = "to be or not to be, that is the question. ".repeat(300).getBytes(UTF_8);
    UnitCompressor compressor = new UnitCompressor(scheme);
    for (int count : new int[] {0, 1, 100, text.length - 3}) {
      GrowingBytes unit = new GrowingBytes();
      compressor.compress(text, 3, count, unit);
      ByteBuffer content = new UnitDecompressor(scheme).decompress(unit.view(), text.length);
      assertThat(bytes(content)).isEqualTo(Arrays.copyOfRange(text, 3, 3 + count));
    }
  }

  @Test
  void symbolsComeBackAndShortenText() {
    Random random = new Random(SEED);
    String[] words = {"http://", "www.", "example", ".com/", "index", "?q=", "été", "42"};
    int count = 4000;
    GrowingBytes bytes = new GrowingBytes();
    int[] offsets = new int[count + 1];
    for (int i = 0; i < count; i++) {
      offsets[i] = bytes.size();
      for (int w = random.nextInt(6); w > 0; w--) {
        byte[] word = words[random.nextInt(words.length)].getBytes(UTF_8);
        bytes.put(word, 0, word.length);
      }
    }
    offsets[count] = bytes.size();

    assertThat(coded(bytes, offsets, count)).isLessThan(offsets[count] / 3);
  }

  @Test
  void symbolsThatFitNothingComeBackToo() {
    byte[] noise = new byte[50_000];
    new Random(SEED).nextBytes(noise);
    GrowingBytes bytes = new GrowingBytes();
    bytes.put(noise, 0, noise.length);
    int[] offsets = new int[1001];
    for (int i = 0; i <= 1000; i++) {
      offsets[i] = i * 50;
    }
    assertThat(coded(bytes, offsets, 1000)).isLessThan(2 * noise.length);
    assertThat(coded(new GrowingBytes(), new int[3], 2)).isZero();
  }

  /** Codes, decodes, compares; gives the size. */
  private static int coded(GrowingBytes bytes, int[] offsets, int count) {
    byte[] plain = Arrays.copyOf(bytes.array(), bytes.size() + FsstEncoder.SLACK);
    FsstEncoder encoder = FsstEncoder.learn(plain, offsets, count);
    GrowingBytes coded = new GrowingBytes();
    int[] codedOffsets = new int[count + 1];
    encoder.encode(plain, offsets, count, coded, codedOffsets);
    byte[] table = encoder.table();
    assertThat(table).hasSize(2312);
    int[] decodedOffsets = new int[count + 1];
    byte[] decoded =
        FsstSymbolTable.parse(ByteBuffer.wrap(table))
            .decode(coded.view(), codedOffsets, count, decodedOffsets);
    assertThat(decodedOffsets).isEqualTo(offsets);
    assertThat(Arrays.copyOf(decoded, offsets[count]))
        .isEqualTo(Arrays.copyOf(plain, offsets[count]));
    return coded.size();
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static byte[] values(Random random, int valueBits, int width, int count) {
    ByteBuffer values = ByteBuffer.allocate(count * valueBits / 8).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      long value = width == 0 ? 0 : random.nextLong() >>> (64 - width);
      switch (valueBits) {
        case 8 -> values.put((byte) value);
        case 16 -> values.putShort((short) value);
        case 32 -> values.putInt((int) value);
        default -> values.putLong(value);
      }
    }
    return values.array();
  }
}
