package dev.narwhal.lance.transaction;

import dev.narwhal.lance.deletion.DeletionFile;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.CommitConflict;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.Manifest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes a Delete or an Update, which removed rows from their places, over versions that changed the
 * same fragments: the deleted rows of both are united, on the fragments as they are now. Checks are
 * to be made from the oldest version to the newest. Source: table format sheet 8.4.
 *
 * <p>Beyond real Lance, two deletes of the same row both succeed: what is gone already counts as
 * not deleted by the second. That holds only as long as every version that removed one of our rows
 * was a pure Delete. A row that an Update removed lives on somewhere else with other values: to
 * call it deleted would be wrong, so that is a conflict. {@code strict} gives real Lance's rule:
 * any row in common is a conflict.
 */
final class Rebase {
  private final String place;
  private final Transaction transaction;
  private final boolean strict;
  private final Set<Long> ids;
  private final Map<Long, Fragment> held = new HashMap<>();

  /** Rows of ours that nobody else has removed, as far as we know. */
  private final Map<Long, DeletionVector> remaining = new HashMap<>();

  /** What each fragment's deletions were when ours were added to them. */
  private final Map<Long, Optional<DeletionFile>> bases = new HashMap<>();

  /** United deletion files, where there are any; and fragments that no live row is left in. */
  private final Map<Long, DeletionFile> written = new HashMap<>();

  private final Set<Long> emptied = new HashSet<>();

  /** The last commit that touched each fragment. */
  private final Map<Long, Toucher> touchedBy = new HashMap<>();

  private final Set<Long> gone = new HashSet<>();
  private AffectedRows alreadyGone = AffectedRows.none();

  /**
   * @param place the dataset, for messages
   * @param read the version that the transaction read
   * @param rows what it removes there; a fragment without rows cannot be rebased
   */
  Rebase(String place, Transaction transaction, Manifest read, AffectedRows rows, boolean strict) {
    this.place = place;
    this.transaction = transaction;
    this.strict = strict || !(transaction.operation() instanceof Operation.Delete);
    this.ids = Footprint.of(transaction.operation()).all();
    for (Fragment fragment : read.fragments()) {
      if (ids.contains(fragment.id())) {
        held.put(fragment.id(), fragment);
        bases.put(fragment.id(), fragment.deletionFile());
        remaining.put(fragment.id(), rows.of(fragment.id()));
      }
    }
    for (long id : ids) {
      if (!held.containsKey(id)) {
        throw new IllegalArgumentException(
            place
                + ": "
                + transaction.operation().name()
                + " names fragment "
                + Long.toUnsignedString(id)
                + ", which version "
                + Long.toUnsignedString(read.version())
                + " does not have");
      }
    }
    if (transaction.operation() instanceof Operation.Delete delete) {
      delete.updatedFragments().forEach(this::requireAllNamed);
    }
  }

  /** Rows that the deletion file deletes, and that are not named, would be lost in a rebase. */
  private void requireAllNamed(Fragment updated) {
    Fragment before = held.get(updated.id());
    DeletionVector named = remaining.getOrDefault(updated.id(), DeletionVector.empty());
    if (before == null || named.isEmpty()) {
      return;
    }
    OptionalLong deleted = deletedRows(updated);
    OptionalLong earlier = deletedRows(before);
    if (deleted.isPresent() && earlier.isPresent()) {
      long more = deleted.getAsLong() - earlier.getAsLong();
      if (named.cardinality() < more) {
        throw new IllegalArgumentException(
            place
                + ": Delete deletes "
                + more
                + " rows of fragment "
                + Long.toUnsignedString(updated.id())
                + ", of which only "
                + named.cardinality()
                + " are named as affected; name them all, or none");
      }
    }
  }

  private static OptionalLong deletedRows(Fragment fragment) {
    Optional<DeletionFile> file = fragment.deletionFile();
    return file.isPresent() ? file.get().deletedRows() : OptionalLong.of(0);
  }

  /** Rows of ours that turned out to be deleted by somebody else. */
  AffectedRows alreadyGone() {
    return alreadyGone;
  }

  /**
   * Checks a version that touched some of our fragments.
   *
   * @param before the version before it
   * @throws RetryableConflictException when rows that it moved are ours, or it is not known which
   *     rows are
   */
  void check(Manifest before, CommittedVersion theirs, Operation operation, TableReads reads)
      throws IOException {
    Footprint other = Footprint.of(operation);
    boolean moves = !(operation instanceof Operation.Delete);
    Map<Long, Fragment> then = moves ? ours(before) : Map.of();
    Map<Long, Fragment> since = moves ? ours(theirs.manifest()) : Map.of();
    for (long id : ids) {
      if (other.touches(id) && !gone.contains(id)) {
        boolean removed = other.removed().contains(id);
        DeletionVector mine = touch(id, removed, theirs);
        if (moves) {
          DeletionVector moved = mine.minus(deletions(before, then.get(id), reads));
          if (!removed) {
            moved = moved.intersection(deletions(theirs.manifest(), since.get(id), reads));
          }
          if (!moved.isEmpty()) {
            throw conflict(id, moved);
          }
        }
        if (removed) {
          gone.add(id);
          alreadyGone = alreadyGone.union(AffectedRows.of(Map.of(id, mine)));
          remaining.put(id, DeletionVector.empty());
        }
      }
    }
  }

  /** Returns our rows of a fragment that others touched too. */
  private DeletionVector touch(long id, boolean removed, CommittedVersion theirs) {
    DeletionVector mine = remaining.getOrDefault(id, DeletionVector.empty());
    touchedBy.put(id, Toucher.of(theirs));
    if (mine.isEmpty() || (removed && strict)) {
      throw conflict(id, DeletionVector.empty());
    }
    return mine;
  }

  /** The fragments of a version that we change, as far as it has them. */
  private Map<Long, Fragment> ours(Manifest version) {
    Map<Long, Fragment> found = new HashMap<>();
    for (Fragment fragment : version.fragments()) {
      if (ids.contains(fragment.id())) {
        found.put(fragment.id(), fragment);
      }
    }
    return found;
  }

  /**
   * Our operation as it is to be done on the newest version.
   *
   * @param files takes the united deletion files
   * @throws RetryableConflictException when the rows or files of a fragment do not allow it
   */
  Operation onto(Manifest latest, TableReads reads, RebaseFiles files) throws IOException {
    Map<Long, Fragment> now = ours(latest);
    for (long id : ids) {
      if (!gone.contains(id)) {
        unite(id, now.get(id), latest, reads, files);
      }
    }
    return with(now);
  }

  /**
   * Adds our rows to the deletions that a fragment has now, if these are others than those that
   * ours were added to before.
   */
  private void unite(
      long id, @Nullable Fragment current, Manifest latest, TableReads reads, RebaseFiles files)
      throws IOException {
    Fragment read = held.get(id);
    if (current == null || read == null || !sameFiles(read.files(), current.files())) {
      throw conflict(id, DeletionVector.empty());
    }
    if (current.deletionFile().equals(bases.get(id))) {
      return;
    }
    DeletionVector theirs = reads.deletions(latest, current);
    DeletionVector mine = remaining.getOrDefault(id, DeletionVector.empty());
    DeletionVector both = mine.intersection(theirs);
    if (mine.isEmpty() || (strict && !both.isEmpty())) {
      throw conflict(id, both);
    }
    alreadyGone = alreadyGone.union(AffectedRows.of(Map.of(id, both)));
    DeletionVector fresh = mine.minus(theirs);
    remaining.put(id, fresh);
    bases.put(id, current.deletionFile());
    if (fresh.isEmpty()) {
      gone.add(id);
      return;
    }
    long physicalRows = reads.physicalRows(latest, current);
    if (fresh.max() >= physicalRows) {
      throw new IllegalArgumentException(
          place
              + ": fragment "
              + id
              + ": row offset "
              + fresh.max()
              + " is not in [0, "
              + physicalRows
              + ")");
    }
    DeletionVector union = theirs.union(fresh);
    if (union.cardinality() == physicalRows) {
      written.remove(id);
      emptied.add(id);
    } else {
      written.put(id, files.write(id, latest.version(), union));
    }
  }

  /**
   * Whether all files that are there now were there then. Their sizes do not matter: a commit may
   * fill in what an old writer left out.
   */
  private static boolean sameFiles(List<DataFile> then, List<DataFile> now) {
    return then.equals(now) || withoutSizes(then).containsAll(withoutSizes(now));
  }

  private static Set<DataFile> withoutSizes(List<DataFile> files) {
    Set<DataFile> bare = new HashSet<>();
    for (DataFile file : files) {
      bare.add(file.withSizeBytes(OptionalLong.empty()));
    }
    return bare;
  }

  /** A change of deletions is all that a rebased entry brings; whatever else is there stays. */
  private Fragment merged(Fragment current, Fragment mine) {
    boolean columns =
        transaction.operation() instanceof Operation.Update update
            && update.mode() == Operation.UpdateMode.REWRITE_COLUMNS;
    return columns ? mine : mine.deletionFile().map(current::withDeletionFile).orElse(current);
  }

  private Operation with(Map<Long, Fragment> now) {
    List<Fragment> updated = new ArrayList<>();
    List<Long> removed = new ArrayList<>();
    if (transaction.operation() instanceof Operation.Delete delete) {
      sort(delete.updatedFragments(), delete.deletedFragmentIds(), now, updated, removed);
      return new Operation.Delete(updated, removed, delete.predicate(), delete.unknown());
    }
    Operation.Update update = (Operation.Update) transaction.operation();
    sort(update.updatedFragments(), update.removedFragmentIds(), now, updated, removed);
    return new Operation.Update(
        removed,
        updated,
        update.newFragments(),
        update.fieldsModified(),
        update.fieldsForPreservingFragmentBitmap(),
        update.mode(),
        update.mergedGenerations(),
        update.insertedKeys(),
        update.unknown());
  }

  private void sort(
      List<Fragment> ours,
      Collection<Long> toRemove,
      Map<Long, Fragment> now,
      List<Fragment> updated,
      List<Long> removed) {
    Set<Long> removedByUs = Set.copyOf(toRemove);
    for (Fragment mine : ours) {
      long id = mine.id();
      Fragment current = now.get(id);
      if (current != null && !gone.contains(id) && !emptied.contains(id)) {
        DeletionFile united = written.get(id);
        updated.add(united == null ? merged(current, mine) : current.withDeletionFile(united));
      }
    }
    for (Map.Entry<Long, Fragment> entry : new TreeMap<>(now).entrySet()) {
      long id = entry.getKey();
      DeletionFile united = written.get(id);
      if (gone.contains(id)) {
        continue;
      }
      if (emptied.contains(id) || (removedByUs.contains(id) && united == null)) {
        removed.add(id);
      } else if (removedByUs.contains(id) && united != null) {
        updated.add(entry.getValue().withDeletionFile(united));
      }
    }
  }

  private static DeletionVector deletions(
      Manifest version, @Nullable Fragment fragment, TableReads reads) throws IOException {
    return fragment == null ? DeletionVector.empty() : reads.deletions(version, fragment);
  }

  private RetryableConflictException conflict(long id, DeletionVector rows) {
    Toucher theirs = touchedBy.get(id);
    return new RetryableConflictException(
        place,
        new CommitConflict(
            transaction.operation().name(),
            transaction.readVersion(),
            theirs == null ? "a commit that changed fragment " + id : theirs.operation(),
            theirs == null ? transaction.readVersion() + 1 : theirs.version(),
            AffectedRows.sample(id, rows)));
  }

  /** A commit, less all that it holds. */
  private record Toucher(long version, String operation) {
    static Toucher of(CommittedVersion version) {
      return new Toucher(
          version.version(),
          version.transaction().map(made -> made.operation().name()).orElse("a commit"));
    }
  }
}
