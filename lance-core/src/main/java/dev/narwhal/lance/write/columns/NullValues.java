package dev.narwhal.lance.write.columns;

import dev.narwhal.lance.write.WriteContext;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;

/** Columns that are null in all rows there are. */
record NullValues(List<Field> columns) implements ColumnValues {
  NullValues {
    columns = List.copyOf(columns);
    for (Field column : columns) {
      if (!column.isNullable()) {
        throw new IllegalArgumentException(
            "column '"
                + column.getName()
                + "' would be null in all rows and so must be nullable; give it an expression");
      }
    }
  }

  @Override
  public List<Field> fields(WriteContext context) {
    return columns;
  }

  @Override
  public boolean writes() {
    return false;
  }

  @Override
  public boolean repeatable() {
    return true;
  }

  @Override
  public void fill(WriteContext context, List<Field> fields, List<ColumnFile> files) {
    // what no file holds is null
  }
}
