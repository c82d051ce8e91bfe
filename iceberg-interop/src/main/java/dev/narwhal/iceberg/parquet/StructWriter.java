package dev.narwhal.iceberg.parquet;

import dev.narwhal.iceberg.mapping.StructValues;

/** A struct: its fields, or their absence. */
final class StructWriter implements FieldWriter {
  private final Nullability nullability;
  private final StructValues values;
  private final FieldWriter[] fields;

  StructWriter(Nullability nullability, StructValues values, FieldWriter[] fields) {
    this.nullability = nullability;
    this.values = values;
    this.fields = fields;
  }

  @Override
  public void write(int repetitionLevel, int row) {
    if (values.isNull(row)) {
      writeAbsent(repetitionLevel, nullability.nullLevel());
      return;
    }
    for (FieldWriter field : fields) {
      field.write(repetitionLevel, row);
    }
  }

  @Override
  public void writeAbsent(int repetitionLevel, int definitionLevel) {
    for (FieldWriter field : fields) {
      field.writeAbsent(repetitionLevel, definitionLevel);
    }
  }
}
