package dev.narwhal.iceberg.deletes;

import dev.narwhal.iceberg.table.CheckedInput;
import dev.narwhal.iceberg.table.NamedReading;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.InternalData;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.data.parquet.InternalReader;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.parquet.Parquet;

/**
 * Reads columns of position and equality delete files, in Parquet or Avro, values in Iceberg's
 * internal form. Safe for use by many threads.
 */
public final class DeleteFileRows {
  private final FileIO io;

  public DeleteFileRows(FileIO io) {
    this.io = io;
  }

  /**
   * All rows in the order of the file. One object is used for each of them.
   *
   * @return whose steps throw {@link DamagedDeleteFileException} where they fail
   * @throws UnsupportedFeatureException if the file is in another format
   */
  public CloseableIterable<StructLike> open(DeleteFile file, Schema projection) {
    return open(file, projection, Expressions.alwaysTrue());
  }

  /**
   * The same without parts of the file for which statistics say that no row is wanted.
   *
   * @param mayMatch true for all rows wanted
   */
  CloseableIterable<StructLike> open(DeleteFile file, Schema projection, Expression mayMatch) {
    InputFile input = CheckedInput.of(io.newInputFile(file));
    return new NamedReading<>(
        file.format() == FileFormat.PARQUET
            ? parquet(input, projection, mayMatch)
            : other(file, input, projection),
        (problem, cause) -> new DamagedDeleteFileException(file.location(), problem, cause));
  }

  private static CloseableIterable<StructLike> parquet(
      InputFile input, Schema projection, Expression mayMatch) {
    Parquet.ReadBuilder builder =
        Parquet.read(input)
            .project(projection)
            .reuseContainers()
            .createReaderFunc(fileSchema -> InternalReader.create(projection, fileSchema));
    return (mayMatch.op() == Expression.Operation.TRUE ? builder : builder.filter(mayMatch))
        .build();
  }

  private static CloseableIterable<StructLike> other(
      DeleteFile file, InputFile input, Schema projection) {
    if (file.format() != FileFormat.AVRO) {
      throw new UnsupportedFeatureException(
          "delete file "
              + file.location()
              + " is in the format "
              + file.format()
              + "; Parquet and Avro can be read, rewrite it with another engine first");
    }
    return InternalData.read(file.format(), input).project(projection).reuseContainers().build();
  }
}
