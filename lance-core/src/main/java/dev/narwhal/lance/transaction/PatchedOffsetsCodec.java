package dev.narwhal.lance.transaction;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.deletion.BitmapCodec;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.proto.table.Transaction;
import dev.narwhal.lance.proto.table.Transaction.UInt32List;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.schema.UnknownFieldsCodec;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The row offsets that an update patched in place, by fragment. Source: table format sheet 6.4.
 *
 * <pre>
 * Update field 9    map fragment id -> packed u32 offsets             Lance up to 7.0.0
 * Update field 10   map fragment id -> portable 32-bit Roaring bytes  newer writers, and this one
 * </pre>
 *
 * <p>Field 10 is read where it holds anything, else field 9. Bitmaps are written with run
 * containers: 86,000 offsets in a row are some 20 bytes.
 */
public final class PatchedOffsetsCodec {
  private static final long MAX_ROWS = 1L << 32;

  private PatchedOffsetsCodec() {}

  /**
   * The offsets, by fragment id; fragments without any are left out.
   *
   * @throws LanceFormatException when a bitmap cannot be decoded: that is not "no offsets"
   */
  public static Map<Long, DeletionVector> decode(Operation.Update operation) {
    Transaction.Update message =
        UnknownFieldsCodec.restore(Transaction.Update.newBuilder(), operation.unknown()).build();
    Map<Long, DeletionVector> offsets = new HashMap<>();
    if (message.getUpdatedFragmentOffsetBitmapsCount() > 0) {
      message
          .getUpdatedFragmentOffsetBitmapsMap()
          .forEach((fragment, bytes) -> offsets.put(fragment, decode(fragment, bytes)));
    } else {
      message
          .getUpdatedFragmentOffsetsMap()
          .forEach((fragment, list) -> offsets.put(fragment, decode(list)));
    }
    offsets.values().removeIf(DeletionVector::isEmpty);
    return offsets;
  }

  private static DeletionVector decode(UInt32List list) {
    int[] offsets = new int[list.getValuesCount()];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = list.getValues(i);
    }
    return DeletionVector.ofOffsets(offsets);
  }

  private static DeletionVector decode(long fragment, ByteString bytes) {
    try {
      return BitmapCodec.decode(bytes.asReadOnlyByteBuffer(), MAX_ROWS);
    } catch (LanceFormatException e) {
      throw e.in("updated offsets of fragment " + Long.toUnsignedString(fragment));
    }
  }

  /** The part of an Update that tells the offsets: field 10, and field 9 left empty. */
  public static UnknownFields encode(Map<Long, DeletionVector> offsets) {
    Transaction.Update.Builder message = Transaction.Update.newBuilder();
    new TreeMap<>(offsets)
        .forEach(
            (fragment, rows) -> {
              if (!rows.isEmpty()) {
                message.putUpdatedFragmentOffsetBitmaps(
                    fragment, ByteString.copyFrom(BitmapCodec.encodeWithRuns(rows)));
              }
            });
    return UnknownFieldsCodec.keep(message.build());
  }

  /** Field 9 alone, for readers of Lance 7.0.0 and before: four bytes or so for each row. */
  public static UnknownFields encodeAsLists(Map<Long, DeletionVector> offsets) {
    Transaction.Update.Builder message = Transaction.Update.newBuilder();
    new TreeMap<>(offsets)
        .forEach(
            (fragment, rows) -> {
              if (!rows.isEmpty()) {
                UInt32List.Builder list = UInt32List.newBuilder();
                rows.forEach(list::addValues);
                message.putUpdatedFragmentOffsets(fragment, list.build());
              }
            });
    return UnknownFieldsCodec.keep(message.build());
  }
}
