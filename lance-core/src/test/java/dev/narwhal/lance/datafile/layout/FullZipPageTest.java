package dev.narwhal.lance.datafile.layout;

import static dev.narwhal.lance.datafile.layout.TestPage.flat;
import static dev.narwhal.lance.datafile.layout.TestPage.variable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.datafile.layout.TestPage.Bytes;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.proto.encodings21.BufferCompression;
import dev.narwhal.lance.proto.encodings21.CompressionScheme;
import dev.narwhal.lance.proto.encodings21.CompressiveEncoding;
import dev.narwhal.lance.proto.encodings21.Constant;
import dev.narwhal.lance.proto.encodings21.FixedSizeList;
import dev.narwhal.lance.proto.encodings21.FullZipLayout;
import dev.narwhal.lance.proto.encodings21.General;
import dev.narwhal.lance.proto.encodings21.PageLayout;
import dev.narwhal.lance.proto.encodings21.RepDefLayer;
import io.airlift.compress.zstd.ZstdCompressor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FullZipPageTest {
  private static FullZipLayout.Builder layout(RepDefLayer layer, int rows) {
    return FullZipLayout.newBuilder()
        .setBitsDef(layer == RepDefLayer.REPDEF_NULLABLE_ITEM ? 1 : 0)
        .setNumItems(rows)
        .setNumVisibleItems(rows)
        .addLayers(layer);
  }

  private static FullZipLayout.Builder nullable(int rows) {
    return layout(RepDefLayer.REPDEF_NULLABLE_ITEM, rows);
  }

  private static PageLayout page(FullZipLayout.Builder layout) {
    return PageLayout.newBuilder().setFullZipLayout(layout).build();
  }

  @Test
  void readsFixedWidthWithoutLevelsAsAFlatArray() throws IOException {
    FullZipLayout.Builder layout =
        layout(RepDefLayer.REPDEF_ALL_VALID_ITEM, 4)
            .setBitsPerValue(32)
            .setValueCompression(flat(32));
    TestPage page = new TestPage("int32", 4, page(layout), new Bytes().u32(1, 2, 3, 4).done());
    assertThat(page.readAll()).containsExactly(1, 2, 3, 4);
    assertThat(page.read(1, 2)).containsExactly(2, 3);
    assertThat(page.take(0, 3)).containsExactly(1, 4);
  }

  private static TestPage booleans(int... values) {
    Bytes bytes = new Bytes();
    for (int value : values) {
      bytes.u8(value < 0 ? 1 : 0).u8(Math.max(value, 0));
    }
    FullZipLayout.Builder layout =
        nullable(values.length).setBitsPerValue(8).setValueCompression(flat(8));
    return new TestPage("bool", values.length, page(layout), bytes.done());
  }

  @Test
  void readsBooleansOfAByteEach() throws IOException {
    TestPage page = booleans(1, 0, -1, 1, 1, 0, 0, 1, 0, -1, 1);
    assertThat(page.readAll())
        .containsExactly(true, false, null, true, true, false, false, true, false, null, true);
    assertThat(page.take(0, 9, 10)).containsExactly(true, null, true);
  }

  @Test
  void rejectsBooleansOtherThan0And1() {
    assertThatThrownBy(() -> booleans(1, 2).readAll())
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("booleans");
  }

  @Test
  void comparesWidthsThatExceedAnIntegerOfBits() {
    FullZipLayout.Builder layout = nullable(1).setBitsPerValue(128).setValueCompression(flat(128));
    TestPage page =
        new TestPage("fixed_size_binary:536870912", 1, page(layout), new Bytes().u8(0).done());
    assertThatThrownBy(page::open)
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("flat 128 for values of 4294967296 bits");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 9, 17, 32})
  void readsControlWordsOfEachWidth(int definitionBits) throws IOException {
    FullZipLayout.Builder layout =
        nullable(3).setBitsDef(definitionBits).setBitsPerValue(16).setValueCompression(flat(16));
    Bytes bytes = new Bytes();
    for (int[] row : new int[][] {{0, 5}, {1, 6}, {0, 7}}) {
      if (definitionBits <= 8) {
        bytes.u8(row[0]);
      } else if (definitionBits <= 16) {
        bytes.u16(row[0]);
      } else {
        bytes.u32(row[0]);
      }
      bytes.u16(row[1]);
    }
    TestPage page = new TestPage("int16", 3, page(layout), bytes.done());
    assertThat(page.readAll()).containsExactly((short) 5, null, (short) 7);
    assertThat(page.take(1, 2)).containsExactly(null, (short) 7);
  }

  @Test
  void readsValidityOfItemsInNestedLists() throws IOException {
    CompressiveEncoding inner = list(3, flat(8));
    CompressiveEncoding outer = list(2, inner);
    FullZipLayout.Builder layout =
        nullable(3).setBitsPerValue(8 * (1 + 1 + 6)).setValueCompression(outer);
    byte[] bytes =
        new Bytes()
            .u8(0, 0b01, 0b111_101, 0, 1, 2, 3, 4, 5)
            .u8(1, 0, 0, 0, 0, 0, 0, 0, 0)
            .u8(0, 0b11, 0b011_111, 6, 7, 8, 9, 10, 11)
            .done();
    TestPage page =
        new TestPage("fixed_size_list:fixed_size_list:int8:3:2", 3, page(layout), bytes);
    List<Object> first = Arrays.asList(Arrays.asList((byte) 0, null, (byte) 2), null);
    List<Object> last =
        Arrays.asList(
            Arrays.asList((byte) 6, (byte) 7, (byte) 8), Arrays.asList((byte) 9, (byte) 10, null));
    assertThat(page.readAll()).containsExactly(first, null, last);
    assertThat(page.take(0, 2)).containsExactly(first, last);
  }

  @Test
  void readsListsWhoseItemsAreAllNull() throws IOException {
    CompressiveEncoding nulls =
        CompressiveEncoding.newBuilder().setConstant(Constant.getDefaultInstance()).build();
    List<Object> two = Arrays.asList(null, null);
    TestPage some =
        new TestPage(
            "fixed_size_list:int64:2",
            3,
            page(nullable(3).setBitsPerValue(0).setValueCompression(nulls)),
            new Bytes().u8(1, 0, 0).done());
    assertThat(some.readAll()).containsExactly(null, two, two);
    assertThat(some.take(0, 2)).containsExactly(null, two);
    FullZipLayout.Builder withoutLevels =
        layout(RepDefLayer.REPDEF_ALL_VALID_ITEM, 2).setBitsPerValue(0).setValueCompression(nulls);
    TestPage none =
        new TestPage(
            "fixed_size_list:fixed_size_list:bool:3:2", 2, page(withoutLevels), new byte[0]);
    assertThat(none.readAll()).containsExactly(two, two);
    assertThat(none.take(1)).containsExactly(two);
  }

  private static CompressiveEncoding list(int items, CompressiveEncoding values) {
    return CompressiveEncoding.newBuilder()
        .setFixedSizeList(
            FixedSizeList.newBuilder()
                .setItemsPerValue(items)
                .setHasValidity(true)
                .setValues(values))
        .build();
  }

  @Test
  void readsConstantValuesFromTheMessage() throws IOException {
    CompressiveEncoding nine =
        CompressiveEncoding.newBuilder()
            .setConstant(
                Constant.newBuilder().setValue(ByteString.copyFrom(new byte[] {9, 0, 0, 0})))
            .build();
    FullZipLayout.Builder layout = nullable(3).setBitsPerValue(0).setValueCompression(nine);
    TestPage page = new TestPage("int32", 3, page(layout), new Bytes().u8(0, 1, 0).done());
    assertThat(page.readAll()).containsExactly(9, null, 9);
  }

  @Test
  void refusesFixedWidthThatDoesNotAddUp() {
    FullZipLayout.Builder layout = nullable(2).setBitsPerValue(32).setValueCompression(flat(32));
    byte[] ten = new byte[10];
    assertRefused(new TestPage("int32", 2, page(layout), new byte[9]), "9 data bytes, expected 10");
    assertRefused(new TestPage("int64", 2, page(layout), ten), "flat 32 for values of 64 bits");
    assertRefused(new TestPage("int32", 3, page(layout), ten), "2 items, expected 3");
    assertRefused(
        new TestPage("int32", 2, page(nullable(2).setBitsPerValue(31)), ten), "whole bytes");
    assertRefused(
        new TestPage("int32", 2, page(layout.clone().setBitsPerValue(64)), ten),
        "64 value bits, expected 32");
    assertRefused(
        new TestPage("int32", 2, page(layout.clone().setBitsDef(33)), ten), "control words of 33");
    assertRefused(new TestPage("int32", 2, page(layout.clone().setBitsRep(1)), ten), "repetition");
    assertRefused(new TestPage("int32", 2, page(layout.clone().clearDetails()), ten), "neither");
    assertRefused(
        new TestPage(
            "int32",
            2,
            page(layout.clone().setBitsDef(2)),
            new byte[] {0, 0, 0, 0, 0, 3, 0, 0, 0, 0}),
        "level 3, the page's layers allow 1");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8})
  void readsByteStringsThroughAnIndexOfAnyWidth(int width) throws IOException {
    for (int lengthBits : new int[] {32, 64}) {
      TestPage page = strings(lengthBits, width);
      assertThat(page.readAll()).containsExactly("one", null, "", "four");
      assertThat(page.read(2, 2)).containsExactly("", "four");
      assertThat(page.take(0, 3)).containsExactly("one", "four");
      assertThat(page.take(1)).containsExactly((Object) null);
    }
  }

  private static TestPage strings(int lengthBits, int width) {
    Bytes data = new Bytes();
    Bytes index = new Bytes();
    for (String value : Arrays.asList("one", null, "", "four")) {
      entry(index, width, data.size());
      data.u8(value == null ? 1 : 0);
      if (value != null) {
        length(data, lengthBits, value.length());
        data.text(value);
      }
    }
    entry(index, width, data.size());
    FullZipLayout.Builder layout =
        nullable(4).setBitsPerOffset(lengthBits).setValueCompression(variable(lengthBits));
    return new TestPage("string", 4, page(layout), data.done(), index.done());
  }

  private static void length(Bytes data, int bits, int length) {
    if (bits == 32) {
      data.u32(length);
    } else {
      data.u64(length);
    }
  }

  private static void entry(Bytes index, int width, int position) {
    switch (width) {
      case 1 -> index.u8(position);
      case 2 -> index.u16(position);
      case 4 -> index.u32(position);
      default -> index.u64(position);
    }
  }

  @Test
  void decompressesValueByValue() throws IOException {
    CompressiveEncoding zstd =
        CompressiveEncoding.newBuilder()
            .setGeneral(
                General.newBuilder()
                    .setCompression(
                        BufferCompression.newBuilder()
                            .setScheme(CompressionScheme.COMPRESSION_ALGORITHM_ZSTD))
                    .setValues(variable(32)))
            .build();
    String longText = "narwhal ".repeat(5000);
    Bytes data = new Bytes();
    Bytes index = new Bytes();
    for (String value : Arrays.asList(longText, null, "x")) {
      index.u16(data.size());
      data.u8(value == null ? 1 : 0);
      if (value != null) {
        byte[] unit = zstd(value);
        data.u32(unit.length).raw(unit);
      }
    }
    index.u16(data.size());
    FullZipLayout.Builder layout = nullable(3).setBitsPerOffset(32).setValueCompression(zstd);
    TestPage page = new TestPage("string", 3, page(layout), data.done(), index.done());
    assertThat(page.readAll()).containsExactly(longText, null, "x");
    assertThat(page.take(2)).containsExactly("x");
  }

  private static byte[] zstd(String text) {
    byte[] plain = text.getBytes(StandardCharsets.UTF_8);
    ZstdCompressor compressor = new ZstdCompressor();
    byte[] frame = new byte[compressor.maxCompressedLength(plain.length)];
    int size = compressor.compress(plain, 0, plain.length, frame, 0, frame.length);
    return new Bytes().u64(plain.length).raw(Arrays.copyOf(frame, size)).done();
  }

  @Test
  void refusesAnIndexThatDoesNotFitTheData() {
    byte[] data = new Bytes().u32(1).text("a").u32(2).text("bb").done();
    assertRefused(zipped(data, new byte[7]), "index of 7 bytes for 2 rows");
    assertRefused(zipped(data, new byte[9]), "index of 9 bytes for 2 rows");
    assertRefused(
        zipped(data, new Bytes().u8(0, 5, 10).done()), "index from 0 to 10, expected 0 to 11");
    assertRefused(zipped(data, new Bytes().u8(1, 5, 11).done()), "index from 1 to 11");
    assertRefused(zipped(data, new Bytes().u8(0, 12, 11).done()), "row position 12 after 0");
    assertRefused(
        zipped(data, new Bytes().u8(0, 4, 11).done()), "value of 1 bytes in a row that has 0");
    assertRefused(zipped(data, new Bytes().u8(0, 3, 11).done()), "too short");
    assertRefused(
        zipped(data, new Bytes().u64(0, -1, 11).done()), "row position 18446744073709551615");
  }

  @Test
  void refusesBytesBehindANullRow() {
    FullZipLayout.Builder layout =
        nullable(1).setBitsPerOffset(32).setValueCompression(variable(32));
    assertRefused(
        new TestPage("string", 1, page(layout), new byte[] {1, 0}, new Bytes().u8(0, 2).done()),
        "null row of 2 bytes");
  }

  private static TestPage zipped(byte[] data, byte[] index) {
    FullZipLayout.Builder layout =
        layout(RepDefLayer.REPDEF_ALL_VALID_ITEM, 2)
            .setBitsPerOffset(32)
            .setValueCompression(variable(32));
    return new TestPage("string", 2, page(layout), data, index);
  }

  private static void assertRefused(TestPage page, String message) {
    assertThatThrownBy(page::readAll)
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining(message);
  }
}
