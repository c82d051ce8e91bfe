package dev.narwhal.iceberg.rowdelete;

import java.io.IOException;
import java.util.List;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.TypeUtil;
import org.jspecify.annotations.Nullable;

/** Delete files of a memory table, written by Iceberg's own writers as other engines do. */
final class ForeignDeletes {
  private final MemoryTable memory;

  ForeignDeletes(MemoryTable memory) {
    this.memory = memory;
  }

  private OutputFileFactory files(FileFormat format) {
    return OutputFileFactory.builderFor(memory.table, 9, 9).format(format).build();
  }

  /** The same positions in each of some data files of an unpartitioned table. */
  DeleteFile positions(List<String> dataFiles, long... positions) throws IOException {
    PositionDeleteWriter<Record> writer =
        new GenericFileWriterFactory.Builder(memory.table)
            .deleteFileFormat(FileFormat.PARQUET)
            .build()
            .newPositionDeleteWriter(
                files(FileFormat.PARQUET).newOutputFile(), memory.table.spec(), null);
    try (writer) {
      for (String dataFile : dataFiles.stream().sorted().toList()) {
        for (long position : positions) {
          writer.write(PositionDelete.<Record>create().set(dataFile, position));
        }
      }
    }
    return writer.toDeleteFile();
  }

  /** A vector by Iceberg's own writer that knows nothing of an earlier one. */
  DeleteFile vector(org.apache.iceberg.DataFile dataFile, long... positions) throws IOException {
    BaseDVFileWriter writer = new BaseDVFileWriter(files(FileFormat.PUFFIN), path -> null);
    for (long position : positions) {
      writer.delete(
          dataFile.location(),
          position,
          memory.table.specs().get(dataFile.specId()),
          dataFile.partition());
    }
    writer.close();
    return writer.result().deleteFiles().get(0);
  }

  /** Equality deletes of rows by some columns. */
  DeleteFile equality(@Nullable PartitionKey partition, List<String> columns, List<Record> rows)
      throws IOException {
    int[] ids =
        columns.stream()
            .mapToInt(name -> memory.table.schema().findField(name).fieldId())
            .toArray();
    java.util.Set<Integer> set = new java.util.LinkedHashSet<>();
    for (int id : ids) {
      set.add(id);
    }
    EqualityDeleteWriter<Record> writer =
        new GenericFileWriterFactory.Builder(memory.table)
            .deleteFileFormat(FileFormat.PARQUET)
            .equalityFieldIds(ids)
            .equalityDeleteRowSchema(TypeUtil.select(memory.table.schema(), set))
            .build()
            .newEqualityDeleteWriter(
                files(FileFormat.PARQUET).newOutputFile(memory.table.spec(), partition),
                memory.table.spec(),
                partition);
    try (writer) {
      rows.forEach(writer::write);
    }
    return writer.toDeleteFile();
  }
}
