package dev.narwhal.iceberg.rowdelete;

import dev.narwhal.iceberg.source.Judge;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;

/** What a table is made of by now, as Iceberg itself sees it. */
final class TableState {
  private TableState() {}

  static List<DeleteFile> liveDeletes(Table table) throws IOException {
    table.refresh();
    List<DeleteFile> deletes = new ArrayList<>();
    for (ManifestFile manifest : table.currentSnapshot().deleteManifests(table.io())) {
      try (ManifestReader<DeleteFile> reader =
          ManifestFiles.readDeleteManifest(manifest, table.io(), table.specs())) {
        reader.forEach(file -> deletes.add(file.copy()));
      }
    }
    return deletes;
  }

  static List<Long> fileSizes(Table table) throws IOException {
    table.refresh();
    List<Long> sizes = new ArrayList<>();
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      tasks.forEach(task -> sizes.add(task.file().recordCount()));
    }
    return sizes;
  }

  static Set<Integer> liveIds(Table table) throws IOException {
    table.refresh();
    return Judge.liveRows(table).keySet();
  }

  static Map<Object, List<Object>> lineage(Table table) throws IOException {
    table.refresh();
    Map<Object, List<Object>> rows = new HashMap<>();
    Schema schema = MetadataColumns.schemaWithRowLineage(table.schema());
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).project(schema).build()) {
      for (Record record : records) {
        rows.put(
            record.getField("id"),
            List.of(record.getField("_row_id"), record.getField("_last_updated_sequence_number")));
      }
    }
    return rows;
  }
}
