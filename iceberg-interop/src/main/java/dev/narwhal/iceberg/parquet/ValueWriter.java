package dev.narwhal.iceberg.parquet;

import java.util.stream.Stream;
import org.apache.iceberg.FieldMetrics;

/** Writes the values of one Parquet column that are there. */
@FunctionalInterface
interface ValueWriter {
  void write(int repetitionLevel, int row);

  /** What Parquet's statistics do not tell of the values written; empty for most types. */
  default Stream<FieldMetrics<?>> metrics() {
    return Stream.empty();
  }
}
