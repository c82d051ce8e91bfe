package dev.narwhal.iceberg.rowdelete.commit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotChanges;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.ValidationException;

/**
 * What one snapshot did, that came between.
 *
 * @param added data files
 * @param removed data files
 * @param addedDeletes delete files
 * @param removedDeletes delete files
 */
record ConcurrentCommit(
    Snapshot snapshot,
    List<DataFile> added,
    List<DataFile> removed,
    List<DeleteFile> addedDeletes,
    List<DeleteFile> removedDeletes) {

  /**
   * The commits after a snapshot up to another, oldest first.
   *
   * @param base empty for all there are
   * @throws ValidationException if the snapshot is no ancestor of the other: it was rolled back, or
   *     is expired
   */
  static List<ConcurrentCommit> between(Table table, OptionalLong base, Snapshot head) {
    List<ConcurrentCommit> commits = new ArrayList<>();
    Snapshot at = head;
    while (at != null && !(base.isPresent() && at.snapshotId() == base.getAsLong())) {
      commits.add(of(table, at));
      Long parent = at.parentId();
      at = parent == null ? null : table.snapshot(parent);
    }
    if (at == null && base.isPresent()) {
      throw new ValidationException(
          "snapshot %s of table %s, on which the change was prepared, is not among the ancestors of"
              + " its current snapshot %s; prepare the change again",
          base.getAsLong(), table.name(), head.snapshotId());
    }
    Collections.reverse(commits);
    return commits;
  }

  private static ConcurrentCommit of(Table table, Snapshot snapshot) {
    SnapshotChanges changes = SnapshotChanges.builderFor(table).snapshot(snapshot).build();
    return new ConcurrentCommit(
        snapshot,
        list(changes.addedDataFiles()),
        list(changes.removedDataFiles()),
        list(changes.addedDeleteFiles()),
        list(changes.removedDeleteFiles()));
  }

  private static <T> List<T> list(Iterable<T> things) {
    List<T> list = new ArrayList<>();
    things.forEach(list::add);
    return list;
  }

  /** Whether it only took rows away, or says of the same rows that they are dead. */
  boolean isPureDelete() {
    return added.isEmpty();
  }

  /** Whether rows only moved to other files. */
  boolean isReplace() {
    return DataOperations.REPLACE.equals(snapshot.operation());
  }

  List<DeleteFile> addedDeletes(FileContent content) {
    return addedDeletes.stream().filter(file -> file.content() == content).toList();
  }

  /** How messages name it. */
  String text() {
    return snapshot.operation() + " of snapshot " + snapshot.snapshotId();
  }
}
