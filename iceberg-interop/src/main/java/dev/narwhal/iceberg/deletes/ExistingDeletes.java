package dev.narwhal.iceberg.deletes;

import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.ContentFileUtil;

/**
 * The positions that a table's delete files delete from its data files: by a deletion vector, which
 * makes position delete files of the same data file void, or by position delete files. Equality
 * deletes are not looked at. Position delete files of several data files are read once, as far as
 * the cache of {@link PositionDeleteCache} reaches. Safe for use by many threads.
 */
public final class ExistingDeletes {
  private final DeletionVectors vectors;
  private final PositionDeleteCache positionDeletes;

  public ExistingDeletes(Table table) {
    this.vectors = new DeletionVectors(table.io());
    this.positionDeletes = new PositionDeleteCache(table.io());
  }

  /**
   * The positions that are dead by position, as the planner sees them.
   *
   * @throws dev.narwhal.puffin.PuffinFormatException if a deletion vector is damaged, is not where
   *     the metadata says, or does not hold as many positions
   * @throws DamagedDeleteFileException if a delete file cannot be read, or a position is not below
   *     the data file's record count
   */
  public PositionSet of(FileScanTask task) throws IOException {
    List<DeleteFile> deletes =
        task.deletes().stream()
            .filter(delete -> delete.content() == FileContent.POSITION_DELETES)
            .toList();
    if (deletes.isEmpty()) {
      return PositionSet.empty();
    }
    return of(deletes, task.file());
  }

  /** The positions that one delete file deletes from a data file; errors as {@link #of}. */
  public PositionSet of(DeleteFile delete, DataFile dataFile) throws IOException {
    return of(List.of(delete), dataFile);
  }

  private PositionSet of(List<DeleteFile> deletes, DataFile dataFile) throws IOException {
    if (ContentFileUtil.containsSingleDV(deletes)) {
      return checked(vectors.read(deletes.get(0)), dataFile, deletes.get(0));
    }
    PositionSet positions = PositionSet.empty();
    for (DeleteFile delete : deletes) {
      PositionSet own = positionDeletes.positions(delete, dataFile.location());
      positions = positions.union(checked(own, dataFile, delete));
    }
    return positions;
  }

  private static PositionSet checked(PositionSet positions, DataFile dataFile, DeleteFile delete) {
    if (positions.max() >= dataFile.recordCount()) {
      throw new DamagedDeleteFileException(
          "position "
              + positions.max()
              + " is not in the "
              + dataFile.recordCount()
              + " rows of "
              + dataFile.location()
              + ", deleted by "
              + delete.location()
              + "; the delete file was written for another data file");
    }
    return positions;
  }
}
