package dev.narwhal.iceberg.rowdelete.plan;

import static java.util.Objects.requireNonNull;

import dev.narwhal.puffin.PositionSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.util.ContentFileUtil;

/**
 * The live rows of one data file that a condition is about.
 *
 * @param task the file as planned, with every delete file that applies to it
 * @param positions the rows that match, alive before; at least one. Where only reading the data
 *     would tell which rows equality deletes have taken ({@code liveRows} is empty), those are
 *     among them
 * @param positionDeletes rows that a vector or position delete files had deleted before
 * @param equalityDeletes rows that only equality deletes had deleted before
 * @param liveRows rows alive before; empty where only reading the data would tell
 * @param superseded delete files that say nothing any more once the file is gone, is rewritten, or
 *     has a vector with all that is dead: those of this data file alone
 */
public record RowDelete(
    FileScanTask task,
    PositionSet positions,
    PositionSet positionDeletes,
    PositionSet equalityDeletes,
    OptionalLong liveRows,
    List<DeleteFile> superseded) {
  public RowDelete {
    requireNonNull(task, "task");
    requireNonNull(liveRows, "liveRows");
    superseded = List.copyOf(superseded);
    if (positions.isEmpty() || positions.max() >= task.file().recordCount()) {
      throw new IllegalArgumentException(
          "positions must be at least one and below the "
              + task.file().recordCount()
              + " rows of "
              + task.file().location()
              + ": "
              + positions);
    }
    if (!positions.minus(positionDeletes).equals(positions)
        || !positions.minus(equalityDeletes).equals(positions)) {
      throw new IllegalArgumentException(
          "positions must be of live rows of " + task.file().location());
    }
  }

  /** Some or all live rows of a file of which every dead one is known. */
  public static RowDelete of(
      FileScanTask task,
      PositionSet positions,
      PositionSet positionDeletes,
      PositionSet equalityDeletes) {
    long dead = positionDeletes.union(equalityDeletes).cardinality();
    return new RowDelete(
        task,
        positions,
        positionDeletes,
        equalityDeletes.minus(positionDeletes),
        OptionalLong.of(task.file().recordCount() - dead),
        ownDeletes(task));
  }

  /** All rows that are alive, without a look at the data. */
  static RowDelete ofAll(FileScanTask task, PositionSet positionDeletes) {
    long rows = task.file().recordCount();
    PositionSet positions = PositionSet.builder().addRange(0, rows).build().minus(positionDeletes);
    boolean certain =
        task.deletes().stream()
            .noneMatch(delete -> delete.content() == FileContent.EQUALITY_DELETES);
    return new RowDelete(
        task,
        positions,
        positionDeletes,
        PositionSet.empty(),
        certain ? OptionalLong.of(positions.cardinality()) : OptionalLong.empty(),
        ownDeletes(task));
  }

  /** Files that delete from other data files too must stay. */
  private static List<DeleteFile> ownDeletes(FileScanTask task) {
    return task.deletes().stream().filter(ContentFileUtil::isFileScoped).toList();
  }

  public DataFile dataFile() {
    return task.file();
  }

  /** All rows that were dead before, by whatever kind of delete. */
  public PositionSet existing() {
    return positionDeletes.union(equalityDeletes);
  }

  /** All rows that are dead afterwards. */
  public PositionSet after() {
    return existing().union(positions);
  }

  /** Whether no live row is left. */
  public boolean wholeFile() {
    return existing().cardinality() + positions.cardinality() == dataFile().recordCount();
  }

  /** Rows that go; empty where only reading the data would tell. */
  public OptionalLong deletedRows() {
    return liveRows.isPresent() ? OptionalLong.of(positions.cardinality()) : OptionalLong.empty();
  }

  /** The same for some of its rows; empty where there are none. */
  public Optional<RowDelete> withPositions(PositionSet some) {
    return some.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new RowDelete(task, some, positionDeletes, equalityDeletes, liveRows, superseded));
  }

  /**
   * The same with the file's deletes as they are by now; empty where no row is left to delete.
   *
   * @param dead all that is dead by position now
   * @param own delete files of this data file alone by now
   */
  public Optional<RowDelete> withDeletes(PositionSet dead, List<DeleteFile> own) {
    PositionSet left = positions.minus(dead);
    if (left.isEmpty()) {
      return Optional.empty();
    }
    PositionSet byEquality = equalityDeletes.minus(dead);
    OptionalLong live =
        liveRows.isPresent()
            ? OptionalLong.of(
                dataFile().recordCount() - dead.cardinality() - byEquality.cardinality())
            : liveRows;
    return Optional.of(new RowDelete(task, left, dead, byEquality, live, own));
  }
}
