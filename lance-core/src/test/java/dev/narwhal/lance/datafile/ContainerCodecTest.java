package dev.narwhal.lance.datafile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import dev.narwhal.lance.datafile.page.ByteRange;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.proto.container.ColumnMetadata;
import dev.narwhal.lance.proto.container.ColumnMetadata.Page;
import dev.narwhal.lance.proto.container.DirectEncoding;
import dev.narwhal.lance.proto.container.Encoding;
import dev.narwhal.lance.proto.encodings20.Blob;
import dev.narwhal.lance.proto.encodings20.ColumnEncoding;
import dev.narwhal.lance.proto.encodings20.ZoneIndex;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class ContainerCodecTest {
  private static final long END = 1000;
  private static final ColumnEncoding VALUES =
      ColumnEncoding.newBuilder().setValues(Empty.getDefaultInstance()).build();

  @Test
  void decodesAColumn() {
    var column =
        decode(FileVersion.V2_1, column(VALUES, page().build(), page().setPriority(3).build()));
    assertThat(column.kind()).isEqualTo(dev.narwhal.lance.datafile.ColumnMetadata.Kind.VALUES);
    assertThat(column.pages()).hasSize(2);
    assertThat(column.pages().get(1).rows()).isEqualTo(3);
    assertThat(column.pages().get(1).buffers())
        .containsExactly(new ByteRange(0, 2), new ByteRange(64, 24));
    assertThat(column.pages().get(1).encoding()).isEqualTo(ByteString.copyFromUtf8("layout"));
  }

  @Test
  void comparesOnlyTheEndOfTypeUrls() {
    Page page =
        page().setEncoding(encoding("type.googleapis.com/lance.encodings21.PageLayout")).build();
    assertThat(decode(FileVersion.V2_2, column(VALUES, page)).pages()).hasSize(1);
  }

  @Test
  void looksThroughZoneIndexesAndKnowsBlobs() {
    ColumnEncoding blob =
        ColumnEncoding.newBuilder().setBlob(Blob.newBuilder().setInner(VALUES)).build();
    ColumnEncoding zones =
        ColumnEncoding.newBuilder().setZoneIndex(ZoneIndex.newBuilder().setInner(blob)).build();
    assertThat(decode(FileVersion.V2_0, column(zones)).kind())
        .isEqualTo(dev.narwhal.lance.datafile.ColumnMetadata.Kind.BLOB);
  }

  @Test
  void refusesPagesOfAnotherVersion() {
    assertRefused(FileVersion.V2_0, column(VALUES, page().build()), "expected ArrayEncoding");
    Page old = page().setEncoding(encoding("/lance.encodings.ArrayEncoding")).build();
    assertRefused(FileVersion.V2_1, column(VALUES, old), "expected PageLayout");
    assertThat(decode(FileVersion.V2_0, column(VALUES, old)).pages()).hasSize(1);
  }

  @Test
  void refusesBuffersThatAreNotInTheFile() {
    assertRefused(
        FileVersion.V2_1,
        column(VALUES, page().setBufferOffsets(1, 1024).build()),
        "page 0: 24 bytes at 1024 exceed");
    assertRefused(
        FileVersion.V2_1,
        column(VALUES, page().setBufferSizes(1, -1).build()),
        "18446744073709551615 bytes");
    assertRefused(
        FileVersion.V2_1,
        column(VALUES, page().setBufferOffsets(1, Long.MAX_VALUE - 63).build()),
        "exceed");
    assertRefused(
        FileVersion.V2_1,
        column(VALUES, page().addBufferSizes(1).build()),
        "2 buffer offsets but 3");
    assertRefused(
        FileVersion.V2_1, column(VALUES, page().setBufferOffsets(1, 65).build()), "multiple of 64");
  }

  @Test
  void refusesPagesOutOfOrder() {
    assertRefused(
        FileVersion.V2_1,
        column(VALUES, page().setPriority(3).build(), page().setPriority(2).build()),
        "page 1: first row 2 is below");
    assertRefused(FileVersion.V2_1, column(VALUES, page().setLength(-1).build()), "length");
  }

  @Test
  void refusesEncodingsThatAreNotInline() {
    ColumnMetadata column =
        ColumnMetadata.newBuilder()
            .setEncoding(Encoding.newBuilder().setNone(Empty.getDefaultInstance()))
            .build();
    assertThatThrownBy(() -> decode(FileVersion.V2_1, column))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("NONE");
  }

  @Test
  void refusesEndlessNesting() {
    ColumnEncoding encoding = VALUES;
    for (int i = 0; i < 90; i++) {
      encoding = ColumnEncoding.newBuilder().setBlob(Blob.newBuilder().setInner(encoding)).build();
    }
    assertRefused(FileVersion.V2_0, column(encoding), "column encoding is no valid message");
  }

  @Test
  void checksTableEntries() {
    ByteBuffer table = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
    table.putLong(10).putLong(20).putLong(990).putLong(10).flip();
    ContainerCodec codec = new ContainerCodec(FileVersion.V2_1, END);
    assertThat(codec.table(table)).containsExactly(new ByteRange(10, 20), new ByteRange(990, 10));
    table.putLong(24, 11);
    assertThatThrownBy(() -> codec.table(table)).isInstanceOf(LanceFormatException.class);
  }

  private static dev.narwhal.lance.datafile.ColumnMetadata decode(
      FileVersion version, ColumnMetadata column) {
    return new ContainerCodec(version, END).column(ByteBuffer.wrap(column.toByteArray()));
  }

  private static void assertRefused(FileVersion version, ColumnMetadata column, String message) {
    assertThatThrownBy(() -> decode(version, column))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining(message);
  }

  private static ColumnMetadata column(ColumnEncoding encoding, Page... pages) {
    ColumnMetadata.Builder column =
        ColumnMetadata.newBuilder()
            .setEncoding(any("/lance.encodings.ColumnEncoding", encoding.toByteString()));
    for (Page page : pages) {
      column.addPages(page);
    }
    return column.build();
  }

  private static Page.Builder page() {
    return Page.newBuilder()
        .addBufferOffsets(0)
        .addBufferSizes(2)
        .addBufferOffsets(64)
        .addBufferSizes(24)
        .setLength(3)
        .setEncoding(encoding("/lance.encodings21.PageLayout"));
  }

  private static Encoding encoding(String typeUrl) {
    return any(typeUrl, ByteString.copyFromUtf8("layout"));
  }

  private static Encoding any(String typeUrl, ByteString value) {
    Any any = Any.newBuilder().setTypeUrl(typeUrl).setValue(value).build();
    return Encoding.newBuilder()
        .setDirect(DirectEncoding.newBuilder().setEncoding(any.toByteString()))
        .build();
  }
}
