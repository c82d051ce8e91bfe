package dev.narwhal.iceberg.rowdelete.commit;

import dev.narwhal.iceberg.deletes.ExistingDeletes;
import dev.narwhal.iceberg.rowdelete.plan.RowDelete;
import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.ContentFileUtil;
import org.apache.iceberg.util.DeleteFileSet;

/**
 * Takes a change past the commits that came between, oldest first: what they deleted from its data
 * files is united with what it deletes. Pure but for the delete files of others that it reads.
 */
final class Rebase {
  private final ConflictRules rules;
  private final ExistingDeletes existing;
  private final Map<String, Optional<RowDelete>> files = new LinkedHashMap<>();
  private boolean changed;

  Rebase(Table table, Change change, Validation validation) {
    this.rules = new ConflictRules(change, validation, table.specs());
    this.existing = new ExistingDeletes(table);
    change.touched().forEach(file -> files.put(file.dataFile().location(), Optional.of(file)));
  }

  /**
   * Goes past one commit.
   *
   * @throws org.apache.iceberg.exceptions.ValidationException if the change conflicts with it
   */
  void over(ConcurrentCommit other) throws IOException {
    for (DataFile removed : other.removed()) {
      Optional<RowDelete> file = files.getOrDefault(removed.location(), Optional.empty());
      if (file.isPresent()) {
        rules.checkRemoved(other, file.get());
        put(removed.location(), Optional.empty());
      }
    }
    DeleteFileSet removedDeletes = DeleteFileSet.of(other.removedDeletes());
    for (String location : List.copyOf(files.keySet())) {
      Optional<RowDelete> file = files.getOrDefault(location, Optional.empty());
      if (file.isPresent()) {
        deletedFrom(file.get(), other, removedDeletes);
      }
    }
    rules.check(other);
  }

  private void deletedFrom(RowDelete file, ConcurrentCommit other, DeleteFileSet removedDeletes)
      throws IOException {
    PositionSet dead = file.positionDeletes();
    List<DeleteFile> own = new ArrayList<>(file.superseded());
    boolean concerned = own.removeAll(removedDeletes);
    for (DeleteFile delete : other.addedDeletes(FileContent.POSITION_DELETES)) {
      if (reaches(delete, file.dataFile())) {
        PositionSet theirs = existing.of(delete, file.dataFile());
        if (!theirs.isEmpty()) {
          boolean overlaps = !theirs.minus(file.positions()).equals(theirs);
          rules.checkDeletedFrom(other, file, overlaps);
          dead = dead.union(theirs);
          concerned = true;
          if (ContentFileUtil.isFileScoped(delete)) {
            own.add(delete);
          }
        }
      }
    }
    if (concerned) {
      put(file.dataFile().location(), file.withDeletes(dead, own));
    }
  }

  private boolean reaches(DeleteFile delete, DataFile file) {
    String referenced = ContentFileUtil.referencedDataFileLocation(delete);
    return referenced == null ? rules.reaches(delete, file) : referenced.equals(file.location());
  }

  private void put(String location, Optional<RowDelete> file) {
    files.put(location, file);
    changed = true;
  }

  /** Whether the change's files are not what they were. */
  boolean isChanged() {
    return changed;
  }

  /** The change's data files by now; those of which others took the last row are not among them. */
  List<RowDelete> files() {
    return files.values().stream().flatMap(Optional::stream).toList();
  }
}
