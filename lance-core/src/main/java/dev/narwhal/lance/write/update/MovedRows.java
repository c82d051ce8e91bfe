package dev.narwhal.lance.write.update;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.fragment.RowAddress;
import dev.narwhal.lance.write.RowIdRuns;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.UInt8Vector;
import org.roaringbitmap.RoaringBitmap;

/**
 * Rows that are written anew elsewhere: where they were, and on tables with stable row ids the ids
 * that they keep. Ids are held as runs of consecutive ones. One thread.
 */
final class MovedRows {
  private final Map<Long, RoaringBitmap> places = new HashMap<>();
  private long rows;
  private final RowIdRuns ids = new RowIdRuns();

  /** Adds rows by their addresses. */
  void add(UInt8Vector addresses) {
    long fragment = -1;
    RoaringBitmap bitmap = new RoaringBitmap();
    for (int row = 0; row < addresses.getValueCount(); row++) {
      long address = addresses.get(row);
      if (RowAddress.fragmentId(address) != fragment) {
        fragment = RowAddress.fragmentId(address);
        bitmap = places.computeIfAbsent(fragment, id -> new RoaringBitmap());
      }
      bitmap.add((int) RowAddress.offset(address));
    }
    rows += addresses.getValueCount();
  }

  /** Adds the ids of as many rows, in the order in which they are written. */
  void addIds(UInt8Vector added) {
    for (int row = 0; row < added.getValueCount(); row++) {
      ids.add(added.get(row));
    }
  }

  long rows() {
    return rows;
  }

  /** Offsets of the rows by the fragment they were in. */
  Map<Long, DeletionVector> places() {
    Map<Long, DeletionVector> offsets = new HashMap<>();
    places.forEach((fragment, bitmap) -> offsets.put(fragment, DeletionVector.of(bitmap)));
    return offsets;
  }

  /** New fragments with the ids of their rows, which were added in the order of the fragments. */
  List<Fragment> withIds(List<Fragment> fragments) {
    return ids.dealtTo(fragments);
  }
}
