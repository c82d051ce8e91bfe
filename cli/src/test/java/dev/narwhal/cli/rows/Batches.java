package dev.narwhal.cli.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Batches for tests, made and printed in one call. */
final class Batches {
  static final DictionaryProvider NO_DICTIONARIES = new DictionaryProvider.MapDictionaryProvider();

  private Batches() {}

  static Field field(String name, ArrowType type, Field... children) {
    return new Field(name, FieldType.nullable(type), List.of(children));
  }

  /** A batch of one column, filled by the caller, who sets the value count of the vector. */
  static <V extends FieldVector> VectorSchemaRoot batch(
      BufferAllocator allocator, Field field, Class<V> type, Consumer<V> fill) {
    FieldVector vector = field.createVector(allocator);
    vector.allocateNew();
    fill.accept(type.cast(vector));
    return new VectorSchemaRoot(List.of(vector));
  }

  static String json(VectorSchemaRoot batch, DictionaryProvider dictionaries) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonRows rows = new JsonRows(batch.getSchema(), dictionaries, out)) {
      rows.write(batch);
    }
    return out.toString(UTF_8);
  }

  static String csv(VectorSchemaRoot batch, DictionaryProvider dictionaries) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (CsvRows rows = new CsvRows(batch.getSchema(), dictionaries, out)) {
      rows.write(batch);
    }
    return out.toString(UTF_8);
  }
}
