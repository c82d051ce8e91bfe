package dev.narwhal.lance.write;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.predicate.Predicate;
import dev.narwhal.lance.scan.MatchReader;
import dev.narwhal.lance.scan.Scan;
import dev.narwhal.lance.scan.Scan.Match;
import dev.narwhal.lance.scan.ScanOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.roaringbitmap.BitSetUtil;
import org.roaringbitmap.RoaringBitmap;

/**
 * The live rows of a fragment that a predicate matches.
 *
 * @param physicalRows rows of the fragment, deleted ones included
 * @param before rows deleted already
 * @param rows matching rows, none of them in {@code before}; not empty
 */
record MatchedRows(
    Fragment fragment, long physicalRows, DeletionVector before, DeletionVector rows) {

  /** Every live row; no data is read. Fragments without one are left out. */
  static List<MatchedRows> all(WriteContext context, List<Fragment> fragments) throws IOException {
    List<MatchedRows> found = new ArrayList<>(fragments.size());
    for (Fragment fragment : fragments) {
      FragmentRows rows = FragmentRows.of(context, fragment);
      RoaringBitmap every = RoaringBitmap.bitmapOfRange(0, rows.physicalRows());
      DeletionVector live = DeletionVector.of(every).minus(rows.deletions());
      if (!live.isEmpty()) {
        found.add(new MatchedRows(fragment, rows.physicalRows(), rows.deletions(), live));
      }
    }
    return found;
  }

  /** Reads only the predicate's columns. Fragments without a match are left out. */
  static List<MatchedRows> find(WriteContext context, List<Fragment> fragments, Predicate predicate)
      throws IOException {
    Scan scan =
        new Scan(
            context.manifest().schema(),
            fragments,
            context.files(),
            ScanOptions.of(List.of()).withFilter(predicate));
    List<MatchedRows> found = new ArrayList<>();
    try (MatchReader matches = scan.matches(context.allocator())) {
      RoaringBitmap rows = new RoaringBitmap();
      Optional<Match> previous = Optional.empty();
      for (Optional<Match> match = matches.next(); match.isPresent(); match = matches.next()) {
        if (previous.isPresent() && previous.get().fragment().id() != match.get().fragment().id()) {
          add(found, previous.get(), rows);
          rows = new RoaringBitmap();
        }
        rows.or(rowsOf(match.get()));
        previous = match;
      }
      if (previous.isPresent()) {
        add(found, previous.get(), rows);
      }
    }
    return found;
  }

  /** What deleting them makes of the fragment. */
  FragmentDelete delete() {
    return FragmentDelete.of(fragment, physicalRows, before, rows);
  }

  /** These rows and more. */
  MatchedRows with(DeletionVector more) {
    return new MatchedRows(fragment, physicalRows, before, rows.union(more));
  }

  private static void add(List<MatchedRows> found, Match match, RoaringBitmap rows) {
    if (!rows.isEmpty()) {
      found.add(
          new MatchedRows(
              match.fragment(), match.physicalRows(), match.deletions(), DeletionVector.of(rows)));
    }
  }

  /** The window's matches at their place in the fragment. */
  private static RoaringBitmap rowsOf(Match match) {
    RoaringBitmap rows = BitSetUtil.bitmapOf(match.rows().words());
    return match.start() == 0 ? rows : RoaringBitmap.addOffset(rows, match.start());
  }
}
