package dev.narwhal.iceberg.parquet;

/**
 * Writes one field of rows, with all Parquet columns that are below it.
 *
 * <p>Repetition and definition levels are Parquet's (format, "Nested Encoding"): the repetition
 * level tells at which list a value goes on, 0 where a row begins; the definition level how many of
 * the optional and repeated fields on its path are there.
 */
interface FieldWriter {
  /** Writes the value, or null, at a row of the bound vector. */
  void write(int repetitionLevel, int row);

  /** Writes that there is no value because what would hold it is null or empty. */
  void writeAbsent(int repetitionLevel, int definitionLevel);
}
