package dev.narwhal.lance.datafile.layout;

import static dev.narwhal.lance.datafile.layout.TestPage.flat;
import static dev.narwhal.lance.datafile.layout.TestPage.variable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.datafile.layout.TestPage.Bytes;
import dev.narwhal.lance.datafile.page.RowRanges;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.proto.encodings21.ConstantLayout;
import dev.narwhal.lance.proto.encodings21.FullZipLayout;
import dev.narwhal.lance.proto.encodings21.MiniBlockLayout;
import dev.narwhal.lance.proto.encodings21.PageLayout;
import dev.narwhal.lance.proto.encodings21.RepDefLayer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages of lists made by hand: good ones, and each number of them wrong. */
class LevelPagesTest {
  /** The rows of the mini-block page: lengths 3, 5, 1, 3 in chunks of 4 items. */
  private static final List<String> NUMBERS = List.of("[0,1,2]", "[3,4,5,6,7]", "[8]", "[9,10,11]");

  @Test
  void readsRowsThatSpanChunks() throws IOException {
    TestPage page = numbers(1, 1, 1, 0, 2, 0);
    for (int from = 0; from <= 4; from++) {
      for (int to = from + 1; to <= 4; to++) {
        assertThat(page.readLists(RowRanges.of(from, to))).isEqualTo(NUMBERS.subList(from, to));
      }
    }
  }

  @Test
  void takesAnyRowsThatSpanChunks() throws IOException {
    TestPage page = numbers(1, 1, 1, 0, 2, 0);
    for (int bits = 1; bits < 16; bits++) {
      List<String> expected = new ArrayList<>();
      int[] offsets = new int[Integer.bitCount(bits)];
      for (int row = 0; row < 4; row++) {
        if ((bits >> row & 1) != 0) {
          offsets[expected.size()] = row;
          expected.add(NUMBERS.get(row));
        }
      }
      assertThat(page.readLists(RowRanges.of(0, offsets))).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1, 0, 3, 0, repetition index",
    "2, 0, 0, 1, 2, 0, the repetition index says",
    "1, 0, 2, 0, 1, 0, the repetition index says",
    "1, 1, 0, 1, 3, 0, the repetition index says",
  })
  void refusesARepetitionIndexThatLies(
      int e0, int p0, int e1, int p1, int e2, int p2, String message) {
    TestPage page = numbers(e0, p0, e1, p1, e2, p2);
    assertThatThrownBy(() -> page.readLists(RowRanges.of(0, 4)))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining(message);
  }

  @Test
  void refusesRepetitionAboveThePagesLists() {
    TestPage page = numbers(new int[] {1, 0, 2, 1}, 1, 1, 1, 0, 2, 0);
    assertThatThrownBy(() -> page.readLists(RowRanges.of(0, 4)))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("level 2");
  }

  @Test
  void refusesListsWithoutRepetition() {
    MiniBlockLayout layout = miniBlock().clearRepCompression().build();
    assertThatThrownBy(
            () ->
                new TestPage("int32", 4, PageLayout.newBuilder().setMiniBlockLayout(layout).build())
                    .readLists(RowRanges.of(0, 4)))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("without repetition");
  }

  @Test
  void readsZippedTextsInLists() throws IOException {
    TestPage page = texts(texts(), 0, 7, 8, 9, 17);
    assertThat(page.readLists(RowRanges.of(0, 4)))
        .containsExactly("[\"a\",null]", null, "[]", "[\"xyz\"]");
    assertThat(page.readLists(RowRanges.of(0, new int[] {0, 3})))
        .containsExactly("[\"a\",null]", "[\"xyz\"]");
    assertThat(page.readLists(RowRanges.of(1, 3))).containsExactly(null, "[]");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, start of a row", // the first level starts no row
    "1, 9, value of",
    "6, 6, levels of 5 rows",
    "8, 0, at the start of a row",
    "10, 4, value of",
  })
  void refusesZippedLevelsThatLie(int at, int value, String message) {
    byte[] data = texts();
    data[at] = (byte) value;
    TestPage page = texts(data, 0, 7, 8, 9, 17);
    assertThatThrownBy(() -> page.readLists(RowRanges.of(0, 4)))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({"0, 6, 8, 9, 17", "0, 8, 8, 9, 17", "0, 7, 8, 9, 16", "0, 9, 8, 9, 17"})
  void refusesPositionsThatLie(int p0, int p1, int p2, int p3, int p4) {
    TestPage page = texts(texts(), p0, p1, p2, p3, p4);
    assertThatThrownBy(() -> page.readLists(RowRanges.of(0, 4)))
        .isInstanceOf(LanceFormatException.class);
  }

  @Test
  void readsConstantsInLists() throws IOException {
    // [7, null], null, [], [7]
    TestPage page = constant(new int[] {1, 0, 1, 1, 1}, new int[] {0, 1, 2, 3, 0}, 4);
    assertThat(page.readLists(RowRanges.of(0, 4))).containsExactly("[7,null]", null, "[]", "[7]");
    assertThat(page.readLists(RowRanges.of(0, new int[] {1, 3}))).containsExactly(null, "[7]");
  }

  @Test
  void findsRowsOfLongConstantPages() throws IOException {
    int rows = 1000;
    int[] repetition = new int[2 * rows];
    for (int i = 0; i < repetition.length; i += 2) {
      repetition[i] = 1;
    }
    TestPage page = constant(repetition, new int[2 * rows], rows);
    for (int row : new int[] {0, 255, 256, 257, 511, 512, 999}) {
      assertThat(page.readLists(RowRanges.of(row, row + 1))).containsExactly("[7,7]");
    }
    assertThat(page.readLists(RowRanges.of(0, rows))).hasSize(rows).containsOnly("[7,7]");
  }

  @Test
  void refusesConstantPagesWhoseLevelsLie() {
    int[] definition = {0, 1, 2, 3, 0};
    for (TestPage page :
        List.of(
            constant(new int[] {0, 1, 1, 1, 1}, definition, 4),
            constant(new int[] {1, 0, 1, 1, 1}, definition, 5),
            constant(new int[] {1, 0, 1, 1, 1}, definition, 3),
            constant(new int[] {1, 0, 1, 1, 1}, new int[] {0, 1, 2, 4, 0}, 4),
            constant(new int[] {1, 0, 2, 1, 1}, definition, 4),
            constant(new int[] {1, 0, 1, 1, 1}, new int[] {0, 1, 2, 3}, 4),
            constant(new int[] {1, 1, 0, 1, 1}, new int[] {0, 2, 0, 3, 0}, 4),
            constant(new int[0], new int[0], 4))) {
      assertThatThrownBy(() -> page.readLists(RowRanges.of(0, 3)))
          .isInstanceOf(LanceFormatException.class);
    }
  }

  @Test
  void boundsTheLevelsThatABlockMayClaim() {
    ConstantLayout layout =
        lists(ConstantLayout.newBuilder())
            .setRepCompression(flat(16))
            .setNumRepValues(1L << 40)
            .build();
    TestPage page =
        new TestPage(
            "int32",
            4,
            PageLayout.newBuilder().setConstantLayout(layout).build(),
            new byte[8],
            new byte[8]);
    assertThatThrownBy(() -> page.readLists(RowRanges.of(0, 4)))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("1099511627776 levels");
  }

  private static TestPage numbers(int... index) {
    return numbers(new int[] {1, 0, 0, 1}, index);
  }

  /**
   * @param first repetition of the first chunk
   */
  private static TestPage numbers(int[] first, int... index) {
    Bytes chunks = new Bytes();
    int[][] repetition = {first, {0, 0, 0, 0}, {1, 1, 0, 0}};
    for (int chunk = 0; chunk < 3; chunk++) {
      // levels, bytes of repetition, bytes of values; 8, 8 and 16 bytes
      chunks.u16(4, 8, 16, 0).u16(repetition[chunk]);
      for (int i = 0; i < 4; i++) {
        chunks.u32(4 * chunk + i);
      }
    }
    Bytes numbers = new Bytes();
    for (int number : index) {
      numbers.u32(number, 0);
    }
    return new TestPage(
        "int32",
        4,
        PageLayout.newBuilder().setMiniBlockLayout(miniBlock()).build(),
        new Bytes().u16(3 << 4 | 2, 3 << 4 | 2, 3 << 4).done(),
        chunks.done(),
        numbers.done());
  }

  private static MiniBlockLayout.Builder miniBlock() {
    return MiniBlockLayout.newBuilder()
        .setRepCompression(flat(16))
        .setValueCompression(flat(32))
        .setNumBuffers(1)
        .setNumItems(12)
        .setRepetitionIndexDepth(1)
        .addLayers(RepDefLayer.REPDEF_ALL_VALID_ITEM)
        .addLayers(RepDefLayer.REPDEF_ALL_VALID_LIST);
  }

  /**
   * [a, null], null, [], [xyz]; definition in 2 bits of a control byte, repetition in the third.
   */
  private static byte[] texts() {
    return new Bytes()
        .u8(0b100)
        .u32(1)
        .u8('a')
        .u8(0b001)
        .u8(0b110)
        .u8(0b111)
        .u8(0b100)
        .u32(3)
        .u8('x', 'y', 'z')
        .done();
  }

  private static TestPage texts(byte[] data, int... positions) {
    FullZipLayout layout =
        FullZipLayout.newBuilder()
            .setBitsRep(1)
            .setBitsDef(2)
            .setBitsPerOffset(32)
            .setNumItems(5)
            .setNumVisibleItems(3)
            .setValueCompression(variable(32))
            .addLayers(RepDefLayer.REPDEF_NULLABLE_ITEM)
            .addLayers(RepDefLayer.REPDEF_NULL_AND_EMPTY_LIST)
            .build();
    return new TestPage(
        "string",
        4,
        PageLayout.newBuilder().setFullZipLayout(layout).build(),
        data,
        new Bytes().u8(positions).done());
  }

  private static TestPage constant(int[] repetition, int[] definition, int rows) {
    ConstantLayout layout =
        lists(ConstantLayout.newBuilder())
            .setInlineValue(ByteString.copyFrom(new byte[] {7, 0, 0, 0}))
            .build();
    return new TestPage(
        "int32",
        rows,
        PageLayout.newBuilder().setConstantLayout(layout).build(),
        new Bytes().u16(repetition).done(),
        new Bytes().u16(definition).done());
  }

  private static ConstantLayout.Builder lists(ConstantLayout.Builder layout) {
    return layout
        .addLayers(RepDefLayer.REPDEF_NULLABLE_ITEM)
        .addLayers(RepDefLayer.REPDEF_NULL_AND_EMPTY_LIST);
  }
}
