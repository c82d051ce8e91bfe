package dev.narwhal.iceberg.parquet;

/** Writes one column of a row. */
interface ColumnRowWriter {
  /**
   * Writes the value, or null, of a row of the bound batch.
   *
   * @param repetitionLevel Parquet's, 0 where a new row begins
   */
  void write(int repetitionLevel, int row);
}
