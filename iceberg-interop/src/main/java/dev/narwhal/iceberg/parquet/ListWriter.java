package dev.narwhal.iceberg.parquet;

import dev.narwhal.iceberg.mapping.ListValues;

/**
 * A list in Parquet's three-level form. With definition level d of its null:
 *
 * <pre>
 * definition level   optional list     required list
 * null list          d                 -
 * empty list         d + 1             d
 * (null) element     d + 2 (or more)   d + 1 (or more)
 * </pre>
 *
 * <p>The first element repeats at the level of the list itself, the others at that of elements.
 */
final class ListWriter implements FieldWriter {
  private final Nullability nullability;
  private final ListValues values;
  private final FieldWriter elements;
  private final int elementRepetition;

  ListWriter(
      Nullability nullability, ListValues values, FieldWriter elements, int elementRepetition) {
    this.nullability = nullability;
    this.values = values;
    this.elements = elements;
    this.elementRepetition = elementRepetition;
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
    elements.write(repetitionLevel, start);
    for (int element = start + 1; element < end; element++) {
      elements.write(elementRepetition, element);
    }
  }

  @Override
  public void writeAbsent(int repetitionLevel, int definitionLevel) {
    elements.writeAbsent(repetitionLevel, definitionLevel);
  }
}
