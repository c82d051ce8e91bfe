package dev.narwhal.lance.write.merge;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.fragment.RowAddress;
import java.util.HashMap;
import java.util.Map;
import org.roaringbitmap.RoaringBitmap;

/** Row addresses, as one bitmap for each fragment. One thread. */
final class AddressSet {
  private final Map<Long, RoaringBitmap> rows = new HashMap<>();
  private long lastFragment = -1;
  private RoaringBitmap last = new RoaringBitmap();
  private long cardinality;

  /** Adds an address; returns whether it is new. */
  boolean add(long address) {
    long fragment = RowAddress.fragmentId(address);
    if (fragment != lastFragment) {
      lastFragment = fragment;
      last = rows.computeIfAbsent(fragment, id -> new RoaringBitmap());
    }
    boolean added = last.checkedAdd((int) RowAddress.offset(address));
    cardinality += added ? 1 : 0;
    return added;
  }

  long cardinality() {
    return cardinality;
  }

  /** The offsets by fragment id. */
  Map<Long, DeletionVector> toVectors() {
    Map<Long, DeletionVector> vectors = new HashMap<>();
    rows.forEach((fragment, offsets) -> vectors.put(fragment, DeletionVector.of(offsets)));
    return vectors;
  }
}
