package dev.narwhal.cli.rows;

import static dev.narwhal.cli.rows.Batches.NO_DICTIONARIES;
import static dev.narwhal.cli.rows.Batches.field;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NestedRowsTest {
  private static final ArrowType INT32 = new ArrowType.Int(32, true);

  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  @Test
  void writesListsWithNullAndEmptyOnes() throws IOException {
    Field list = field("x", ArrowType.List.INSTANCE, field("item", INT32));
    try (VectorSchemaRoot batch = Batches.batch(allocator, list, ListVector.class, this::fill)) {
      assertThat(Batches.json(batch, NO_DICTIONARIES))
          .isEqualTo("{\"x\":[1,null]}\n{\"x\":null}\n{\"x\":[]}\n{\"x\":[3]}\n");
      assertThat(Batches.csv(batch, NO_DICTIONARIES))
          .isEqualTo("x\r\n\"[1,null]\"\r\n\r\n[]\r\n[3]\r\n");
    }
  }

  private void fill(ListVector vector) {
    IntVector items = (IntVector) vector.getDataVector();
    vector.startNewValue(0);
    items.setSafe(0, 1);
    items.setNull(1);
    vector.endValue(0, 2);
    vector.setNull(1);
    vector.startNewValue(2);
    vector.endValue(2, 0);
    vector.startNewValue(3);
    items.setSafe(2, 3);
    vector.endValue(3, 1);
    vector.setValueCount(4);
  }

  @Test
  void writesLargeLists() throws IOException {
    Field list = field("x", ArrowType.LargeList.INSTANCE, field("item", INT32));
    try (VectorSchemaRoot batch =
        Batches.batch(
            allocator,
            list,
            LargeListVector.class,
            v -> {
              v.startNewValue(0);
              ((IntVector) v.getDataVector()).setSafe(0, 7);
              v.endValue(0, 1);
              v.setValueCount(2);
            })) {
      assertThat(Batches.json(batch, NO_DICTIONARIES)).isEqualTo("{\"x\":[7]}\n{\"x\":null}\n");
    }
  }

  @Test
  void writesFixedSizeLists() throws IOException {
    ArrowType single = new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
    Field vectors = field("x", new ArrowType.FixedSizeList(2), field("item", single));
    try (VectorSchemaRoot batch =
        Batches.batch(
            allocator,
            vectors,
            FixedSizeListVector.class,
            v -> {
              Float4Vector items = (Float4Vector) v.getDataVector();
              v.setNotNull(0);
              v.setNotNull(2);
              items.setSafe(0, 0.5f);
              items.setSafe(1, -1f);
              items.setSafe(4, Float.NaN);
              items.setNull(5);
              v.setValueCount(3);
            })) {
      assertThat(Batches.json(batch, NO_DICTIONARIES))
          .isEqualTo("{\"x\":[0.5,-1.0]}\n{\"x\":null}\n{\"x\":[\"NaN\",null]}\n");
    }
  }

  @Test
  void writesStructsAsObjectsAndMapsAsEntries() throws IOException {
    Field struct = field("s", ArrowType.Struct.INSTANCE, field("a", INT32), field("b\"c", INT32));
    Field map =
        new Field(
            "m",
            FieldType.nullable(new ArrowType.Map(false)),
            List.of(
                new Field(
                    "entries",
                    FieldType.notNullable(ArrowType.Struct.INSTANCE),
                    List.of(
                        new Field("k", FieldType.notNullable(ArrowType.Utf8.INSTANCE), null),
                        field("v", INT32)))));
    StructVector structs = (StructVector) struct.createVector(allocator);
    structs.allocateNew();
    structs.setIndexDefined(0);
    ((IntVector) structs.getChild("a")).setSafe(0, 1);
    structs.setNull(1);
    structs.setValueCount(2);
    MapVector maps = (MapVector) map.createVector(allocator);
    maps.allocateNew();
    StructVector entries = (StructVector) maps.getDataVector();
    maps.startNewValue(0);
    entries.setIndexDefined(0);
    entries.setIndexDefined(1);
    ((VarCharVector) entries.getChild("k")).setSafe(0, "one".getBytes(UTF_8));
    ((IntVector) entries.getChild("v")).setSafe(0, 1);
    ((VarCharVector) entries.getChild("k")).setSafe(1, "none".getBytes(UTF_8));
    maps.endValue(0, 2);
    entries.setValueCount(2);
    maps.setValueCount(2);
    try (VectorSchemaRoot batch = new VectorSchemaRoot(List.of(structs, maps))) {
      assertThat(throughArrow(batch)).isEqualTo(Batches.json(batch, NO_DICTIONARIES));
      assertThat(Batches.json(batch, NO_DICTIONARIES))
          .isEqualTo(
              """
              {"s":{"a":1,"b\\"c":null},"m":[{"key":"one","value":1},{"key":"none","value":null}]}
              {"s":null,"m":null}
              """);
      assertThat(Batches.csv(batch, NO_DICTIONARIES))
          .startsWith("s,m\r\n\"{\"\"a\"\":1,\"\"b\\\"\"c\"\":null}\",")
          .endsWith("\r\n,\r\n");
    }
  }

  @Test
  void writesWhatExtensionTypesOfFixedBytesMean() throws IOException {
    try (VectorSchemaRoot uuids =
            fixed("arrow.uuid", 16, Arrays.copyOf(new byte[] {0, 0x11, 0x22, 0x33}, 16));
        VectorSchemaRoot floats = fixed("lance.bfloat16", 2, new byte[] {(byte) 0xC0, 0x3F});
        VectorSchemaRoot others = fixed("some.thing", 2, new byte[] {1, -1})) {
      assertThat(Batches.json(uuids, NO_DICTIONARIES))
          .isEqualTo("{\"x\":[\"00112233-0000-0000-0000-000000000000\",null]}\n");
      assertThat(Batches.json(floats, NO_DICTIONARIES)).isEqualTo("{\"x\":[1.5,null]}\n");
      assertThat(Batches.json(others, NO_DICTIONARIES)).isEqualTo("{\"x\":[\"Af8=\",null]}\n");
    }
  }

  /** A list of the value and null. */
  private VectorSchemaRoot fixed(String extension, int width, byte[] value) {
    Field item =
        new Field(
            "item",
            new FieldType(
                true,
                new ArrowType.FixedSizeBinary(width),
                null,
                Map.of(ArrowType.ExtensionType.EXTENSION_METADATA_KEY_NAME, extension)),
            null);
    VectorSchemaRoot batch =
        Batches.batch(
            allocator,
            field("x", ArrowType.List.INSTANCE, item),
            ListVector.class,
            lists -> {
              FixedSizeBinaryVector items = (FixedSizeBinaryVector) lists.getDataVector();
              lists.startNewValue(0);
              items.setSafe(0, value);
              items.setNull(1);
              lists.endValue(0, 2);
              lists.setValueCount(1);
            });
    batch.setRowCount(1);
    return batch;
  }

  @Test
  void writesTheValueOfADictionaryNotItsKey() throws IOException {
    try (VarCharVector values = new VarCharVector("values", allocator)) {
      values.allocateNew();
      values.setSafe(0, "low".getBytes(UTF_8));
      values.setSafe(1, "high".getBytes(UTF_8));
      values.setValueCount(2);
      DictionaryEncoding encoding = new DictionaryEncoding(9, false, new ArrowType.Int(8, true));
      Field keys =
          new Field("x", new FieldType(true, new ArrowType.Int(8, true), encoding), List.of());
      MapDictionaryProvider dictionaries =
          new MapDictionaryProvider(new Dictionary(values, encoding));
      try (VectorSchemaRoot batch =
          Batches.batch(
              allocator,
              keys,
              TinyIntVector.class,
              v -> {
                v.setSafe(0, 1);
                v.setSafe(2, 0);
                v.setValueCount(3);
              })) {
        assertThat(Batches.json(batch, dictionaries))
            .isEqualTo("{\"x\":\"high\"}\n{\"x\":null}\n{\"x\":\"low\"}\n");
        assertThat(Batches.csv(batch, dictionaries)).isEqualTo("x\r\nhigh\r\n\r\nlow\r\n");
        assertThatThrownBy(() -> Batches.json(batch, NO_DICTIONARIES))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("column x: no dictionary with id 9");
      }
    }
  }

  @Test
  void arrowStreamHoldsEveryBatch() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Field field = field("x", new ArrowType.Int(64, true));
    try (VectorSchemaRoot first = numbers(field, 1, 2);
        VectorSchemaRoot second = numbers(field, 3);
        ArrowRows rows = new ArrowRows(first.getSchema(), NO_DICTIONARIES, out, allocator)) {
      rows.write(first);
      rows.write(second);
      assertThat(first.getRowCount()).isEqualTo(2);
    }
    try (ArrowStreamReader reader =
        new ArrowStreamReader(new ByteArrayInputStream(out.toByteArray()), allocator)) {
      StringBuilder read = new StringBuilder();
      while (reader.loadNextBatch()) {
        read.append(Batches.json(reader.getVectorSchemaRoot(), NO_DICTIONARIES));
      }
      assertThat(read.toString()).isEqualTo("{\"x\":1}\n{\"x\":2}\n{\"x\":3}\n");
      assertThat(reader.bytesRead()).isEqualTo(out.size());
    }
  }

  /** The JSON of what a reader of the Arrow stream sees. */
  private String throughArrow(VectorSchemaRoot batch) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ArrowRows rows = new ArrowRows(batch.getSchema(), NO_DICTIONARIES, out, allocator)) {
      rows.write(batch);
    }
    try (ArrowStreamReader reader =
        new ArrowStreamReader(new ByteArrayInputStream(out.toByteArray()), allocator)) {
      assertThat(reader.loadNextBatch()).isTrue();
      assertThat(reader.getVectorSchemaRoot().getSchema()).isEqualTo(batch.getSchema());
      return Batches.json(reader.getVectorSchemaRoot(), NO_DICTIONARIES);
    }
  }

  @Test
  void arrowStreamWithoutRowsHasASchema() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Field field = field("x", new ArrowType.Int(64, true));
    try (VectorSchemaRoot empty = numbers(field)) {
      new ArrowRows(empty.getSchema(), NO_DICTIONARIES, out, allocator).close();
      try (ArrowStreamReader reader =
          new ArrowStreamReader(new ByteArrayInputStream(out.toByteArray()), allocator)) {
        assertThat(reader.getVectorSchemaRoot().getSchema()).isEqualTo(empty.getSchema());
        assertThat(reader.loadNextBatch()).isFalse();
      }
    }
  }

  private VectorSchemaRoot numbers(Field field, long... values) {
    VectorSchemaRoot batch =
        Batches.batch(
            allocator,
            field,
            BigIntVector.class,
            v -> {
              for (int i = 0; i < values.length; i++) {
                v.setSafe(i, values[i]);
              }
              v.setValueCount(values.length);
            });
    batch.setRowCount(values.length);
    return batch;
  }
}
