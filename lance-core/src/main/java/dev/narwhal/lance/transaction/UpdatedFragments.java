package dev.narwhal.lance.transaction;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.rowid.RowIdSequence;
import dev.narwhal.lance.rowid.RowVersionSequenceCodec;
import dev.narwhal.lance.rowid.RowVersions;
import dev.narwhal.lance.rowid.StoredSequence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What an Update makes of a table's fragments. Source: table format sheet 6.2 to 6.6 and 9.2. */
final class UpdatedFragments {
  private UpdatedFragments() {}

  /** The fragments that were there, less those removed. */
  static List<Fragment> changed(NextVersion next, Operation.Update operation) {
    Map<Long, Fragment> updated = OperationEffects.byId(operation.updatedFragments());
    Set<Long> removed = new HashSet<>(operation.removedFragmentIds());
    Map<Long, DeletionVector> patched = PatchedOffsetsCodec.decode(operation);
    Set<Integer> fields = OperationEffects.fieldIds(next.schema);
    List<Fragment> kept = new ArrayList<>(next.fragments.size());
    for (Fragment fragment : next.fragments) {
      Fragment change = updated.get(fragment.id());
      if (removed.contains(fragment.id())) {
        continue;
      }
      if (change == null) {
        kept.add(fragment);
      } else if (operation.mode() == Operation.UpdateMode.REWRITE_ROWS) {
        kept.add(OperationEffects.withDeletions(fragment, change));
      } else {
        Fragment rewritten = withColumns(fragment, change, fields);
        DeletionVector rows = patched.getOrDefault(fragment.id(), DeletionVector.empty());
        requireOffsets(rewritten, rows);
        kept.add(next.stableRowIds ? restamped(rewritten, rows, next.version) : rewritten);
      }
    }
    return kept;
  }

  /** New rows, and old ones at new places, which on stable tables keep their ids. */
  static List<Fragment> added(NextVersion next, Operation.Update operation) {
    List<Fragment> numbered = NewFragments.numbered(next, operation.newFragments());
    if (!next.stableRowIds) {
      return numbered;
    }
    CreatedVersions created = createdVersions(next, operation);
    List<Fragment> added = new ArrayList<>(numbered.size());
    for (Fragment fragment : numbered) {
      int known = fragment.rowIds().isEmpty() ? 0 : (int) NewFragments.decode(fragment).length();
      Fragment complete = NewFragments.withRowIds(next, fragment);
      int rows = Math.toIntExact(NewFragments.requireRows(complete));
      long[] ids = ids(complete);
      long[] versions = new long[rows];
      for (int i = 0; i < rows; i++) {
        versions[i] = i < known ? created.of(ids[i]) : next.version;
      }
      added.add(
          complete.withVersions(
              Optional.of(NewFragments.stored(RowVersions.uniform(rows, next.version))),
              Optional.of(NewFragments.stored(RowVersions.of(versions)))));
    }
    return added;
  }

  /** Of the rows that move, from the fragments that lose them. */
  private static CreatedVersions createdVersions(NextVersion next, Operation.Update operation) {
    List<long[]> moved = new ArrayList<>();
    int count = 0;
    for (Fragment fragment : operation.newFragments()) {
      if (fragment.rowIds().isPresent()) {
        long[] ids = ids(fragment);
        moved.add(ids);
        count = Math.addExact(count, ids.length);
      }
    }
    long[] all = new long[count];
    int at = 0;
    for (long[] ids : moved) {
      System.arraycopy(ids, 0, all, at, ids.length);
      at += ids.length;
    }
    Footprint footprint = Footprint.of(operation);
    List<Fragment> before = new ArrayList<>();
    for (Fragment fragment : count == 0 ? List.<Fragment>of() : next.fragments) {
      if (footprint.touches(fragment.id())) {
        before.add(fragment);
      }
    }
    return CreatedVersions.of(all, before);
  }

  private static long[] ids(Fragment fragment) {
    RowIdSequence sequence = NewFragments.decode(fragment);
    long[] ids = new long[Math.toIntExact(sequence.length())];
    sequence.copyTo(0, ids.length, ids);
    return ids;
  }

  /**
   * The fragment with new column files. A file that a concurrent Project has dropped, since none of
   * its columns is in the schema any more, stays dropped.
   */
  private static Fragment withColumns(Fragment fragment, Fragment change, Set<Integer> fields) {
    List<DataFile> files = new ArrayList<>(change.files().size());
    for (DataFile file : change.files()) {
      if (fragment.files().contains(file) || file.fields().stream().anyMatch(fields::contains)) {
        files.add(file);
      }
    }
    Fragment rewritten =
        OperationEffects.withDeletions(
                fragment, change.deletionFile().isPresent() ? change : fragment)
            .withFiles(files);
    return rewritten.withVersions(
        change.lastUpdatedVersions().or(fragment::lastUpdatedVersions), fragment.createdVersions());
  }

  private static void requireOffsets(Fragment fragment, DeletionVector rows) {
    if (!rows.isEmpty() && rows.max() >= NewFragments.requireRows(fragment)) {
      throw new IllegalArgumentException(
          "fragment "
              + fragment.id()
              + ": row offset "
              + rows.max()
              + " is not in [0, "
              + NewFragments.requireRows(fragment)
              + ")");
    }
  }

  /**
   * Rows patched in place are updated by the version that is made, whatever the writer guessed. A
   * fragment without such versions stays without, as in real Lance.
   */
  private static Fragment restamped(Fragment fragment, DeletionVector rows, long version) {
    if (rows.isEmpty() || fragment.lastUpdatedVersions().isEmpty()) {
      return fragment;
    }
    if (!(fragment.lastUpdatedVersions().get() instanceof StoredSequence.Inline inline)) {
      throw new UnsupportedFeatureException(
          "fragment "
              + fragment.id()
              + ": the versions in which its rows were updated last are in a file of their own and"
              + " cannot be changed; update rows instead of columns, or compact with Lance first");
    }
    int count = Math.toIntExact(NewFragments.requireRows(fragment));
    long[] versions = RowVersionSequenceCodec.decode(inline.bytes(), count).toArray();
    rows.forEach(offset -> versions[offset] = version);
    return fragment.withVersions(
        Optional.of(NewFragments.stored(RowVersions.of(versions))), fragment.createdVersions());
  }
}
