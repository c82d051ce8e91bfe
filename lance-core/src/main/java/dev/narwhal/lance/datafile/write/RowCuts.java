package dev.narwhal.lance.datafile.write;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a page where many levels without a value follow each other: a chunk takes them together with
 * the next value, and may have no more than 65,535. Stretches of empty and null lists get pages of
 * their own, which hold nothing but levels.
 */
final class RowCuts {
  /** So many in a row are a stretch. */
  private static final int STRETCH = 8192;

  private RowCuts() {}

  /** Where pages start, and where the last one ends, in levels; all at starts of rows. */
  static List<Integer> of(PageLevels levels) {
    List<Integer> cuts = new ArrayList<>(List.of(0));
    if (levels.hasInvisible()) {
      int invisible = 0;
      int rowStart = 0;
      boolean anyVisible = false;
      for (int i = 0; i < levels.count(); i++) {
        if (levels.startsRow(i)) {
          rowStart = i;
        }
        boolean visible = levels.isVisible(i);
        boolean stretch = invisible >= STRETCH;
        boolean cut = stretch && (anyVisible ? levels.startsRow(i) : visible);
        if (cut && rowStart > cuts.get(cuts.size() - 1)) {
          cuts.add(rowStart);
          anyVisible = false;
          invisible = i - rowStart;
        }
        anyVisible |= visible;
        invisible = visible ? 0 : invisible + 1;
      }
    }
    cuts.add(levels.count());
    return cuts;
  }
}
