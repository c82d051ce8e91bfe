package dev.narwhal.cli.rows;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import dev.narwhal.cli.output.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Rows as JSON lines: one object per row, keys in column order. */
public final class JsonRows implements RowWriter {
  private final JsonGenerator json;
  private final JsonValues values;
  private final Cells cells;
  private final SerializedString[] names;

  public JsonRows(Schema schema, DictionaryProvider dictionaries, OutputStream out)
      throws IOException {
    json = Json.generator(out);
    values = new JsonValues(json);
    cells = new Cells(dictionaries);
    List<Field> fields = schema.getFields();
    names = new SerializedString[fields.size()];
    for (int i = 0; i < names.length; i++) {
      names[i] = new SerializedString(fields.get(i).getName());
    }
  }

  @Override
  public void write(VectorSchemaRoot batch) throws IOException {
    Cell[] columns = cells.of(batch);
    int rows = batch.getRowCount();
    for (int row = 0; row < rows; row++) {
      json.writeStartObject();
      for (int column = 0; column < columns.length; column++) {
        json.writeFieldName(names[column]);
        columns[column].write(row, values);
      }
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  @Override
  public void close() throws IOException {
    json.close();
  }
}
