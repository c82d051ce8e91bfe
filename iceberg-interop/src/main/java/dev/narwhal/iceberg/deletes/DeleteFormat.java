package dev.narwhal.iceberg.deletes;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.util.Map;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;

/** The format of delete files that are no deletion vectors. */
public final class DeleteFormat {
  private DeleteFormat() {}

  /**
   * The format that a table's properties ask for: {@code write.delete.format.default}, else {@code
   * write.format.default}, else Parquet.
   *
   * @throws UnsupportedFeatureException if it is neither Parquet nor Avro
   */
  public static FileFormat of(Table table) {
    Map<String, String> properties = table.properties();
    String name =
        properties.getOrDefault(
            TableProperties.DELETE_DEFAULT_FILE_FORMAT,
            properties.getOrDefault(
                TableProperties.DEFAULT_FILE_FORMAT, TableProperties.DEFAULT_FILE_FORMAT_DEFAULT));
    boolean parquet = name.equalsIgnoreCase(FileFormat.PARQUET.name());
    if (!parquet && !name.equalsIgnoreCase(FileFormat.AVRO.name())) {
      throw new UnsupportedFeatureException(
          "delete files in the format "
              + name
              + " of table "
              + table.name()
              + ": set "
              + TableProperties.DELETE_DEFAULT_FILE_FORMAT
              + " to parquet or avro");
    }
    return parquet ? FileFormat.PARQUET : FileFormat.AVRO;
  }
}
