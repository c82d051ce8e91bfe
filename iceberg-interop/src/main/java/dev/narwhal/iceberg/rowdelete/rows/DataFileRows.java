package dev.narwhal.iceberg.rowdelete.rows;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.data.parquet.InternalReader;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.mapping.NameMapping;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.util.PartitionUtil;

/**
 * Reads columns of a table's data files with Iceberg's Parquet reader, values in its internal form.
 * Files without field ids are read through the table's name mapping; columns that a file lacks have
 * the value of its partition, or their initial default. Safe for use by many threads.
 */
public final class DataFileRows {
  private final Table table;
  private final Optional<NameMapping> mapping;

  public DataFileRows(Table table) {
    this.table = table;
    this.mapping = nameMapping(table);
  }

  /** The name mapping that a table's properties hold. */
  public static Optional<NameMapping> nameMapping(Table table) {
    return Optional.ofNullable(table.properties().get(TableProperties.DEFAULT_NAME_MAPPING))
        .map(NameMappingParser::fromJson);
  }

  /**
   * Refuses what is no Parquet file.
   *
   * @throws UnsupportedFeatureException naming file and format
   */
  public static void requireParquet(FileScanTask task) {
    if (task.file().format() != FileFormat.PARQUET) {
      throw new UnsupportedFeatureException(
          "data file "
              + task.file().location()
              + " is in the format "
              + task.file().format()
              + "; deletes of rows need Parquet, rewrite the file first");
    }
  }

  /** All rows in the order of the file, dead ones too. One object is used for each of them. */
  public CloseableIterable<StructLike> open(FileScanTask task, Schema projection) {
    return open(task, projection, Expressions.alwaysTrue());
  }

  /**
   * The rows of the row groups in which a row may match.
   *
   * @param projection the columns to read; {@code _pos} among them is the row's position in the
   *     file, whatever row groups are left out
   * @param mayMatch true for all rows wanted; columns of {@code projection} only
   */
  public CloseableIterable<StructLike> open(
      FileScanTask task, Schema projection, Expression mayMatch) {
    requireParquet(task);
    Map<Integer, ?> constants = PartitionUtil.constantsMap(task);
    Parquet.ReadBuilder builder =
        Parquet.read(table.io().newInputFile(task.file()))
            .project(projection)
            .createReaderFunc(
                fileSchema -> InternalReader.create(projection, fileSchema, constants))
            .reuseContainers();
    if (mayMatch.op() != Expression.Operation.TRUE) {
      builder.filter(mayMatch);
    }
    mapping.ifPresent(builder::withNameMapping);
    return builder.build();
  }
}
