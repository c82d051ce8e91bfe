package dev.narwhal.lance.write.update;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.fragment.RowAddress;
import dev.narwhal.lance.rowid.RowIdSequenceCodec;
import dev.narwhal.lance.rowid.StoredSequence;
import java.util.ArrayList;
import java.util.Arrays;
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
  private static final int FIRST_CAPACITY = 16;

  private final Map<Long, RoaringBitmap> places = new HashMap<>();
  private long rows;

  private long[] starts = new long[FIRST_CAPACITY];
  private int[] lengths = new int[FIRST_CAPACITY];
  private int runs;

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
  void addIds(UInt8Vector ids) {
    for (int row = 0; row < ids.getValueCount(); row++) {
      long id = ids.get(row);
      boolean continues =
          runs > 0
              && id == starts[runs - 1] + lengths[runs - 1]
              && lengths[runs - 1] < Integer.MAX_VALUE;
      if (continues) {
        lengths[runs - 1]++;
        continue;
      }
      if (runs == starts.length) {
        starts = Arrays.copyOf(starts, 2 * runs);
        lengths = Arrays.copyOf(lengths, 2 * runs);
      }
      starts[runs] = id;
      lengths[runs] = 1;
      runs++;
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
    List<Fragment> result = new ArrayList<>(fragments.size());
    int run = 0;
    int used = 0;
    for (Fragment fragment : fragments) {
      long[] ids = new long[Math.toIntExact(fragment.physicalRows().orElseThrow())];
      for (int at = 0; at < ids.length; ) {
        int count = Math.min(ids.length - at, lengths[run] - used);
        for (int i = 0; i < count; i++) {
          ids[at + i] = starts[run] + used + i;
        }
        at += count;
        used += count;
        if (used == lengths[run]) {
          run++;
          used = 0;
        }
      }
      result.add(fragment.withRowIds(StoredSequence.Inline.of(RowIdSequenceCodec.encode(ids))));
    }
    return result;
  }
}
