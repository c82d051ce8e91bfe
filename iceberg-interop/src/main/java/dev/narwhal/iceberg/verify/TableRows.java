package dev.narwhal.iceberg.verify;

import dev.narwhal.iceberg.mapping.RowBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericDeleteFilter;
import org.apache.iceberg.data.IdentityPartitionConverters;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.formats.FormatModelRegistry;
import org.apache.iceberg.formats.ReadBuilder;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.PartitionUtil;

/**
 * The live rows of a table's current snapshot, one part for each data file, read by Iceberg's
 * generic reader with all kinds of deletes applied.
 */
final class TableRows implements RowSet {
  private final Schema schema;
  private final List<FileRows> parts;

  /**
   * @param schema the columns to read, in any order, with the table's field ids
   */
  TableRows(Table table, Schema schema) throws IOException {
    this.schema = schema;
    this.parts = new ArrayList<>();
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      tasks.forEach(task -> parts.add(new FileRows(table, schema, task)));
    }
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public List<? extends Part> parts() {
    return parts;
  }

  private record FileRows(Table table, Schema schema, FileScanTask task) implements Part {
    @Override
    public void forEach(RowConsumer consumer) throws IOException {
      GenericDeleteFilter deletes =
          new GenericDeleteFilter(table.io(), task, table.schema(), schema);
      RowBytes bytes = new RowBytes();
      RecordRowEncoder encoder = new RecordRowEncoder(schema, bytes);
      try (CloseableIterable<Record> live = deletes.filter(open(deletes.requiredSchema()))) {
        for (Record record : live) {
          encoder.encode(record);
          if (!consumer.accept(bytes)) {
            return;
          }
        }
      }
    }

    private CloseableIterable<Record> open(Schema required) {
      Map<Integer, ?> constants =
          PartitionUtil.constantsMap(task, IdentityPartitionConverters::convertConstant);
      ReadBuilder<Record, ?> builder =
          FormatModelRegistry.readBuilder(
              task.file().format(), Record.class, table.io().newInputFile(task.file()));
      return builder
          .project(required)
          .idToConstant(constants)
          .split(task.start(), task.length())
          .reuseContainers()
          .build();
    }
  }
}
