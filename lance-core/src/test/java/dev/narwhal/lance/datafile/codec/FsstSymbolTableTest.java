package dev.narwhal.lance.datafile.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.LanceFormatException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FsstSymbolTableTest {
  @Test
  void decodesSymbolsAndEscapes() {
    FsstSymbolTable table = FsstSymbolTable.parse(table(true, "http://w", "a", ".com"));
    ByteBuffer codes = ByteBuffer.wrap(new byte[] {99, 0, 1, 2, (byte) 255, 'z', 1, 99});
    int[] offsets = {1, 3, 3, 6, 7};
    int[] decoded = new int[5];
    byte[] bytes = table.decode(codes, offsets, 4, decoded);
    assertThat(decoded).containsExactly(0, 9, 9, 14, 15);
    assertThat(new String(bytes, 0, 15, ISO_8859_1)).isEqualTo("http://wa.comza");
    assertThat(codes.position()).isZero();
  }

  @Test
  void valuesAreAsTheyAreWhereTheSwitchIsOff() {
    FsstSymbolTable table = FsstSymbolTable.parse(table(false));
    int[] offsets = {2, 5, 6};
    byte[] bytes =
        table.decode(
            ByteBuffer.wrap(new byte[] {9, 9, (byte) 255, 1, 2, (byte) 255}), offsets, 2, offsets);
    assertThat(offsets).containsExactly(0, 3, 4);
    assertThat(bytes).containsExactly(255, 1, 2, 255);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.lance.RandomSeeds#seeds")
  void decodesWhatAPlainEncoderWrote(long seed) {
    Random random = new Random(seed);
    int n = random.nextInt(256);
    byte[][] symbols = new byte[n][];
    for (int i = 0; i < n; i++) {
      symbols[i] = new byte[1 + random.nextInt(8)];
      random.nextBytes(symbols[i]);
    }
    ByteArrayOutputStream codes = new ByteArrayOutputStream();
    List<byte[]> values = new ArrayList<>();
    int count = random.nextInt(100);
    int[] offsets = new int[count + 1];
    for (int v = 0; v < count; v++) {
      ByteArrayOutputStream value = new ByteArrayOutputStream();
      for (int i = random.nextInt(30); i > 0; i--) {
        if (n == 0 || random.nextInt(4) == 0) {
          byte escaped = (byte) random.nextInt();
          codes.write(255);
          codes.write(escaped);
          value.write(escaped);
        } else {
          int code = random.nextInt(n);
          codes.write(code);
          value.writeBytes(symbols[code]);
        }
      }
      values.add(value.toByteArray());
      offsets[v + 1] = codes.size();
    }
    int[] decoded = new int[count + 1];
    byte[] bytes =
        FsstSymbolTable.parse(table(true, symbols))
            .decode(ByteBuffer.wrap(codes.toByteArray()), offsets, count, decoded);
    for (int v = 0; v < count; v++) {
      assertThat(Arrays.copyOfRange(bytes, decoded[v], decoded[v + 1])).isEqualTo(values.get(v));
    }
  }

  @Test
  void rejectsCodesWithoutASymbolAndEscapesWithoutAByte() {
    FsstSymbolTable table = FsstSymbolTable.parse(table(true, "a", "b"));
    assertThatThrownBy(() -> decode(table, new int[] {0, 1}, 2))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("code 2 has no symbol");
    assertThatThrownBy(() -> decode(table, new int[] {0, 2}, 1, 255))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("ends in an escape");
    // the escaped byte must not come from the next value
    assertThatThrownBy(() -> decode(table, new int[] {0, 1, 2}, 255, 1))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("ends in an escape");
  }

  @Test
  void rejectsOffsetsThatFallOrLeaveTheBuffer() {
    FsstSymbolTable table = FsstSymbolTable.parse(table(true, "a", "b"));
    for (int[] offsets :
        new int[][] {{0, 3}, {-1, 1}, {2, 1}, {0, 2, 1, 2}, {0, 3, 2}, {0, -1, 2}}) {
      assertThatThrownBy(() -> decode(table, offsets, 0, 1))
          .isInstanceOf(LanceFormatException.class);
    }
  }

  @Test
  void rejectsDamagedTables() {
    ByteBuffer good = table(true, "abc", "d");
    assertThatThrownBy(() -> FsstSymbolTable.parse(good.slice(0, 7)))
        .isInstanceOf(LanceFormatException.class);
    assertThatThrownBy(() -> FsstSymbolTable.parse(good.slice(0, 25)))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("expected at least 26");
    FsstSymbolTable.parse(good.slice(0, 26));
    for (int length : new int[] {0, 9, 255}) {
      ByteBuffer bad = table(true, "abc", "d");
      bad.put(8 + 16 + 1, (byte) length);
      assertThatThrownBy(() -> FsstSymbolTable.parse(bad))
          .isInstanceOf(LanceFormatException.class)
          .hasMessageContaining("symbol 1 of " + length + " bytes");
    }
    ByteBuffer magic = table(true, "abc");
    magic.put(5, (byte) 0);
    assertThatThrownBy(() -> FsstSymbolTable.parse(magic))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("magic");
  }

  private static void decode(FsstSymbolTable table, int[] offsets, int... codes) {
    byte[] bytes = new byte[codes.length];
    for (int i = 0; i < codes.length; i++) {
      bytes[i] = (byte) codes[i];
    }
    table.decode(ByteBuffer.wrap(bytes), offsets, offsets.length - 1, new int[offsets.length]);
  }

  private static ByteBuffer table(boolean coded, String... symbols) {
    return table(
        coded, Arrays.stream(symbols).map(s -> s.getBytes(ISO_8859_1)).toArray(byte[][]::new));
  }

  private static ByteBuffer table(boolean coded, byte[][] symbols) {
    ByteBuffer out = ByteBuffer.allocate(2312).order(ByteOrder.LITTLE_ENDIAN);
    out.put((byte) symbols.length).put((byte) 0).put((byte) 12).put((byte) (coded ? 1 : 0));
    out.putInt(0x46535354);
    for (int i = 0; i < symbols.length; i++) {
      out.put(8 + 8 * i, symbols[i]);
      out.put(8 + 8 * symbols.length + i, (byte) symbols[i].length);
    }
    return out.rewind();
  }
}
