package dev.narwhal.iceberg.rowdelete.commit;

import static java.util.Objects.requireNonNull;

import dev.narwhal.iceberg.rowdelete.plan.RowDelete;
import dev.narwhal.iceberg.rowdelete.write.DeleteFiles;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.util.DeleteFileSet;

/**
 * A change whose files are written, and which is not yet in the table.
 *
 * @param removed data files of which no live row is left
 * @param rewritten data files that {@code replacements} replace
 * @param marked data files that stay, and whose deleted rows {@code deletes} tells
 * @param replacements the rows of {@code rewritten} that stay, some of them with new values
 * @param appended data files of rows that are new or come back with other values
 * @param addedRows rows of {@code appended}, and those of {@code replacements} with new values
 * @param deletes delete files to add
 * @param dropped delete files to drop besides those that the files above supersede
 */
public record Change(
    List<RowDelete> removed,
    List<RowDelete> rewritten,
    List<RowDelete> marked,
    List<DataFile> replacements,
    List<DataFile> appended,
    long addedRows,
    DeleteFiles deletes,
    List<DeleteFile> dropped) {
  public Change {
    removed = List.copyOf(removed);
    rewritten = List.copyOf(rewritten);
    marked = List.copyOf(marked);
    replacements = List.copyOf(replacements);
    appended = List.copyOf(appended);
    requireNonNull(deletes, "deletes");
    dropped = List.copyOf(dropped);
  }

  /** Puts nothing but delete files in place of others. */
  public static Change ofDeletes(DeleteFiles deletes, List<DeleteFile> dropped) {
    return new Change(List.of(), List.of(), List.of(), List.of(), List.of(), 0, deletes, dropped);
  }

  /** Whether it only takes rows away. */
  public boolean isPureDelete() {
    return replacements.isEmpty() && appended.isEmpty() && rewritten.isEmpty();
  }

  /** Whether it says the same of the same rows, with other delete files. */
  public boolean isMaintenance() {
    return touched().isEmpty() && appended.isEmpty() && !dropped.isEmpty();
  }

  /** Every data file whose rows it is about. */
  public List<RowDelete> touched() {
    return Stream.of(removed, rewritten, marked).flatMap(List::stream).toList();
  }

  /** Data files that leave the table. */
  List<RowDelete> gone() {
    return Stream.concat(removed.stream(), rewritten.stream()).toList();
  }

  /**
   * Delete files that leave the table: those of data files that go; of data files that stay, those
   * that a new vector takes over.
   */
  DeleteFileSet removedDeletes() {
    DeleteFileSet removedDeletes = DeleteFileSet.of(dropped);
    gone().forEach(file -> removedDeletes.addAll(file.superseded()));
    if (deletes.hasVectors()) {
      marked.forEach(file -> removedDeletes.addAll(file.superseded()));
    }
    return removedDeletes;
  }

  ChangeCounts counts() {
    return new ChangeCounts(
        deletedRows(),
        addedRows,
        replacements.size() + appended.size(),
        removed.size(),
        rewritten.size(),
        deletes.files().size(),
        removedDeletes().size(),
        deletes.sizeBytes()
            + Stream.concat(replacements.stream(), appended.stream())
                .mapToLong(DataFile::fileSizeInBytes)
                .sum());
  }

  private OptionalLong deletedRows() {
    if (deletes.areByEquality()) {
      return OptionalLong.empty();
    }
    long sum = 0;
    for (RowDelete file : touched()) {
      if (file.deletedRows().isEmpty()) {
        return OptionalLong.empty();
      }
      sum += file.deletedRows().getAsLong();
    }
    return OptionalLong.of(sum);
  }

  /** The same with other data files taken away or marked, none rewritten. */
  Change withFiles(List<RowDelete> nowRemoved, List<RowDelete> nowMarked, DeleteFiles nowDeletes) {
    return new Change(
        nowRemoved, rewritten, nowMarked, replacements, appended, addedRows, nowDeletes, dropped);
  }
}
