package dev.narwhal.iceberg.rowdelete.maintenance;

import dev.narwhal.iceberg.deletes.DeletionVectorFile;
import dev.narwhal.iceberg.deletes.DeletionVectors;
import dev.narwhal.iceberg.deletes.ExistingDeletes;
import dev.narwhal.iceberg.rowdelete.commit.Change;
import dev.narwhal.iceberg.rowdelete.commit.PreparedChange;
import dev.narwhal.iceberg.rowdelete.commit.Validation;
import dev.narwhal.iceberg.rowdelete.equality.EqualityPositions;
import dev.narwhal.iceberg.rowdelete.plan.NothingToDeleteException;
import dev.narwhal.iceberg.rowdelete.plan.RowDelete;
import dev.narwhal.iceberg.rowdelete.write.DeleteFileWriter;
import dev.narwhal.iceberg.rowdelete.write.DeleteFiles;
import dev.narwhal.iceberg.table.CreatedFiles;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.IsolationLevel;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.util.ContentFileUtil;
import org.apache.iceberg.util.DeleteFileSet;

/**
 * Says what is deleted in fewer or better files. No live row changes; the snapshots are {@code
 * replace}s. Each decision is made on one snapshot, and holds only as long as nobody changes what
 * is deleted: a commit that comes between and does is a conflict, after which one plans again.
 *
 * <p>A method that finds nothing to do throws {@link NothingToDeleteException}, before anything is
 * written.
 */
public final class DeleteMaintenance {
  private static final int FIRST_VERSION_WITH_VECTORS = 3;

  private final Table table;

  public DeleteMaintenance(Table table) {
    this.table = table;
  }

  private Snapshot snapshot() {
    table.refresh();
    return Optional.ofNullable(table.currentSnapshot())
        .orElseThrow(() -> new NothingToDeleteException(table.name() + " has no snapshot"));
  }

  private List<FileScanTask> tasks(Snapshot snapshot) throws IOException {
    List<FileScanTask> tasks = new ArrayList<>();
    try (CloseableIterable<FileScanTask> planned =
        table.newScan().useSnapshot(snapshot.snapshotId()).planFiles()) {
      planned.forEach(tasks::add);
    }
    return tasks;
  }

  /**
   * After an upgrade to version 3: the position delete files of version 2 become vectors, and go.
   *
   * @throws UnsupportedFeatureException if the table is of an earlier version
   */
  public PreparedChange prepareFold() throws IOException {
    Snapshot snapshot = snapshot();
    requireVectors();
    List<DeleteFile> dropped =
        Inventory.of(table, snapshot).deletes().stream()
            .filter(file -> file.content() == FileContent.POSITION_DELETES)
            .filter(file -> !ContentFileUtil.isDV(file))
            .toList();
    if (dropped.isEmpty()) {
      throw new NothingToDeleteException(
          "table " + table.name() + " has no position delete files to fold");
    }
    ExistingDeletes existing = new ExistingDeletes(table);
    List<RowDelete> rows = new ArrayList<>();
    for (FileScanTask task : tasks(snapshot)) {
      boolean byFile =
          task.deletes().stream()
              .anyMatch(
                  file ->
                      file.content() == FileContent.POSITION_DELETES
                          && !ContentFileUtil.isDV(file));
      PositionSet positions = byFile ? existing.of(task) : PositionSet.empty();
      if (!positions.isEmpty()) {
        rows.add(RowDelete.of(task, positions, PositionSet.empty(), PositionSet.empty()));
      }
    }
    return prepared("fold of position deletes", snapshot, dropped, rows);
  }

  private void requireVectors() {
    int version = TableUtil.formatVersion(table);
    if (version < FIRST_VERSION_WITH_VECTORS) {
      throw new UnsupportedFeatureException(
          "deletion vectors in table "
              + table.name()
              + " of format version "
              + version
              + ": upgrade it to version 3 first");
    }
  }

  /**
   * Equality deletes become vectors, or in version 2 position deletes, and go. Memory is bounded:
   * see {@link EqualityPositions}.
   */
  public PreparedChange prepareEqualityResolution() throws IOException {
    Snapshot snapshot = snapshot();
    List<DeleteFile> dropped =
        new ArrayList<>(
            Inventory.of(table, snapshot).deletes().stream()
                .filter(file -> file.content() == FileContent.EQUALITY_DELETES)
                .toList());
    if (dropped.isEmpty()) {
      throw new NothingToDeleteException("table " + table.name() + " has no equality deletes");
    }
    List<FileScanTask> tasks = tasks(snapshot);
    Map<String, PositionSet> byEquality = new EqualityPositions(table).of(tasks);
    ExistingDeletes existing = new ExistingDeletes(table);
    boolean vectors = TableUtil.formatVersion(table) >= FIRST_VERSION_WITH_VECTORS;
    List<RowDelete> rows = new ArrayList<>();
    for (FileScanTask task : tasks) {
      PositionSet found = byEquality.getOrDefault(task.file().location(), PositionSet.empty());
      if (!found.isEmpty()) {
        PositionSet before = existing.of(task);
        PositionSet more = found.minus(before);
        if (!more.isEmpty()) {
          RowDelete file = RowDelete.of(task, more, before, PositionSet.empty());
          rows.add(file);
          if (vectors) {
            dropped.addAll(file.superseded());
          }
        }
      }
    }
    return prepared("resolution of equality deletes", snapshot, dropped, rows);
  }

  /** Delete files that delete from no live data file go. */
  public PreparedChange prepareDanglingRemoval() throws IOException {
    Snapshot snapshot = snapshot();
    List<DeleteFile> dangling =
        new DanglingDeletes(table, Inventory.of(table, snapshot))
            .find(
                problem -> {
                  throw problem;
                });
    if (dangling.isEmpty()) {
      throw new NothingToDeleteException("table " + table.name() + " has no dangling deletes");
    }
    return prepared("removal of dangling deletes", snapshot, dangling, List.of());
  }

  private PreparedChange prepared(
      String what, Snapshot snapshot, List<DeleteFile> dropped, List<RowDelete> rows)
      throws IOException {
    CreatedFiles created = new CreatedFiles(table.io());
    try {
      DeleteFiles deletes = new DeleteFileWriter(table, created).mergeOnRead(rows);
      return prepared(what, snapshot.snapshotId(), Change.ofDeletes(deletes, dropped), created);
    } catch (IOException | RuntimeException | Error e) {
      created.takeBack();
      throw e;
    }
  }

  private PreparedChange prepared(
      String what, long snapshotId, Change change, CreatedFiles created) {
    return new PreparedChange(
        table,
        change,
        OptionalLong.of(snapshotId),
        new Validation(what, IsolationLevel.SNAPSHOT, file -> false),
        created);
  }

  /** The data files that have more than one vector. Reads the vectors, changes nothing. */
  public RepairPlan planRepair() throws IOException {
    Snapshot snapshot = snapshot();
    Inventory inventory = Inventory.of(table, snapshot);
    DeletionVectors reader = new DeletionVectors(table.io());
    List<RepairPlan.Duplicate> duplicates = new ArrayList<>();
    for (Map.Entry<String, List<DeleteFile>> entry : inventory.vectors().entrySet()) {
      DataFile dataFile = inventory.dataFiles().get(entry.getKey());
      if (entry.getValue().size() > 1 && dataFile != null) {
        PositionSet union = PositionSet.empty();
        for (DeleteFile vector : DeleteFileSet.of(entry.getValue())) {
          union = union.union(reader.read(vector));
        }
        duplicates.add(new RepairPlan.Duplicate(dataFile, entry.getValue(), union));
      }
    }
    return new RepairPlan(inventory.snapshotId(), duplicates);
  }

  /** Each data file of the plan gets one vector, the union of those that it has. */
  public PreparedChange prepareRepair(RepairPlan plan) throws IOException {
    if (plan.files().isEmpty()) {
      throw new NothingToDeleteException(
          "no data file of table " + table.name() + " has two vectors");
    }
    CreatedFiles created = new CreatedFiles(table.io());
    OutputFileFactory files =
        OutputFileFactory.builderFor(table, 0, 0)
            .format(FileFormat.PUFFIN)
            .suffix("deletes")
            .ioSupplier(() -> created)
            .build();
    try (DeletionVectorFile out =
        new DeletionVectorFile(files.newOutputFile().encryptingOutputFile(), table.specs())) {
      List<DeleteFile> dropped = new ArrayList<>();
      for (RepairPlan.Duplicate file : plan.files()) {
        out.add(file.dataFile(), file.union());
        dropped.addAll(file.vectors());
      }
      DeleteFiles vectors = new DeleteFiles(out.finish().vectors());
      return prepared(
          "repair of doubled vectors",
          plan.snapshotId(),
          Change.ofDeletes(vectors, dropped),
          created);
    } catch (IOException | RuntimeException | Error e) {
      created.takeBack();
      throw e;
    }
  }
}
