package dev.narwhal.cli.rows;

import dev.narwhal.cli.output.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Rows as CSV after RFC 4180: a header line, CRLF line ends, UTF-8. Null is an empty field, the
 * empty string is {@code ""}; lists, structs and maps are their JSON text.
 */
public final class CsvRows implements RowWriter {
  private static final byte[] CRLF = {'\r', '\n'};

  private final OutputStream out;
  private final CsvValues values;
  private final Cells cells;
  private final ByteArrayOutputStream nested = new ByteArrayOutputStream();

  /** Writes the header at once, so that a result without rows has one too. */
  public CsvRows(Schema schema, DictionaryProvider dictionaries, OutputStream out)
      throws IOException {
    this.out = out;
    this.values = new CsvValues(out);
    this.cells = new Cells(dictionaries);
    List<Field> fields = schema.getFields();
    for (int column = 0; column < fields.size(); column++) {
      separate(column);
      values.text(fields.get(column).getName());
    }
    out.write(CRLF);
  }

  @Override
  public void write(VectorSchemaRoot batch) throws IOException {
    Cell[] columns = cells.of(batch);
    List<FieldVector> vectors = batch.getFieldVectors();
    int rows = batch.getRowCount();
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns.length; column++) {
        separate(column);
        if (!cells.isNested(vectors.get(column))) {
          columns[column].write(row, values);
        } else if (!vectors.get(column).isNull(row)) {
          writeNested(columns[column], row);
        }
      }
      out.write(CRLF);
    }
  }

  @Override
  public void close() {}

  private void separate(int column) throws IOException {
    if (column > 0) {
      out.write(',');
    }
  }

  private void writeNested(Cell cell, int row) throws IOException {
    nested.reset();
    try (var json = Json.generator(nested)) {
      cell.write(row, new JsonValues(json));
    }
    values.field(nested.toByteArray(), nested.size());
  }
}
