package dev.narwhal.iceberg.parquet;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.iceberg.FieldMetrics;
import org.apache.iceberg.Schema;
import org.apache.iceberg.parquet.ParquetValueWriter;
import org.apache.iceberg.parquet.TripleWriter;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.schema.MessageType;

/**
 * Writes the row in hand of an {@link ArrowRows}, column by column. One for each file; the metrics
 * that Parquet's footer lacks (NaN counts, bounds of floats) are gathered on the way.
 */
public final class ArrowRowWriter implements ParquetValueWriter<ArrowRows> {
  private final FieldWriter[] columns;
  private final List<LeafWriter> leaves;

  /**
   * For use as Iceberg's {@code createWriterFunc}.
   *
   * @param schema of the table, whose columns are those of the rows
   * @param type the Parquet schema that Iceberg made of {@code schema}
   */
  public ArrowRowWriter(ArrowRows rows, Schema schema, MessageType type) {
    FieldWriters writers = new FieldWriters(rows, type.getColumns());
    this.columns = writers.ofColumns(schema.columns());
    this.leaves = writers.leaves();
  }

  @Override
  public void write(int repetitionLevel, ArrowRows rowInHand) {
    int row = rowInHand.row();
    for (FieldWriter column : columns) {
      column.write(repetitionLevel, row);
    }
  }

  @Override
  public List<TripleWriter<?>> columns() {
    List<TripleWriter<?>> triples = new ArrayList<>(leaves.size());
    for (LeafWriter leaf : leaves) {
      triples.addAll(leaf.columns());
    }
    return triples;
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
