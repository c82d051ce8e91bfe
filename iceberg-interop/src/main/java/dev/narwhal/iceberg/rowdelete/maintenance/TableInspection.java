package dev.narwhal.iceberg.rowdelete.maintenance;

import dev.narwhal.iceberg.deletes.DamagedDeleteFileException;
import dev.narwhal.iceberg.deletes.DeletionVectors;
import dev.narwhal.iceberg.deletes.ExistingDeletes;
import dev.narwhal.iceberg.rowdelete.equality.EqualityPositions;
import dev.narwhal.iceberg.rowdelete.maintenance.InspectedTable.InspectedDelete;
import dev.narwhal.iceberg.rowdelete.maintenance.InspectedTable.InspectedFile;
import dev.narwhal.iceberg.rowdelete.rows.DamagedDataFileException;
import dev.narwhal.puffin.DvPuffinReader;
import dev.narwhal.puffin.PositionSet;
import dev.narwhal.puffin.PuffinFormatException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.ContentFileUtil;

/**
 * Looks at a table's data files and what is deleted from them, whatever state it is in. Delete
 * files are read, and of data files with equality deletes the columns compared.
 */
public final class TableInspection {
  private final Table table;
  private final Set<String> warnings = new LinkedHashSet<>();

  private TableInspection(Table table) {
    this.table = table;
  }

  public static InspectedTable of(Table table) throws IOException {
    return new TableInspection(table).inspect();
  }

  private InspectedTable inspect() throws IOException {
    int version = TableUtil.formatVersion(table);
    Snapshot snapshot = table.currentSnapshot();
    if (snapshot == null) {
      return new InspectedTable(
          version, OptionalLong.empty(), List.of(), OptionalLong.of(0), List.of());
    }
    Inventory inventory = Inventory.of(table, snapshot);
    warnOfBareVectors(inventory);
    List<InspectedFile> files =
        warnOfDoubledVectors(inventory) ? listed(inventory) : planned(snapshot);
    warnOfDanglingDeletes(inventory);
    return new InspectedTable(
        version,
        OptionalLong.of(snapshot.snapshotId()),
        files,
        liveRows(files),
        List.copyOf(warnings));
  }

  private void warnOfDanglingDeletes(Inventory inventory) throws IOException {
    DanglingDeletes dangling = new DanglingDeletes(table, inventory);
    for (DeleteFile file : dangling.find(this::warn)) {
      warnings.add("delete file " + file.location() + " deletes from no live data file");
    }
    for (DeleteFile file : dangling.doubtful()) {
      warnings.add(
          "delete file "
              + file.location()
              + " names data files that no snapshot of the table has, and repair keeps it: they are"
              + " long gone, or their names are damaged");
    }
  }

  private void warn(Exception problem) {
    warnings.add(String.valueOf(problem.getMessage()));
  }

  private static OptionalLong liveRows(List<InspectedFile> files) {
    long sum = 0;
    for (InspectedFile file : files) {
      if (file.liveRows().isEmpty()) {
        return OptionalLong.empty();
      }
      sum += file.liveRows().getAsLong();
    }
    return OptionalLong.of(sum);
  }

  private boolean warnOfDoubledVectors(Inventory inventory) {
    boolean doubled = false;
    for (Map.Entry<String, List<DeleteFile>> entry : inventory.vectors().entrySet()) {
      if (entry.getValue().size() > 1) {
        doubled = true;
        warnings.add(
            "data file "
                + entry.getKey()
                + " has "
                + entry.getValue().size()
                + " live vectors, so that no engine can read the table; run repair");
      }
    }
    return doubled;
  }

  private void warnOfBareVectors(Inventory inventory) throws IOException {
    Set<String> puffins = new LinkedHashSet<>();
    inventory.deletes().stream()
        .filter(ContentFileUtil::isDV)
        .forEach(file -> puffins.add(file.location()));
    for (String location : puffins) {
      try {
        if (!DeletionVectors.isContained(new DvPuffinReader(table.io().newInputFile(location)))) {
          warnings.add(location + " holds bare vectors without a Puffin container");
        }
      } catch (PuffinFormatException e) {
        warnings.add(location + ": " + e.getMessage());
      } catch (NotFoundException e) {
        warn(e);
      }
    }
  }

  /** Vectors by the name of their data file; what else applies only a scan could tell. */
  private static List<InspectedFile> listed(Inventory inventory) {
    Map<String, List<DeleteFile>> vectors = inventory.vectors();
    List<InspectedFile> files = new ArrayList<>();
    for (DataFile file : inventory.dataFiles().values()) {
      List<DeleteFile> own = vectors.getOrDefault(file.location(), List.of());
      files.add(
          new InspectedFile(
              file.location(), file.recordCount(), OptionalLong.empty(), deletes(own)));
    }
    return files;
  }

  private List<InspectedFile> planned(Snapshot snapshot) throws IOException {
    List<FileScanTask> tasks = new ArrayList<>();
    try (CloseableIterable<FileScanTask> planned =
        table.newScan().useSnapshot(snapshot.snapshotId()).planFiles()) {
      planned.forEach(tasks::add);
    }
    Optional<Map<String, PositionSet>> byEquality = byEquality(tasks);
    ExistingDeletes existing = new ExistingDeletes(table);
    List<InspectedFile> files = new ArrayList<>();
    for (FileScanTask task : tasks) {
      files.add(
          new InspectedFile(
              task.file().location(),
              task.file().recordCount(),
              liveRows(task, existing, byEquality),
              deletes(task.deletes())));
    }
    return files;
  }

  private static boolean hasEqualityDeletes(FileScanTask task) {
    return task.deletes().stream().anyMatch(file -> file.content() == FileContent.EQUALITY_DELETES);
  }

  /** What equality deletes delete, by data file; empty where a file needed cannot be read. */
  private Optional<Map<String, PositionSet>> byEquality(List<FileScanTask> tasks)
      throws IOException {
    try {
      return Optional.of(
          new EqualityPositions(table)
              .of(tasks.stream().filter(TableInspection::hasEqualityDeletes).toList()));
    } catch (NotFoundException | DamagedDeleteFileException | DamagedDataFileException e) {
      warn(e);
      return Optional.empty();
    }
  }

  private OptionalLong liveRows(
      FileScanTask task, ExistingDeletes existing, Optional<Map<String, PositionSet>> byEquality)
      throws IOException {
    try {
      PositionSet dead = existing.of(task);
      if (byEquality.isEmpty() && hasEqualityDeletes(task)) {
        return OptionalLong.empty();
      }
      PositionSet equal =
          byEquality.orElse(Map.of()).getOrDefault(task.file().location(), PositionSet.empty());
      return OptionalLong.of(task.file().recordCount() - dead.union(equal).cardinality());
    } catch (PuffinFormatException | NotFoundException | DamagedDeleteFileException e) {
      warn(e);
      return OptionalLong.empty();
    }
  }

  private static List<InspectedDelete> deletes(List<DeleteFile> files) {
    List<InspectedDelete> deletes = new ArrayList<>();
    for (DeleteFile file : files) {
      Long offset = file.contentOffset();
      String kind =
          ContentFileUtil.isDV(file)
              ? "deletion-vector"
              : file.content() == FileContent.POSITION_DELETES ? "position" : "equality";
      deletes.add(
          new InspectedDelete(
              file.location(),
              kind,
              offset == null ? OptionalLong.empty() : OptionalLong.of(offset),
              file.recordCount()));
    }
    return deletes;
  }
}
