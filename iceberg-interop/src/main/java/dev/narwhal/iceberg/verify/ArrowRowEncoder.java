package dev.narwhal.iceberg.verify;

import dev.narwhal.iceberg.mapping.ColumnValues;
import dev.narwhal.iceberg.mapping.RowBytes;
import dev.narwhal.iceberg.mapping.ValueEncoder;
import java.util.List;

/** Rows of Arrow batches, after the type mapping, as {@link RowBytes}. For one thread. */
final class ArrowRowEncoder {
  private final RowBytes out;
  private final List<ValueEncoder> encoders;

  /**
   * @param columns bound to each batch by the caller
   */
  ArrowRowEncoder(List<ColumnValues> columns, RowBytes out) {
    this.out = out;
    this.encoders = columns.stream().map(values -> ValueEncoder.of(values, out)).toList();
  }

  /** Encodes a row of the bound batch in place of the row before. */
  void encode(int row) {
    out.clear();
    for (ValueEncoder encoder : encoders) {
      encoder.encode(row);
    }
  }
}
