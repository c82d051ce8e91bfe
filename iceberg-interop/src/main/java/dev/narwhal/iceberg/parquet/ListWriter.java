package dev.narwhal.iceberg.parquet;

import dev.narwhal.iceberg.mapping.ListValues;
import org.apache.parquet.column.ColumnDescriptor;

/**
 * One list column in Parquet's three-level form.
 *
 * <pre>
 * definition level   optional list   required list
 * null list          0               -
 * empty list         1               0
 * (null) element     2 (and 3)       1 (and 2)
 * </pre>
 *
 * <p>The first element repeats at the row's level, the others at level 1.
 */
final class ListWriter implements ColumnRowWriter {
  private final ArrowRows rows;
  private final String name;
  private final boolean optional;
  private final ListValues values;
  private final LeafWriter elements;
  private final int elementRepetition;

  ListWriter(
      ArrowRows rows,
      String name,
      boolean optional,
      ListValues values,
      LeafWriter elements,
      ColumnDescriptor descriptor) {
    this.rows = rows;
    this.name = name;
    this.optional = optional;
    this.values = values;
    this.elements = elements;
    this.elementRepetition = descriptor.getMaxRepetitionLevel();
  }

  @Override
  public void write(int repetitionLevel, int row) {
    if (values.isNull(row)) {
      if (!optional) {
        throw rows.unexpectedNull(name);
      }
      elements.writeAbsent(repetitionLevel, 0);
      return;
    }
    int size = values.size();
    if (size == 0) {
      elements.writeAbsent(repetitionLevel, optional ? 1 : 0);
      return;
    }
    int start = values.start(row);
    elements.write(repetitionLevel, start);
    for (int i = 1; i < size; i++) {
      elements.write(elementRepetition, start + i);
    }
  }
}
