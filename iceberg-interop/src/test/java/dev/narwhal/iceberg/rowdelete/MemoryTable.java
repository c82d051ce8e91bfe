package dev.narwhal.iceberg.rowdelete;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** A table in memory, filled and read by Iceberg's own generic writers and readers. */
final class MemoryTable {
  final MemoryFiles files;
  final MemoryOperations operations;
  final Table table;

  private MemoryTable(MemoryFiles files, MemoryOperations operations) {
    this.files = files;
    this.operations = operations;
    this.table = new BaseTable(operations, "memory.table");
  }

  static MemoryTable of(MemoryFiles files, TableMetadata metadata) {
    return new MemoryTable(files, new MemoryOperations(files, metadata));
  }

  static MemoryTable create(
      int formatVersion, Schema schema, PartitionSpec spec, Map<String, String> properties) {
    Map<String, String> all = new HashMap<>(properties);
    all.put("format-version", Integer.toString(formatVersion));
    all.putIfAbsent("commit.retry.min-wait-ms", "1");
    return of(
        new MemoryFiles(),
        TableMetadata.newTableMetadata(schema, spec, SortOrder.unsorted(), "memory:///table", all));
  }

  static MemoryTable create(int formatVersion, Schema schema) {
    return create(formatVersion, schema, PartitionSpec.unpartitioned(), Map.of());
  }

  /** What another client has of it. */
  MemoryTable otherClient() {
    return new MemoryTable(files, operations.otherClient());
  }

  Record record(@Nullable Object... values) {
    Record record = GenericRecord.create(table.schema());
    for (int i = 0; i < values.length; i++) {
      record.set(i, values[i]);
    }
    return record;
  }

  /** Appends rows in one commit, as one data file for each partition. */
  void append(List<Record> rows) {
    table.refresh();
    PartitionSpec spec = table.spec();
    InternalRecordWrapper wrapper = new InternalRecordWrapper(table.schema().asStruct());
    Map<PartitionKey, List<Record>> partitions = new LinkedHashMap<>();
    PartitionKey key = new PartitionKey(spec, table.schema());
    for (Record row : rows) {
      key.partition(wrapper.wrap(row));
      partitions.computeIfAbsent(key.copy(), absent -> new ArrayList<>()).add(row);
    }
    AppendFiles append = table.newAppend();
    partitions.forEach((partition, own) -> append.appendFile(write(spec, partition, own)));
    append.commit();
  }

  void append(Record... rows) {
    append(Arrays.asList(rows));
  }

  DataFile write(PartitionSpec spec, @Nullable PartitionKey partition, List<Record> rows) {
    DataWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .dataFileFormat(FileFormat.PARQUET)
            .dataSchema(table.schema())
            .build()
            .newDataWriter(
                OutputFileFactory.builderFor(table, 0, 0)
                    .format(FileFormat.PARQUET)
                    .build()
                    .newOutputFile(spec, partition),
                spec,
                partition);
    try (writer) {
      rows.forEach(writer::write);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return writer.toDataFile();
  }

  /** All live rows by Iceberg's generic reader, ordered by their text. */
  List<String> rows() throws IOException {
    table.refresh();
    List<String> rows = new ArrayList<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      for (Record record : records) {
        rows.add(text(record, table.schema()));
      }
    }
    rows.sort(Comparator.naturalOrder());
    return rows;
  }

  /** The first column of all live rows, in order. */
  List<Object> ids() throws IOException {
    table.refresh();
    String first = table.schema().columns().get(0).name();
    List<Object> ids = new ArrayList<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      records.forEach(record -> ids.add(record.getField(first)));
    }
    ids.sort(Comparator.comparing(id -> ((Number) id).longValue()));
    return ids;
  }

  /** A row as text, column by column of the table. */
  static String text(Record record, Schema schema) {
    List<Object> values = new ArrayList<>();
    for (Types.NestedField column : schema.columns()) {
      values.add(String.valueOf(record.getField(column.name())));
    }
    return values.toString();
  }

  /** Row id and last update by the first column. */
  Map<Object, List<Object>> lineage() throws IOException {
    table.refresh();
    String first = table.schema().columns().get(0).name();
    Map<Object, List<Object>> rows = new HashMap<>();
    Schema schema = MetadataColumns.schemaWithRowLineage(table.schema());
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).project(schema).build()) {
      for (Record record : records) {
        rows.put(
            record.getField(first),
            List.of(record.getField("_row_id"), record.getField("_last_updated_sequence_number")));
      }
    }
    return rows;
  }

  List<FileScanTask> tasks() throws IOException {
    table.refresh();
    List<FileScanTask> tasks = new ArrayList<>();
    try (CloseableIterable<FileScanTask> planned = table.newScan().planFiles()) {
      planned.forEach(tasks::add);
    }
    tasks.sort(Comparator.comparing(task -> task.file().dataSequenceNumber()));
    return tasks;
  }

  List<DataFile> dataFiles() throws IOException {
    return tasks().stream().map(FileScanTask::file).toList();
  }

  /** Every live entry of the delete manifests, whether or not it applies to a data file. */
  List<DeleteFile> deletes() throws IOException {
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

  Map<String, String> summary() {
    table.refresh();
    return table.currentSnapshot().summary();
  }

  static long sum(Collection<DeleteFile> deletes) {
    return deletes.stream().mapToLong(DeleteFile::recordCount).sum();
  }
}
