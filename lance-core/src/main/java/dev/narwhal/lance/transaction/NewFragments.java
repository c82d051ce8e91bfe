package dev.narwhal.lance.transaction;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.rowid.RowIdSequence;
import dev.narwhal.lance.rowid.RowIdSequenceCodec;
import dev.narwhal.lance.rowid.RowVersionSequenceCodec;
import dev.narwhal.lance.rowid.RowVersions;
import dev.narwhal.lance.rowid.StoredSequence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Gives fragments that come to a table their ids and, on tables with stable row ids, row ids and
 * versions: only at the commit is it known which are free. Source: table format sheet 9.1 and 9.5.
 */
final class NewFragments {
  private NewFragments() {}

  /** Fragments of new rows, all of them made by this version. */
  static List<Fragment> of(NextVersion next, List<Fragment> fragments) {
    List<Fragment> result = new ArrayList<>(fragments.size());
    for (Fragment fragment : numbered(next, fragments)) {
      result.add(next.stableRowIds ? withVersions(next, withRowIds(next, fragment)) : fragment);
    }
    return result;
  }

  /** Fragments whose rows were there before: they bring their row ids and versions. */
  static List<Fragment> rewritten(NextVersion next, List<Fragment> fragments) {
    for (Fragment fragment : fragments) {
      if (next.stableRowIds && fragment.rowIds().isEmpty()) {
        throw new IllegalArgumentException(
            "fragment "
                + fragment.id()
                + " has no row ids; rewritten rows of a table with stable row ids keep theirs");
      }
    }
    return numbered(next, fragments);
  }

  /** Fragments with ids of their own, of the table's file format. */
  static List<Fragment> numbered(NextVersion next, List<Fragment> fragments) {
    requireFormat(next, fragments);
    List<Fragment> result = new ArrayList<>(fragments.size());
    for (Fragment fragment : fragments) {
      Fragment numbered = fragment;
      if (fragment.id() == 0) {
        long id = next.maxFragmentId.isPresent() ? next.maxFragmentId.getAsLong() + 1 : 0;
        numbered = fragment.withId(id);
      }
      next.maxFragmentId = OptionalLong.of(Math.max(next.maxFragmentId.orElse(0), numbered.id()));
      result.add(numbered);
    }
    return result;
  }

  /** A table's data files all have one version of the format; real Lance refuses a mixture. */
  static void requireFormat(NextVersion next, List<Fragment> fragments) {
    for (Fragment fragment : fragments) {
      for (DataFile file : fragment.files()) {
        if (!file.formatVersion().equals(next.dataFormat.version())) {
          throw new IllegalArgumentException(
              "data file "
                  + file.path()
                  + " has format "
                  + file.formatVersion()
                  + ", the table "
                  + next.dataFormat.version());
        }
      }
    }
  }

  /** Ids for all rows: those that the fragment brings, and new ones for the rest. */
  static Fragment withRowIds(NextVersion next, Fragment fragment) {
    long rows = requireRows(fragment);
    if (fragment.rowIds().isEmpty()) {
      long start = take(next, rows);
      return fragment.withRowIds(
          StoredSequence.Inline.of(RowIdSequenceCodec.encodeRange(start, rows)));
    }
    RowIdSequence given = decode(fragment);
    if (given.length() > rows) {
      throw new IllegalArgumentException(
          "fragment "
              + fragment.id()
              + " has "
              + given.length()
              + " row ids for "
              + rows
              + " rows");
    }
    if (given.length() == rows) {
      return fragment;
    }
    long[] ids = new long[Math.toIntExact(rows)];
    int known = (int) given.length();
    given.copyTo(0, known, ids);
    long start = take(next, rows - known);
    for (int i = known; i < ids.length; i++) {
      ids[i] = start + (i - known);
    }
    return fragment.withRowIds(StoredSequence.Inline.of(RowIdSequenceCodec.encode(ids)));
  }

  static RowIdSequence decode(Fragment fragment) {
    StoredSequence stored = fragment.rowIds().orElseThrow();
    if (!(stored instanceof StoredSequence.Inline inline)) {
      throw new UnsupportedFeatureException(
          "fragment " + fragment.id() + " keeps its row ids in a file, which no writer does");
    }
    return RowIdSequenceCodec.decode(inline.bytes());
  }

  static long requireRows(Fragment fragment) {
    return fragment
        .physicalRows()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "fragment " + fragment.id() + " does not say how many rows it has"));
  }

  static StoredSequence stored(RowVersions versions) {
    return StoredSequence.Inline.of(RowVersionSequenceCodec.encode(versions));
  }

  private static Fragment withVersions(NextVersion next, Fragment fragment) {
    Optional<StoredSequence> versions =
        Optional.of(stored(RowVersions.uniform(requireRows(fragment), next.version)));
    return fragment.withVersions(versions, versions);
  }

  private static long take(NextVersion next, long rows) {
    long start = next.nextRowId;
    if (Long.compareUnsigned(start + rows, start) < 0) {
      throw new IllegalArgumentException(
          "no row ids are left after " + Long.toUnsignedString(start));
    }
    next.nextRowId = start + rows;
    return start;
  }
}
