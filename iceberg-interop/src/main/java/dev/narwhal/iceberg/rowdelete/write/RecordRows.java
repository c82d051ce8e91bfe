package dev.narwhal.iceberg.rowdelete.write;

import dev.narwhal.iceberg.rowdelete.rows.DamagedDataFileException;
import dev.narwhal.iceberg.rowdelete.rows.DataFileRows;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IdentityPartitionConverters;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.mapping.NameMapping;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.util.PartitionUtil;

/**
 * Reads data files as Iceberg's generic records, which its writers take. Safe for use by many
 * threads.
 */
final class RecordRows {
  private final Table table;
  private final Optional<NameMapping> mapping;

  RecordRows(Table table) {
    this.table = table;
    this.mapping = DataFileRows.nameMapping(table);
  }

  /**
   * All rows in the order of the file, dead ones too. One object is used for each of them.
   *
   * @return whose last step throws {@link DamagedDataFileException} if there were more or fewer
   *     rows than the table says
   */
  CloseableIterable<Record> open(FileScanTask task, Schema schema) {
    Map<Integer, ?> constants =
        PartitionUtil.constantsMap(task, IdentityPartitionConverters::convertConstant);
    Parquet.ReadBuilder builder =
        DataFileRows.reader(table, task)
            .project(schema)
            .createReaderFunc(
                fileSchema -> GenericParquetReaders.buildReader(schema, fileSchema, constants))
            .reuseContainers();
    mapping.ifPresent(builder::withNameMapping);
    return DataFileRows.whole(task, builder);
  }
}
