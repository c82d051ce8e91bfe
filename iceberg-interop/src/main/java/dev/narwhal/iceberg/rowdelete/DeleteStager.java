package dev.narwhal.iceberg.rowdelete;

import dev.narwhal.iceberg.deletes.DeletionVectorFile;
import dev.narwhal.iceberg.deletes.PositionDeleteFiles;
import dev.narwhal.iceberg.table.CreatedFiles;
import dev.narwhal.iceberg.table.InParallel;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.io.OutputFileFactory;

/** Writes the files of a delete. */
final class DeleteStager {
  private static final int FIRST_VERSION_WITH_VECTORS = 3;

  private final Table table;
  private final CreatedFiles created;

  DeleteStager(Table table, CreatedFiles created) {
    this.table = table;
    this.created = created;
  }

  /** Files of which rows are left are replaced by files of those rows. */
  StagedDelete copyOnWrite(List<FileMatch> matches) throws IOException {
    FileRewriter rewriter = new FileRewriter(table, created);
    List<FileMatch> partial = having(matches, false);
    List<DataFile> replacements =
        InParallel.map(partial, rewriter::rewrite).stream().flatMap(List::stream).toList();
    return new StagedDelete(
        having(matches, true), partial, replacements, List.of(), List.of(), List.of(), 0);
  }

  /** Files of which rows are left stay, and the positions of the others are written. */
  StagedDelete mergeOnRead(List<FileMatch> matches) throws IOException {
    List<FileMatch> whole = having(matches, true);
    List<FileMatch> partial = having(matches, false);
    if (partial.isEmpty()) {
      return new StagedDelete(whole, List.of(), List.of(), List.of(), List.of(), List.of(), 0);
    }
    return TableUtil.formatVersion(table) >= FIRST_VERSION_WITH_VECTORS
        ? withVectors(whole, partial)
        : withPositions(whole, partial);
  }

  private static List<FileMatch> having(List<FileMatch> matches, boolean whole) {
    return matches.stream().filter(match -> match.isWhole() == whole).toList();
  }

  /** One vector for each file, which takes over what was deleted from it before. */
  private StagedDelete withVectors(List<FileMatch> whole, List<FileMatch> partial)
      throws IOException {
    OutputFileFactory files =
        OutputFileFactory.builderFor(table, 0, 0)
            .format(FileFormat.PUFFIN)
            .suffix("deletes")
            .ioSupplier(() -> created)
            .build();
    try (DeletionVectorFile out =
        new DeletionVectorFile(files.newOutputFile().encryptingOutputFile(), table.specs())) {
      for (FileMatch match : partial) {
        out.add(match.dataFile(), match.after());
      }
      DeletionVectorFile.Finished finished = out.finish();
      List<DeleteFile> absorbed =
          partial.stream().flatMap(match -> match.ownDeletes().stream()).toList();
      return new StagedDelete(
          whole, List.of(), List.of(), partial, absorbed, finished.vectors(), finished.sizeBytes());
    }
  }

  /** Only the new positions: those of earlier files keep counting. */
  private StagedDelete withPositions(List<FileMatch> whole, List<FileMatch> partial)
      throws IOException {
    try (PositionDeleteFiles out = new PositionDeleteFiles(table, created)) {
      for (FileMatch match : partial) {
        match.matched().forEach(position -> out.add(match.dataFile(), position));
      }
      List<DeleteFile> written = out.finish();
      long bytes = written.stream().collect(Collectors.summingLong(DeleteFile::fileSizeInBytes));
      return new StagedDelete(whole, List.of(), List.of(), partial, List.of(), written, bytes);
    }
  }
}
