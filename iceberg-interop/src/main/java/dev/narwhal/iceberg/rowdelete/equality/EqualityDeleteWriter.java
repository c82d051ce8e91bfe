package dev.narwhal.iceberg.rowdelete.equality;

import dev.narwhal.iceberg.deletes.DeleteFormat;
import dev.narwhal.iceberg.table.CreatedFiles;
import dev.narwhal.iceberg.table.FileSizes;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.io.RollingEqualityDeleteWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes equality delete files: the rows whose key is null where theirs is, and equal where theirs
 * has values, go from every data file that is in the table already.
 *
 * <p>They are written for an unpartitioned spec if the table has one, and then reach the whole
 * table. Else they are written for the partitions that the keys lie in, provided that the key has
 * the columns of the spec, and that no data file is of another spec, which they would not reach.
 *
 * <p>Source: Iceberg spec, "Equality Delete Files" and "Scan Planning".
 */
public final class EqualityDeleteWriter {
  private static final int FIRST_VERSION_WITH_DELETES = 2;

  private final Table table;
  private final CreatedFiles created;
  private final KeySchema key;

  /**
   * @param equalityIds ids of the fields that rows are compared by
   * @throws IllegalArgumentException if rows cannot be compared by such a field
   * @throws UnsupportedFeatureException if the table is of version 1, which has no delete files
   */
  public EqualityDeleteWriter(Table table, CreatedFiles created, Set<Integer> equalityIds) {
    if (TableUtil.formatVersion(table) < FIRST_VERSION_WITH_DELETES) {
      throw new UnsupportedFeatureException(
          "equality deletes in table " + table.name() + " of format version 1: upgrade it first");
    }
    this.table = table;
    this.created = created;
    this.key = KeySchema.ofNew(table, equalityIds);
  }

  /**
   * Writes the keys of some rows.
   *
   * @param rows with the table's columns in their order; only the key is looked at
   * @throws UnsupportedFeatureException if no spec of the table lets the deletes reach every row
   *     that they are about
   */
  public List<DeleteFile> write(Iterable<? extends Record> rows) throws IOException {
    PartitionSpec spec = spec();
    GenericFileWriterFactory writers = writers();
    OutputFileFactory files =
        OutputFileFactory.builderFor(table, 0, 0)
            .format(DeleteFormat.of(table))
            .suffix("deletes")
            .ioSupplier(() -> created)
            .build();
    InternalRecordWrapper internal = new InternalRecordWrapper(table.schema().asStruct());
    PartitionKey partition = new PartitionKey(spec, table.schema());
    KeyRecord keyRecord = new KeyRecord(table.schema(), key.schema());
    Map<PartitionKey, RollingEqualityDeleteWriter<Record>> open = new LinkedHashMap<>();
    try {
      for (Record row : rows) {
        partition.partition(internal.wrap(row));
        RollingEqualityDeleteWriter<Record> writer = open.get(partition);
        if (writer == null) {
          PartitionKey own = partition.copy();
          writer = writer(writers, files, spec, spec.isUnpartitioned() ? null : own);
          open.put(own, writer);
        }
        writer.write(keyRecord.of(row));
      }
    } finally {
      for (RollingEqualityDeleteWriter<Record> writer : open.values()) {
        writer.close();
      }
    }
    List<DeleteFile> written = new ArrayList<>();
    open.values().forEach(writer -> written.addAll(writer.result().deleteFiles()));
    return written;
  }

  private GenericFileWriterFactory writers() {
    FileFormat format = DeleteFormat.of(table);
    return new GenericFileWriterFactory.Builder(table)
        .deleteFileFormat(format)
        .equalityFieldIds(key.fieldIds().stream().mapToInt(Integer::intValue).toArray())
        .equalityDeleteRowSchema(key.schema())
        .build();
  }

  private RollingEqualityDeleteWriter<Record> writer(
      GenericFileWriterFactory writers,
      OutputFileFactory files,
      PartitionSpec spec,
      @Nullable PartitionKey partition) {
    return new RollingEqualityDeleteWriter<>(
        writers, files, created, FileSizes.ofDeletes(table), spec, partition);
  }

  private PartitionSpec spec() throws IOException {
    for (PartitionSpec spec : table.specs().values()) {
      if (spec.isUnpartitioned()) {
        return spec;
      }
    }
    PartitionSpec spec = table.spec();
    Set<Integer> sources = new TreeSet<>();
    for (PartitionField field : spec.fields()) {
      sources.add(field.sourceId());
    }
    if (!key.fieldIds().containsAll(sources)) {
      throw new UnsupportedFeatureException(
          "the key lacks columns that table "
              + table.name()
              + " is partitioned by, so that nobody knows where its rows are; add them to the key,"
              + " or delete by a condition");
    }
    if (table.currentSnapshot() != null) {
      requireOneSpec(spec);
    }
    return spec;
  }

  private void requireOneSpec(PartitionSpec spec) throws IOException {
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        DataFile file = task.file();
        if (file.specId() != spec.specId()) {
          throw new UnsupportedFeatureException(
              "data file "
                  + file.location()
                  + " is of the partition spec "
                  + file.specId()
                  + ", which deletes by equality of the current spec do not reach; rewrite it, or"
                  + " delete by a condition");
        }
      }
    }
  }
}
