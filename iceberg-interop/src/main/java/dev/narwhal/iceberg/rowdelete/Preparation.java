package dev.narwhal.iceberg.rowdelete;

import dev.narwhal.iceberg.rowdelete.commit.Change;
import dev.narwhal.iceberg.rowdelete.commit.PreparedChange;
import dev.narwhal.iceberg.rowdelete.commit.Validation;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.rowdelete.plan.RowDelete;
import dev.narwhal.iceberg.rowdelete.write.DeleteFileWriter;
import dev.narwhal.iceberg.rowdelete.write.DeleteFiles;
import dev.narwhal.iceberg.rowdelete.write.FileRewriter;
import dev.narwhal.iceberg.table.CreatedFiles;
import dev.narwhal.iceberg.table.InParallel;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;

/** Writes the files of changes; those of one that fails are taken back. */
final class Preparation {
  private final Table table;

  Preparation(Table table) {
    this.table = table;
  }

  /** Writes files, which {@code created} remembers. */
  interface Writing<T> {
    T into(CreatedFiles created) throws IOException;
  }

  /** Writes files that no change is made of. */
  <T> T written(Writing<T> writing) throws IOException {
    CreatedFiles created = new CreatedFiles(table.io());
    return written(writing, created);
  }

  private static <T> T written(Writing<T> writing, CreatedFiles created) throws IOException {
    try {
      return writing.into(created);
    } catch (IOException | RuntimeException | Error e) {
      created.takeBack();
      throw e;
    }
  }

  /** Writes the files of a change that was worked out on a snapshot, or on none. */
  PreparedChange prepared(OptionalLong base, Validation validation, Writing<Change> writing)
      throws IOException {
    CreatedFiles created = new CreatedFiles(table.io());
    return new PreparedChange(table, written(writing, created), base, validation, created);
  }

  /**
   * Takes rows away in a mode, and adds others.
   *
   * @param appended data files of the rows added, which are written already
   */
  Change change(
      List<RowDelete> rows,
      DeleteMode mode,
      List<DataFile> appended,
      long addedRows,
      CreatedFiles created)
      throws IOException {
    List<RowDelete> whole = rows.stream().filter(RowDelete::wholeFile).toList();
    List<RowDelete> partial = rows.stream().filter(file -> !file.wholeFile()).toList();
    return switch (mode) {
      case MERGE_ON_READ ->
          new Change(
              whole,
              List.of(),
              partial,
              List.of(),
              appended,
              addedRows,
              new DeleteFileWriter(table, created).mergeOnRead(partial),
              List.of());
      case COPY_ON_WRITE ->
          new Change(
              whole,
              partial,
              List.of(),
              rewritten(partial, created),
              appended,
              addedRows,
              DeleteFiles.NONE,
              List.of());
    };
  }

  /** Writes the rows that stay of data files into new ones. */
  List<DataFile> rewritten(List<RowDelete> files, CreatedFiles created) throws IOException {
    FileRewriter rewriter = new FileRewriter(table, created);
    return InParallel.map(files, rewriter::rewrite).stream().flatMap(List::stream).toList();
  }
}
