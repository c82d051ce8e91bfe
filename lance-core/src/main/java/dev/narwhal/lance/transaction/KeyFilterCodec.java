package dev.narwhal.lance.transaction;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.proto.table.Transaction.KeyExistenceFilter;
import dev.narwhal.lance.schema.UnknownFieldsCodec;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Looks into the filters of inserted keys. Source: table format sheet 6.5. */
public final class KeyFilterCodec {
  private KeyFilterCodec() {}

  /**
   * The filter of an update.
   *
   * @param fieldIds of the key columns, in the order in which keys were made
   */
  public static Operation.KeyFilter encode(List<Integer> fieldIds, KeyBloom keys) {
    KeyExistenceFilter filter =
        KeyExistenceFilter.newBuilder()
            .setBloom(
                KeyExistenceFilter.BloomFilter.newBuilder()
                    .setBitmap(ByteString.copyFrom(keys.toByteArray()))
                    .setNumBits(KeyBloom.SIZE_BYTES * Byte.SIZE)
                    .setNumberOfItems(KeyBloom.ITEMS)
                    .setProbability(KeyBloom.PROBABILITY))
            .build();
    return new Operation.KeyFilter(fieldIds, UnknownFieldsCodec.keep(filter));
  }

  /**
   * Whether two updates may have inserted one key. False only when it is certain: filters over
   * different columns, of different kinds or shapes cannot be compared. Two Bloom filters of one
   * shape have no key in common when no bit is set in both, however a key's bits are chosen.
   */
  static boolean mayShareKeys(Operation.KeyFilter ours, Operation.KeyFilter theirs) {
    KeyExistenceFilter first = decode(ours);
    KeyExistenceFilter second = decode(theirs);
    if (!ours.fieldIds().equals(theirs.fieldIds())) {
      return true;
    }
    if (first.hasExact() && second.hasExact()) {
      Set<Long> hashes = new HashSet<>(first.getExact().getKeyHashesList());
      return second.getExact().getKeyHashesList().stream().anyMatch(hashes::contains);
    }
    return !first.hasBloom()
        || !second.hasBloom()
        || shareBits(first.getBloom(), second.getBloom());
  }

  private static boolean shareBits(
      KeyExistenceFilter.BloomFilter first, KeyExistenceFilter.BloomFilter second) {
    int bytes = first.getBitmap().size();
    if (first.getNumBits() != second.getNumBits()
        || bytes != second.getBitmap().size()
        || first.getNumberOfItems() != second.getNumberOfItems()) {
      return true;
    }
    for (int i = 0; i < bytes; i++) {
      if ((first.getBitmap().byteAt(i) & second.getBitmap().byteAt(i)) != 0) {
        return true;
      }
    }
    return false;
  }

  private static KeyExistenceFilter decode(Operation.KeyFilter filter) {
    return UnknownFieldsCodec.restore(KeyExistenceFilter.newBuilder(), filter.keys()).build();
  }
}
