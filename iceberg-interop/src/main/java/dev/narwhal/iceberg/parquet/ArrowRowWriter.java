package dev.narwhal.iceberg.parquet;

import dev.narwhal.iceberg.mapping.ColumnValues;
import dev.narwhal.iceberg.mapping.ListValues;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.iceberg.FieldMetrics;
import org.apache.iceberg.parquet.ParquetValueWriter;
import org.apache.iceberg.parquet.TripleWriter;
import org.apache.iceberg.types.Types;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.schema.MessageType;

/**
 * Writes the row in hand of an {@link ArrowRows}, column by column. One for each file; the metrics
 * that Parquet's footer lacks (NaN counts, bounds of floats) are gathered on the way.
 */
public final class ArrowRowWriter implements ParquetValueWriter<ArrowRows> {
  private final ArrowRows rows;
  private final List<LeafWriter> leaves = new ArrayList<>();
  private final ColumnRowWriter[] writers;

  /**
   * For use as Iceberg's {@code createWriterFunc}.
   *
   * @param type the Parquet schema that Iceberg made of {@code rows.schema()}
   */
  public ArrowRowWriter(ArrowRows rows, MessageType type) {
    this.rows = rows;
    List<ColumnDescriptor> descriptors = type.getColumns();
    this.writers = new ColumnRowWriter[descriptors.size()];
    for (int i = 0; i < writers.length; i++) {
      Types.NestedField field = rows.schema().columns().get(i);
      writers[i] = writer(field, rows.columns().get(i), descriptors.get(i));
    }
  }

  /** Every column that maps has exactly one leaf: a primitive, or the elements of a list. */
  private ColumnRowWriter writer(
      Types.NestedField field, ColumnValues values, ColumnDescriptor descriptor) {
    if (values instanceof ListValues lists) {
      Types.ListType type = field.type().asListType();
      LeafWriter elements =
          leaf(field.name() + ".element", type.isElementOptional(), lists.elements(), descriptor);
      return new ListWriter(rows, field.name(), field.isOptional(), lists, elements, descriptor);
    }
    return leaf(field.name(), field.isOptional(), values, descriptor);
  }

  private LeafWriter leaf(
      String name, boolean optional, ColumnValues values, ColumnDescriptor descriptor) {
    LeafWriter leaf = new LeafWriter(rows, name, optional, values, descriptor);
    leaves.add(leaf);
    return leaf;
  }

  @Override
  public void write(int repetitionLevel, ArrowRows rowInHand) {
    int row = rowInHand.row();
    for (ColumnRowWriter writer : writers) {
      writer.write(repetitionLevel, row);
    }
  }

  @Override
  public List<TripleWriter<?>> columns() {
    List<TripleWriter<?>> columns = new ArrayList<>(leaves.size());
    for (LeafWriter leaf : leaves) {
      columns.addAll(leaf.columns());
    }
    return columns;
  }

  @Override
  public void setColumnStore(ColumnWriteStore store) {
    for (LeafWriter leaf : leaves) {
      leaf.setColumnStore(store);
    }
  }

  @Override
  public Stream<FieldMetrics<?>> metrics() {
    return leaves.stream().flatMap(LeafWriter::metrics);
  }
}
