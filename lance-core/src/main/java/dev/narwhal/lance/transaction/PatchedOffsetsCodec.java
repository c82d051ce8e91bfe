package dev.narwhal.lance.transaction;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.proto.table.Transaction;
import dev.narwhal.lance.schema.UnknownFieldsCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import org.roaringbitmap.RoaringBitmap;

/**
 * The row offsets that an update patched in place, by fragment: field 9 of {@code Update} lists
 * them, field 10 of newer writers has them as portable Roaring bitmaps and wins. Source: table
 * format sheet 6.4.
 */
final class PatchedOffsetsCodec {
  private PatchedOffsetsCodec() {}

  /**
   * The offsets, by fragment id.
   *
   * @throws LanceFormatException when a bitmap cannot be decoded
   */
  static Map<Long, DeletionVector> decode(Operation.Update operation) {
    Transaction.Update message =
        UnknownFieldsCodec.restore(Transaction.Update.newBuilder(), operation.unknown()).build();
    Map<Long, DeletionVector> offsets = new HashMap<>();
    message
        .getUpdatedFragmentOffsetsMap()
        .forEach(
            (fragment, list) ->
                offsets.put(
                    fragment,
                    DeletionVector.ofOffsets(
                        list.getValuesList().stream().mapToInt(Integer::intValue).toArray())));
    message
        .getUpdatedFragmentOffsetBitmapsMap()
        .forEach((fragment, bytes) -> offsets.put(fragment, decode(fragment, bytes)));
    return offsets;
  }

  private static DeletionVector decode(long fragment, ByteString bytes) {
    ByteBuffer in = bytes.asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    RoaringBitmap bitmap = new RoaringBitmap();
    try {
      bitmap.deserialize(in);
    } catch (IOException | RuntimeException e) {
      // the library has no one exception for bytes that are no bitmap
      throw new LanceFormatException(
          "updated offsets of fragment " + fragment + " are no Roaring bitmap: " + e.getMessage(),
          e);
    }
    return DeletionVector.of(bitmap);
  }
}
