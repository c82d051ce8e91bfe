package dev.narwhal.lance.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.proto.table.Transaction.UInt32List;
import dev.narwhal.lance.proto.table.Transaction.Update;
import dev.narwhal.lance.schema.UnknownFields;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

class PatchedOffsetsCodecTest {
  private static final DeletionVector FEW = DeletionVector.ofOffsets(0, 7, -1);

  private static Operation.Update update(UnknownFields told) {
    return new Operation.Update(
        List.of(),
        List.of(),
        List.of(),
        List.of(3),
        List.of(),
        Operation.UpdateMode.REWRITE_COLUMNS,
        List.of(),
        Optional.empty(),
        told);
  }

  private static Operation.Update update(Update.Builder message) {
    return update(UnknownFields.of(message.build().toByteArray()));
  }

  /** As it is in a transaction file, and back. */
  private static Operation.Update throughBytes(Operation.Update operation) {
    ByteBuffer bytes = TransactionCodec.encode(Transaction.of(1, operation));
    return (Operation.Update) TransactionCodec.decode(bytes).operation();
  }

  private static Update message(UnknownFields told) throws Exception {
    return Update.parseFrom(told.toByteArray());
  }

  @Test
  void writesFieldTenAndReadsItBack() throws Exception {
    Map<Long, DeletionVector> offsets =
        Map.of(3L, FEW, 0xFFFF_FFFFL, DeletionVector.ofOffsets(1), 5L, DeletionVector.empty());
    UnknownFields told = PatchedOffsetsCodec.encode(offsets);
    assertThat(message(told).getUpdatedFragmentOffsetsMap()).isEmpty();
    assertThat(message(told).getUpdatedFragmentOffsetBitmapsMap())
        .containsOnlyKeys(3L, 0xFFFF_FFFFL);
    assertThat(PatchedOffsetsCodec.decode(throughBytes(update(told))))
        .isEqualTo(Map.of(3L, FEW, 0xFFFF_FFFFL, DeletionVector.ofOffsets(1)));
  }

  @Test
  void readsFieldNineAlone() throws Exception {
    UnknownFields told = PatchedOffsetsCodec.encodeAsLists(Map.of(3L, FEW));
    assertThat(message(told).getUpdatedFragmentOffsetBitmapsMap()).isEmpty();
    assertThat(PatchedOffsetsCodec.decode(throughBytes(update(told)))).isEqualTo(Map.of(3L, FEW));
    UInt32List unsorted = UInt32List.newBuilder().addValues(9).addValues(2).addValues(9).build();
    assertThat(
            PatchedOffsetsCodec.decode(
                update(Update.newBuilder().putUpdatedFragmentOffsets(1, unsorted))))
        .isEqualTo(Map.of(1L, DeletionVector.ofOffsets(2, 9)));
  }

  @Test
  void fieldTenTakesPrecedenceAsAWhole() {
    UInt32List legacy = UInt32List.newBuilder().addValues(100).build();
    Update.Builder both =
        Update.newBuilder()
            .putUpdatedFragmentOffsets(3, legacy)
            .putUpdatedFragmentOffsets(4, legacy)
            .putUpdatedFragmentOffsetBitmaps(3, bytes(DeletionVector.ofOffsets(7)));
    assertThat(PatchedOffsetsCodec.decode(update(both)))
        .isEqualTo(Map.of(3L, DeletionVector.ofOffsets(7)));
  }

  private static ByteString bytes(DeletionVector rows) {
    return ByteString.copyFrom(rows.toPortableBytes());
  }

  @Test
  void garbageIsAnErrorAndNotNoOffsets() {
    byte[] good = bytes(DeletionVector.ofOffsets(1, 2, 70_000)).toByteArray();
    for (int length = 0; length < good.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(good, length);
      assertRefused(cut);
    }
    byte[] longer = java.util.Arrays.copyOf(good, good.length + 1);
    assertRefused(longer);
    assertRefused(HexFormat.of().parseHex("ffffffffffffffff"));
    Random random = new Random(7);
    for (int i = 0; i < 1000; i++) {
      byte[] noise = new byte[random.nextInt(40)];
      random.nextBytes(noise);
      assertRefused(noise);
    }
  }

  private static void assertRefused(byte[] bytes) {
    Update.Builder message =
        Update.newBuilder().putUpdatedFragmentOffsetBitmaps(3, ByteString.copyFrom(bytes));
    assertThatThrownBy(() -> PatchedOffsetsCodec.decode(update(message)))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("updated offsets of fragment 3");
  }

  /** O49: a dense rewrite does not cost four bytes a row. */
  @Test
  void manyOffsetsInARowAreFewBytesO49() throws Exception {
    RoaringBitmap dense = new RoaringBitmap();
    dense.add(0L, 86_000L);
    UnknownFields told = PatchedOffsetsCodec.encode(Map.of(0L, DeletionVector.of(dense)));
    assertThat(told.toByteArray().length).isLessThan(100);
    assertThat(PatchedOffsetsCodec.decode(throughBytes(update(told))))
        .isEqualTo(Map.of(0L, DeletionVector.of(dense)));
  }

  @Test
  void nothingToTellIsNothing() {
    assertThat(PatchedOffsetsCodec.encode(Map.of())).isEqualTo(UnknownFields.none());
    assertThat(PatchedOffsetsCodec.decode(update(UnknownFields.none()))).isEmpty();
  }
}
