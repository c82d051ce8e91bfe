package dev.narwhal.iceberg.rowdelete.rows;

import dev.narwhal.iceberg.table.CheckedInput;
import dev.narwhal.iceberg.table.NamedReading;
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

  /**
   * All rows in the order of the file, dead ones too. One object is used for each of them.
   *
   * @return whose last step throws {@link DamagedDataFileException} if there were more or fewer
   *     rows than the table says
   */
  public CloseableIterable<StructLike> open(FileScanTask task, Schema projection) {
    Map<Integer, ?> constants = PartitionUtil.constantsMap(task);
    return whole(
        task,
        reading(task, projection)
            .createReaderFunc(
                fileSchema -> InternalReader.create(projection, fileSchema, constants)));
  }

  /**
   * Reads the live rows of the row groups in which a row may match, a batch at a time.
   *
   * @param batch is filled anew with each step, and handed out
   * @param mayMatch true for all rows wanted; columns of the batch only
   */
  public CloseableIterable<RowBatch> read(FileScanTask task, RowBatch batch, Expression mayMatch) {
    Map<Integer, ?> constants = PartitionUtil.constantsMap(task);
    Parquet.ReadBuilder builder =
        reading(task, batch.schema())
            .createBatchedReaderFunc(fileSchema -> RowBatchReader.of(batch, fileSchema, constants))
            .recordsPerBatch(RowBatch.CAPACITY);
    return named(
        task, mayMatch.op() == Expression.Operation.TRUE ? builder : builder.filter(mayMatch));
  }

  /**
   * What a reader without a filter reads of a data file, row by row.
   *
   * @return whose steps throw {@link DamagedDataFileException} where they fail, the last one too if
   *     there were more or fewer rows than the table says
   */
  public static <T> CloseableIterable<T> whole(FileScanTask task, Parquet.ReadBuilder reader) {
    return new WholeFile<>(task.file(), named(task, reader));
  }

  private static <T> CloseableIterable<T> named(FileScanTask task, Parquet.ReadBuilder reader) {
    return new NamedReading<>(
        reader.build(),
        (problem, cause) -> new DamagedDataFileException(task.file().location(), problem, cause));
  }

  /** A reader of a data file that checks its pages. */
  public static Parquet.ReadBuilder reader(Table table, FileScanTask task) {
    requireParquet(task);
    return Parquet.read(CheckedInput.of(table.io().newInputFile(task.file())));
  }

  private Parquet.ReadBuilder reading(FileScanTask task, Schema projection) {
    Parquet.ReadBuilder builder = reader(table, task).project(projection).reuseContainers();
    mapping.ifPresent(builder::withNameMapping);
    return builder;
  }
}
