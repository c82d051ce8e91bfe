package dev.narwhal.lance.datafile.layout;

import static dev.narwhal.lance.datafile.layout.TestPage.flat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.datafile.layout.TestPage.Bytes;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.proto.encodings21.CompressiveEncoding;
import dev.narwhal.lance.proto.encodings21.ConstantLayout;
import dev.narwhal.lance.proto.encodings21.PageLayout;
import dev.narwhal.lance.proto.encodings21.RepDefLayer;
import dev.narwhal.lance.proto.encodings21.Rle;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ConstantPageTest {
  private static final byte[] NONE = new byte[0];

  private static ConstantLayout.Builder layout() {
    return ConstantLayout.newBuilder().addLayers(RepDefLayer.REPDEF_NULLABLE_ITEM);
  }

  private static ConstantLayout.Builder inline(int... bytes) {
    return layout().setInlineValue(ByteString.copyFrom(new Bytes().u8(bytes).done()));
  }

  private static PageLayout page(ConstantLayout.Builder layout) {
    return PageLayout.newBuilder().setConstantLayout(layout).build();
  }

  @Test
  void isAllNullWithoutAValueWhateverTheLevels() throws IOException {
    assertThat(new TestPage("int32", 2, page(layout())).readAll()).containsExactly(null, null);
    TestPage withLevels =
        new TestPage("string", 2, page(layout()), NONE, new Bytes().u16(1, 1).done());
    assertThat(withLevels.readAll()).containsExactly(null, null);
    assertThat(withLevels.take(1)).containsExactly((Object) null);
    assertThat(new TestPage("null", 2, page(layout())).readAll()).containsExactly(null, null);
  }

  @Test
  void repeatsInlineValues() throws IOException {
    assertThat(new TestPage("int32", 3, page(inline(7, 0, 0, 0))).readAll())
        .containsExactly(7, 7, 7);
    assertThat(new TestPage("bool", 2, page(inline(1))).readAll()).containsExactly(true, true);
    assertThat(new TestPage("int16", 9, page(inline(7, 1))).take(0, 8))
        .containsExactly((short) 263, (short) 263);
  }

  @Test
  void readsLevelsRawOrCompressed() throws IOException {
    byte[] levels = new Bytes().u16(0, 1, 1, 0, 0).done();
    TestPage raw = new TestPage("int8", 5, page(inline(7)), NONE, levels);
    CompressiveEncoding rle =
        CompressiveEncoding.newBuilder()
            .setRle(Rle.newBuilder().setValues(flat(16)).setRunLengths(flat(8)))
            .build();
    TestPage compressed =
        new TestPage(
            "int8",
            5,
            page(inline(7).setDefCompression(rle).setNumDefValues(5)),
            NONE,
            new Bytes().u64(6).u16(0, 1, 0).u8(1, 2, 9).done());
    for (TestPage page : new TestPage[] {raw, compressed}) {
      assertThat(page.readAll()).containsExactly((byte) 7, null, null, (byte) 7, (byte) 7);
      assertThat(page.read(2, 2)).containsExactly(null, (byte) 7);
      assertThat(page.take(0, 1, 4)).containsExactly((byte) 7, null, (byte) 7);
    }
    TestPage none = new TestPage("int8", 2, page(inline(7)), NONE, NONE);
    assertThat(none.readAll()).containsExactly((byte) 7, (byte) 7);
  }

  @Test
  void takesLevelsThatAreFarApart() throws IOException {
    short[] levels = new short[20_000];
    levels[19_999] = 1;
    Bytes bytes = new Bytes();
    for (short level : levels) {
      bytes.u16(level);
    }
    TestPage page = new TestPage("int8", 20_000, page(inline(7)), NONE, bytes.done());
    assertThat(page.take(3, 10_000, 19_999)).containsExactly((byte) 7, (byte) 7, null);
  }

  @Test
  void readsValuesFromABuffer() throws IOException {
    byte[] hello = new Bytes().u32(2, 8, 5, 0, 5).text("hello").done();
    assertThat(new TestPage("string", 2, page(layout()), hello).readAll())
        .containsExactly("hello", "hello");
    byte[] wide = new Bytes().u32(2, 16, 5).u64(0, 5).text("hello").done();
    TestPage nulls =
        new TestPage("large_string", 2, page(layout()), wide, NONE, new Bytes().u16(1, 0).done());
    assertThat(nulls.readAll()).containsExactly(null, "hello");
    byte[] fixed = new byte[48];
    fixed[0] = 1;
    fixed[4] = 40;
    fixed[8] = 99;
    TestPage binary = new TestPage("fixed_size_binary:40", 1, page(layout()), fixed);
    assertThat((byte[]) binary.readAll().get(0)).hasSize(40).startsWith(99, 0);
  }

  @Test
  void refusesCombinationsThatMeanNothing() {
    assertRefused(new TestPage("int8", 1, page(inline(7)), NONE), "1 buffers and an inline value");
    assertRefused(
        new TestPage("int8", 1, page(layout()), NONE, NONE, NONE, NONE), "4 buffers and no inline");
    assertRefused(new TestPage("int16", 1, page(inline(7))), "inline value of 1 bytes");
    assertRefused(new TestPage("bool", 1, page(inline(2))), "inline value of 1 bytes");
    assertRefused(new TestPage("string", 1, page(inline(7))), "inline value");
    assertRefused(
        new TestPage("int8", 2, page(inline(7)), NONE, new byte[2]),
        "levels of 2 bytes for 2 rows");
    assertRefused(
        new TestPage("int8", 1, page(inline(7)), new byte[2], new byte[2]), "repetition levels");
    assertRefused(
        new TestPage("int8", 1, page(inline(7)), NONE, new Bytes().u16(2).done()), "level 2");
    assertRefused(
        new TestPage(
            "int8",
            2,
            page(inline(7).setDefCompression(flat(16)).setNumDefValues(3)),
            NONE,
            new byte[6]),
        "3 levels for 2 rows");
  }

  @Test
  void refusesValueBuffersThatDoNotAddUp() {
    assertRefused(value("string", new byte[3]), "value of -1 buffers");
    assertRefused(value("string", new Bytes().u32(3).done()), "value of 3 buffers");
    assertRefused(value("string", new Bytes().u32(2, 8).done()), "value buffer of 8 bytes");
    assertRefused(value("string", new Bytes().u32(2, 8, -1, 0, 5).done()), "parts take");
    assertRefused(value("string", new Bytes().u32(2, 8, 1, 0, 2).u8(1).done()), "value in [0, 2)");
    assertRefused(value("string", new Bytes().u32(2, 8, 1, -1, 1).u8(1).done()), "value in [-1");
    assertRefused(value("int32", new Bytes().u32(1, 3).u8(1, 2, 3).done()), "the first of 3");
    assertThatThrownBy(
            value("fixed_size_list:int8:2", new Bytes().u32(1, 2).u8(1, 2).done())::readAll)
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("constant");
  }

  private static TestPage value(String type, byte[] buffer) {
    return new TestPage(type, 1, page(layout()), buffer);
  }

  private static void assertRefused(TestPage page, String message) {
    assertThatThrownBy(page::readAll)
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining(message);
  }
}
