package dev.narwhal.iceberg.parquet;

import dev.narwhal.iceberg.mapping.MapValues;

/** A map: a list, as in {@link ListWriter}, of keys and values. */
final class MapWriter implements FieldWriter {
  private final Nullability nullability;
  private final MapValues values;
  private final FieldWriter keys;
  private final FieldWriter mapped;
  private final int entryRepetition;

  MapWriter(
      Nullability nullability,
      MapValues values,
      FieldWriter keys,
      FieldWriter mapped,
      int entryRepetition) {
    this.nullability = nullability;
    this.values = values;
    this.keys = keys;
    this.mapped = mapped;
    this.entryRepetition = entryRepetition;
  }

  @Override
  public void write(int repetitionLevel, int row) {
    if (values.isNull(row)) {
      writeAbsent(repetitionLevel, nullability.nullLevel());
      return;
    }
    values.take(row);
    int start = values.start();
    int end = values.end();
    if (start == end) {
      writeAbsent(repetitionLevel, nullability.presentLevel());
      return;
    }
    for (int entry = start; entry < end; entry++) {
      int level = entry == start ? repetitionLevel : entryRepetition;
      keys.write(level, entry);
      mapped.write(level, entry);
    }
  }

  @Override
  public void writeAbsent(int repetitionLevel, int definitionLevel) {
    keys.writeAbsent(repetitionLevel, definitionLevel);
    mapped.writeAbsent(repetitionLevel, definitionLevel);
  }
}
