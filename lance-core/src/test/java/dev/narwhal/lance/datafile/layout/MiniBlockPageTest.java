package dev.narwhal.lance.datafile.layout;

import static dev.narwhal.lance.datafile.layout.TestPage.flat;
import static dev.narwhal.lance.datafile.layout.TestPage.variable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.datafile.layout.TestPage.Bytes;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.proto.encodings21.CompressiveEncoding;
import dev.narwhal.lance.proto.encodings21.Constant;
import dev.narwhal.lance.proto.encodings21.Dictionary;
import dev.narwhal.lance.proto.encodings21.FixedSizeList;
import dev.narwhal.lance.proto.encodings21.MiniBlockLayout;
import dev.narwhal.lance.proto.encodings21.PageLayout;
import dev.narwhal.lance.proto.encodings21.RepDefLayer;
import dev.narwhal.lance.proto.encodings21.Rle;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class MiniBlockPageTest {
  private static final RepDefLayer VALID = RepDefLayer.REPDEF_ALL_VALID_ITEM;
  private static final RepDefLayer NULLABLE = RepDefLayer.REPDEF_NULLABLE_ITEM;

  /** Chunks of 2, 1 and 2 values, the last with a log that does not matter. */
  private static TestPage ints(boolean large, MiniBlockLayout.Builder layout) {
    Bytes words = new Bytes();
    for (int word : new int[] {word(16, 1), word(16, 0), word(16, 7)}) {
      if (large) {
        words.u32(word);
      } else {
        words.u16(word);
      }
    }
    Bytes chunks = new Bytes();
    for (int[] values : new int[][] {{10, 11}, {12}, {13, 14}}) {
      chunks.u16(0);
      if (large) {
        chunks.u32(4 * values.length);
      } else {
        chunks.u16(4 * values.length);
      }
      chunks.pad().u32(values).pad();
    }
    return new TestPage(
        "int32", 5, page(layout.setHasLargeChunk(large)), words.done(), chunks.done());
  }

  private static int word(int bytes, int log) {
    return (bytes / 8 - 1) << 4 | log;
  }

  private static MiniBlockLayout.Builder layout(RepDefLayer layer, int items) {
    return MiniBlockLayout.newBuilder()
        .setValueCompression(flat(32))
        .addLayers(layer)
        .setNumBuffers(1)
        .setNumItems(items);
  }

  private static PageLayout page(MiniBlockLayout.Builder layout) {
    return PageLayout.newBuilder().setMiniBlockLayout(layout).build();
  }

  @Test
  void readsWordsOf16And32Bits() throws IOException {
    for (boolean large : new boolean[] {false, true}) {
      TestPage page = ints(large, layout(VALID, 5));
      assertThat(page.readAll()).containsExactly(10, 11, 12, 13, 14);
      assertThat(page.read(1, 3)).containsExactly(11, 12, 13);
      assertThat(page.take(0, 2, 4)).containsExactly(10, 12, 14);
    }
  }

  @Test
  void refusesLayoutsThatContradictThePage() {
    assertRefused(ints(false, layout(VALID, 6)), "6 items, expected 5");
    assertRefused(ints(false, layout(VALID, 5).setNumBuffers(2)), "2 value buffers, expected 1");
    assertRefused(
        ints(false, layout(VALID, 5).setValueCompression(flat(64))), "flat 64 for values of 32");
    assertRefused(
        ints(false, layout(VALID, 5).setValueCompression(flat(12))), "flat values of 12 bits");
    assertRefused(ints(false, layout(VALID, 5).setRepetitionIndexDepth(1)), "repetition");
    assertRefused(ints(false, layout(VALID, 5).setRepCompression(flat(16))), "repetition");
    assertRefused(ints(false, layout(VALID, 5).clearValueCompression()), "missing");
    assertRefused(
        ints(false, layout(VALID, 5).setNumDictionaryItems(-1)), "18446744073709551615 items");
    assertRefused(
        new TestPage("null", 5, page(layout(VALID, 5)), new byte[2], new byte[8]), "only nulls");
  }

  @Test
  void refusesByNameWhatIsNotSupportedYet() {
    assertUnsupported(
        new TestPage(
            "int32", 5, page(layout(VALID, 5).addLayers(RepDefLayer.REPDEF_NULLABLE_LIST))),
        "field 'x' of type int32, mini-block(flat 32)",
        "NULLABLE_LIST");
    CompressiveEncoding dictionary =
        CompressiveEncoding.newBuilder().setDictionary(Dictionary.getDefaultInstance()).build();
    assertUnsupported(
        new TestPage("int32", 5, page(layout(VALID, 5).setValueCompression(dictionary))),
        "dictionary",
        "mini-block");
    CompressiveEncoding later =
        CompressiveEncoding.newBuilder()
            .mergeUnknownFields(
                com.google.protobuf.UnknownFieldSet.newBuilder()
                    .addField(
                        15,
                        com.google.protobuf.UnknownFieldSet.Field.newBuilder()
                            .addLengthDelimited(ByteString.EMPTY)
                            .build())
                    .build())
            .build();
    assertUnsupported(
        new TestPage("int32", 5, page(layout(VALID, 5).setValueCompression(later))), "encoding 15");
  }

  @Test
  void refusesChunkTablesThatDoNotAddUp() {
    byte[] chunk = new Bytes().u16(0, 8).pad().u32(1, 2).done();
    assertRefused(
        table(new Bytes().u16(word(24, 1)), chunk), "chunks of 24 bytes in a buffer of 16");
    assertRefused(table(new Bytes().u8(1), chunk), "chunk words of 2 bytes in 1");
    assertRefused(table(new Bytes(), chunk), "chunk words of 2 bytes in 0");
    assertRefused(
        table(new Bytes().u16(word(8, 1), word(8, 0)), chunk), "2 values before the last of 2");
    TestPage many =
        new TestPage(
            "int32",
            70_000,
            page(layout(VALID, 70_000)),
            new Bytes().u16(word(16, 0)).done(),
            chunk);
    assertRefused(many, "70000 in all");
  }

  private static TestPage table(Bytes words, byte[] chunk) {
    return new TestPage("int32", 2, page(layout(VALID, 2)), words.done(), chunk);
  }

  @Test
  void readsLevelsAndRefusesWrongOnes() throws IOException {
    MiniBlockLayout.Builder layout = layout(NULLABLE, 3).setDefCompression(flat(16));
    assertThat(levels(layout, 3, 0, 1, 0).readAll()).containsExactly(7, null, 9);
    assertThat(levels(layout, 3, 0, 1, 0).take(1, 2)).containsExactly(null, 9);
    assertRefused(levels(layout, 3, 0, 2, 0), "level 2, the page's layers allow 1");
    assertRefused(levels(layout, 3, 0, 0xFFFF, 0), "level 65535");
    assertRefused(levels(layout, 2, 0, 1, 0), "chunk of 2 levels");
    MiniBlockLayout.Builder valid = layout(VALID, 3).setDefCompression(flat(16));
    assertThat(levels(valid, 3, 0, 0, 0).readAll()).containsExactly(7, 8, 9);
    assertRefused(levels(valid, 3, 0, 1, 0), "level 1, the page's layers allow 0");
  }

  private static TestPage levels(MiniBlockLayout.Builder layout, int count, int... levels) {
    byte[] chunk = new Bytes().u16(count, 6, 12).pad().u16(levels).pad().u32(7, 8, 9).pad().done();
    return new TestPage("int32", 3, page(layout), new Bytes().u16(word(32, 0)).done(), chunk);
  }

  @Test
  void refusesBuffersOutsideTheChunk() {
    byte[] words = new Bytes().u16(word(16, 0)).done();
    for (int size : new int[] {9, 16, 0xFFFF}) {
      byte[] chunk = new Bytes().u16(0, size).pad().u32(1, 2).done();
      assertRefused(
          new TestPage("int32", 2, page(layout(VALID, 2)), words, chunk),
          "buffer of " + size + " bytes at 8 of a chunk of 16");
    }
    byte[] chunk = new Bytes().u16(0).u32(-1).pad().u32(1, 2).done();
    assertRefused(
        new TestPage(
            "int32",
            2,
            page(layout(VALID, 2).setHasLargeChunk(true)),
            new Bytes().u32(word(16, 0)).done(),
            chunk),
        "buffer of 4294967295 bytes");
  }

  @Test
  void ignoresWhatRunsHoldPastTheChunk() throws IOException {
    CompressiveEncoding rle =
        CompressiveEncoding.newBuilder()
            .setRle(Rle.newBuilder().setValues(flat(32)).setRunLengths(flat(8)))
            .build();
    byte[] chunk = new Bytes().u16(0, 8, 2).pad().u32(5, 6).u8(3, 255).pad().done();
    TestPage page =
        new TestPage(
            "uint32",
            5,
            page(layout(VALID, 5).setValueCompression(rle).setNumBuffers(2)),
            new Bytes().u16(word(24, 0)).done(),
            chunk);
    assertThat(page.readAll()).containsExactly(5, 5, 5, 6, 6);
    assertThat(page.take(2, 3)).containsExactly(5, 6);
  }

  @Test
  void readsValidityOfItemsInNestedLists() throws IOException {
    CompressiveEncoding inner = list(3, true, flat(32));
    CompressiveEncoding outer = list(2, true, inner);
    // two rows of two lists of three items: 4 list bits, 12 item bits
    byte[] chunk =
        new Bytes()
            .u16(0, 1, 2, 48)
            .pad()
            .u8(0b1101)
            .pad()
            .u16(0b1101_1111_1110)
            .pad()
            .u32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
            .done();
    TestPage page =
        new TestPage(
            "fixed_size_list:fixed_size_list:int32:3:2",
            2,
            page(layout(VALID, 2).setValueCompression(outer).setNumBuffers(3)),
            new Bytes().u16(word(chunk.length, 0)).done(),
            chunk);
    List<Object> first = Arrays.asList(Arrays.asList(null, 1, 2), null);
    List<Object> second = Arrays.asList(Arrays.asList(6, 7, 8), Arrays.asList(null, 10, 11));
    assertThat(page.readAll()).containsExactly(first, second);
    assertThat(page.take(1)).containsExactly(second);
  }

  private static CompressiveEncoding list(
      int items, boolean hasValidity, CompressiveEncoding values) {
    return CompressiveEncoding.newBuilder()
        .setFixedSizeList(
            FixedSizeList.newBuilder()
                .setItemsPerValue(items)
                .setHasValidity(hasValidity)
                .setValues(values))
        .build();
  }

  @Test
  void refusesListsOfAnotherSize() {
    assertRefused(
        new TestPage(
            "fixed_size_list:int32:3",
            1,
            page(layout(VALID, 1).setValueCompression(list(2, false, flat(32))))),
        "fixed-size-list(2, flat 32) for lists of 3 items");
  }

  @Test
  void readsByteStringsAndRefusesWrongOffsets() throws IOException {
    assertThat(strings(32, 12, 14, 14).readAll()).containsExactly("ab", "");
    assertThat(strings(64, 24, 24, 27).readAll()).containsExactly("", "abc");
    assertThat(strings(32, 12, 14, 15).take(1)).containsExactly("c");
    assertRefused(strings(32, 11, 14, 14), "first offset 11, expected at least 12");
    assertRefused(strings(32, 12, 15, 14), "offset 14 of value 2 is below 15");
    assertRefused(strings(32, 12, 13, 1000), "offset 1000 exceeds");
    assertRefused(strings(32, 12, -1, 14), "offset -1 of value 1");
    assertRefused(strings(64, 24, 25, 1L << 32), "offset 4294967296 of value 2");
  }

  private static TestPage strings(int bits, long... offsets) {
    Bytes values = new Bytes();
    for (long offset : offsets) {
      if (bits == 32) {
        values.u32((int) offset);
      } else {
        values.u64(offset);
      }
    }
    values.text("abc").u8(0x48);
    byte[] chunk = new Bytes().u16(0, values.size()).pad().raw(values.done()).pad().done();
    return new TestPage(
        "string",
        2,
        page(layout(VALID, 2).setValueCompression(variable(bits))),
        new Bytes().u16(word(chunk.length, 0)).done(),
        chunk);
  }

  @Test
  void looksUpDictionariesInBothFramings() throws IOException {
    byte[] current = new Bytes().u32(32, 20, 0, 1, 3).text("abb").done();
    assertThat(dictionary(2, current, 0, 1, 1).readAll()).containsExactly("a", "bb", "bb");
    assertThat(dictionary(2, current, 0, 1, 1).take(0, 2)).containsExactly("a", "bb");
    byte[] old = new Bytes().u8(32).u32(2, 21, 0, 1, 3).text("abb").done();
    assertThat(dictionary(2, old, 1, 0, 1).readAll()).containsExactly("bb", "a", "bb");
  }

  @Test
  void refusesIndicesPastTheDictionaryUnlessTheRowIsNull() throws IOException {
    byte[] words = new Bytes().u32(32, 20, 0, 1, 3).text("abb").done();
    assertRefused(dictionary(2, words, 0, 2, 1), "index 2 of value 1 in a dictionary of 2");
    assertRefused(dictionary(2, words, -1, 0, 1), "index 4294967295");
    byte[] chunk = new Bytes().u16(3, 6, 12).pad().u16(0, 1, 0).pad().u32(1, 77, 0).pad().done();
    TestPage page =
        new TestPage(
            "string",
            3,
            page(
                layout(NULLABLE, 3)
                    .setDefCompression(flat(16))
                    .setDictionary(variable(32))
                    .setNumDictionaryItems(2)),
            new Bytes().u16(word(chunk.length, 0)).done(),
            chunk,
            words);
    assertThat(page.readAll()).containsExactly("bb", null, "a");
    assertThat(page.take(1, 2)).containsExactly(null, "a");
  }

  @Test
  void refusesDictionariesThatDoNotFitTheirBytes() {
    byte[] words = new Bytes().u32(32, 20, 0, 1, 3).text("abb").done();
    assertRefused(dictionary(3, words, 0, 0, 0), "dictionary: block of byte strings");
    assertRefused(dictionary(1 << 30, words, 0, 0, 0), "dictionary: block of byte strings");
    assertRefused(dictionary(2, new byte[3], 0, 0, 0), "dictionary: 3 bytes for 2 byte strings");
    byte[] wrongWidth = new Bytes().u32(33, 20, 0, 1, 3).text("abb").done();
    assertRefused(dictionary(2, wrongWidth, 0, 0, 0), "offsets of 33 bits");
    CompressiveEncoding constant =
        CompressiveEncoding.newBuilder()
            .setConstant(Constant.newBuilder().setValue(ByteString.copyFrom(new byte[4])))
            .build();
    TestPage endless =
        new TestPage(
            "int32",
            1,
            page(layout(VALID, 1).setDictionary(constant).setNumDictionaryItems(1 << 30)),
            new Bytes().u16(word(16, 0)).done(),
            new Bytes().u16(0, 4).pad().u32(0).pad().done(),
            new byte[0]);
    assertRefused(endless, "1073741824 values in a block");
  }

  private static TestPage dictionary(int items, byte[] words, int... indices) {
    byte[] chunk = new Bytes().u16(0, 12).pad().u32(indices).pad().done();
    return new TestPage(
        "string",
        3,
        page(layout(VALID, 3).setDictionary(variable(32)).setNumDictionaryItems(items)),
        new Bytes().u16(word(chunk.length, 0)).done(),
        chunk,
        words);
  }

  private static void assertRefused(TestPage page, String message) {
    assertThatThrownBy(page::readAll)
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining(message);
  }

  private static void assertUnsupported(TestPage page, String... messages) {
    assertThatThrownBy(page::readAll)
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContainingAll(messages);
  }
}
