package dev.narwhal.iceberg.rowdelete.write;

import dev.narwhal.iceberg.deletes.DeletionVectorFile;
import dev.narwhal.iceberg.deletes.PositionDeleteFiles;
import dev.narwhal.iceberg.rowdelete.plan.RowDelete;
import dev.narwhal.iceberg.table.CreatedFiles;
import dev.narwhal.iceberg.table.FileSizes;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.io.OutputFileFactory;

/** Writes the delete files of data files that stay. For one thread. */
public final class DeleteFileWriter {
  private static final int FIRST_VERSION_WITH_DELETES = 2;
  private static final int FIRST_VERSION_WITH_VECTORS = 3;

  private final Table table;
  private final CreatedFiles created;

  /**
   * @param created remembers what is written
   */
  public DeleteFileWriter(Table table, CreatedFiles created) {
    this.table = table;
    this.created = created;
  }

  /**
   * What the table's format version has for rows deleted by position: vectors, or files of
   * positions.
   *
   * @throws UnsupportedFeatureException if it is version 1, which has neither
   */
  public DeleteFiles mergeOnRead(List<RowDelete> rows) throws IOException {
    if (rows.isEmpty()) {
      return DeleteFiles.NONE;
    }
    int version = TableUtil.formatVersion(table);
    if (version < FIRST_VERSION_WITH_DELETES) {
      throw new UnsupportedFeatureException(
          "merge-on-read in table "
              + table.name()
              + " of format version "
              + version
              + ": upgrade the table, or use copy-on-write");
    }
    return version < FIRST_VERSION_WITH_VECTORS ? positions(rows) : vectors(rows);
  }

  /**
   * One vector for each data file: what the file had by position, and the new rows. All of them are
   * in one Puffin file, or in several of {@code write.delete.target-file-size-bytes}.
   */
  public DeleteFiles vectors(List<RowDelete> rows) throws IOException {
    OutputFileFactory files =
        OutputFileFactory.builderFor(table, 0, 0)
            .format(FileFormat.PUFFIN)
            .suffix("deletes")
            .ioSupplier(() -> created)
            .build();
    long targetBytes = FileSizes.ofDeletes(table);
    List<DeleteFile> vectors = new ArrayList<>();
    Iterator<RowDelete> left = rows.iterator();
    while (left.hasNext()) {
      vectors.addAll(puffin(files, left, targetBytes));
    }
    return new DeleteFiles(vectors);
  }

  private List<DeleteFile> puffin(
      OutputFileFactory files, Iterator<RowDelete> left, long targetBytes) throws IOException {
    try (DeletionVectorFile out =
        new DeletionVectorFile(files.newOutputFile().encryptingOutputFile(), table.specs())) {
      do {
        RowDelete file = left.next();
        out.add(file.dataFile(), file.positionDeletes().union(file.positions()));
      } while (left.hasNext() && out.vectorBytes() < targetBytes);
      return out.finish().vectors();
    }
  }

  /**
   * Only the new rows: earlier position deletes keep counting. Files by data file or partition, as
   * {@code write.delete.granularity} says.
   */
  public DeleteFiles positions(List<RowDelete> rows) throws IOException {
    try (PositionDeleteFiles out = new PositionDeleteFiles(table, created)) {
      for (RowDelete file : rows) {
        file.positions().forEach(position -> out.add(file.dataFile(), position));
      }
      return new DeleteFiles(out.finish());
    }
  }
}
