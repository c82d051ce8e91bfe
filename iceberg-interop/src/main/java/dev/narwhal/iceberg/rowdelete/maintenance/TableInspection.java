package dev.narwhal.iceberg.rowdelete.maintenance;

import dev.narwhal.iceberg.deletes.DamagedDeleteFileException;
import dev.narwhal.iceberg.deletes.DeletionVectors;
import dev.narwhal.iceberg.deletes.ExistingDeletes;
import dev.narwhal.iceberg.rowdelete.equality.EqualityPositions;
import dev.narwhal.iceberg.rowdelete.maintenance.InspectedTable.InspectedDelete;
import dev.narwhal.iceberg.rowdelete.maintenance.InspectedTable.InspectedFile;
import dev.narwhal.puffin.DvPuffinReader;
import dev.narwhal.puffin.PositionSet;
import dev.narwhal.puffin.PuffinFormatException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.ContentFileUtil;

/**
 * Looks at a table's data files and what is deleted from them, whatever state it is in. Delete
 * files are read, and of data files with equality deletes the columns compared.
 */
public final class TableInspection {
  private final Table table;
  private final List<String> warnings = new ArrayList<>();

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
          version, OptionalLong.empty(), List.of(), OptionalLong.of(0), warnings);
    }
    Inventory inventory = Inventory.of(table, snapshot);
    warnOfBareVectors(inventory);
    List<InspectedFile> files =
        warnOfDoubledVectors(inventory) ? listed(inventory) : planned(snapshot);
    for (DeleteFile file : new DanglingDeletes(table, inventory).find()) {
      warnings.add("delete file " + file.location() + " deletes from no live data file");
    }
    return new InspectedTable(
        version, OptionalLong.of(snapshot.snapshotId()), files, liveRows(files), warnings);
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
    Map<String, PositionSet> byEquality =
        new EqualityPositions(table)
            .of(
                tasks.stream()
                    .filter(
                        task ->
                            task.deletes().stream()
                                .anyMatch(file -> file.content() == FileContent.EQUALITY_DELETES))
                    .toList());
    ExistingDeletes existing = new ExistingDeletes(table);
    List<InspectedFile> files = new ArrayList<>();
    for (FileScanTask task : tasks) {
      PositionSet equality = byEquality.getOrDefault(task.file().location(), PositionSet.empty());
      files.add(
          new InspectedFile(
              task.file().location(),
              task.file().recordCount(),
              liveRows(task, existing, equality),
              deletes(task.deletes())));
    }
    return files;
  }

  private OptionalLong liveRows(FileScanTask task, ExistingDeletes existing, PositionSet equality)
      throws IOException {
    try {
      long dead = existing.of(task).union(equality).cardinality();
      return OptionalLong.of(task.file().recordCount() - dead);
    } catch (PuffinFormatException | DamagedDeleteFileException e) {
      warnings.add(String.valueOf(e.getMessage()));
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
