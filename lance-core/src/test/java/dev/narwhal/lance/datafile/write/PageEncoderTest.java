package dev.narwhal.lance.datafile.write;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.datafile.FileVersion;
import dev.narwhal.lance.datafile.LanceFile;
import dev.narwhal.lance.datafile.PageInfo;
import dev.narwhal.lance.schema.LogicalTypes;
import dev.narwhal.lance.storage.MemoryObjectStore;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which layout and encoding data get; that they hold it, the comparison with real Lance shows. */
class PageEncoderTest {
  private static final ArrowType LONG = new ArrowType.Int(64, true);
  private static final ArrowType TEXT = new ArrowType.Utf8();
  private static final Random RANDOM = new Random(3);

  static Stream<Arguments> choices() {
    Map<String, String> none = Map.of();
    Map<String, String> zstd = Map.of("lance-encoding:compression", "zstd");
    Map<String, String> plain = Map.of("lance-encoding:compression", "none");
    return Stream.of(
        row("few bits", "2.1", LONG, none, i -> (long) i, "mini-block inline-bitpacking 64"),
        row("all bits", "2.1", LONG, none, i -> RANDOM.nextLong(), "mini-block flat 64"),
        row("runs", "2.1", LONG, none, i -> (long) (i / 200) << 40, "mini-block rle 64"),
        row("not asked", "2.1", LONG, plain, i -> (long) i, "mini-block flat 64"),
        row("one value", "2.1", LONG, none, i -> 7L, "mini-block rle 64"),
        row("one value", "2.2", LONG, none, i -> 7L, "constant inline value"),
        row("nulls", "2.1", LONG, none, i -> null, "constant no inline value"),
        row("one text", "2.2", TEXT, none, i -> "same", "constant no inline value"),
        row(
            "few texts",
            "2.1",
            TEXT,
            none,
            i -> "text " + i % 7,
            "mini-block inline-bitpacking 32, dictionary variable 32"),
        row(
            "long texts",
            "2.1",
            TEXT,
            none,
            i -> "https://example.com/" + i,
            "mini-block fsst(variable 32)"),
        row(
            "compressed",
            "2.1",
            TEXT,
            zstd,
            i -> "https://example.com/" + i,
            "mini-block general(zstd, variable 32)"),
        row("wide", "2.1", TEXT, plain, i -> "x".repeat(250 + i % 20) + i, "full-zip variable 32"),
        row(
            "very wide",
            "2.1",
            TEXT,
            none,
            i -> "x".repeat(i == 9 ? 40_000 : 3) + i,
            "full-zip general(zstd, variable 32)"));
  }

  private static Arguments row(
      String name,
      String version,
      ArrowType type,
      Map<String, String> hints,
      IntFunction<Object> value,
      String expected) {
    return Arguments.of(name, version, type, hints, value, expected);
  }

  @ParameterizedTest(name = "{0} in {1}: {5}")
  @MethodSource("choices")
  void choosesByTheData(
      String name,
      String version,
      ArrowType type,
      Map<String, String> hints,
      IntFunction<Object> value,
      String expected)
      throws IOException {
    Field field = new Field("c", new FieldType(true, type, null, hints), List.of());
    Schema schema = new Schema(List.of(field));
    MemoryObjectStore store = new MemoryObjectStore();
    FileVersion fileVersion = FileVersion.of(2, version.charAt(2) - '0');
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot batch = VectorSchemaRoot.create(schema, allocator);
        LanceFileWriter writer =
            LanceFileWriter.create(
                store, "a", LogicalTypes.of(schema), WriterOptions.of(fileVersion))) {
      fill(batch.getVector("c"), value);
      batch.setRowCount(ROWS);
      writer.write(batch);
      writer.finish();
    }
    try (LanceFile file = LanceFile.open(store, "a")) {
      PageInfo page = file.pages(0).get(0);
      assertThat(page.layout() + " " + page.encoding()).isEqualTo(expected);
      assertThat(page.rows()).isEqualTo(ROWS);
    }
  }

  private static final int ROWS = 3000;

  private static void fill(FieldVector vector, IntFunction<Object> values) {
    vector.allocateNew();
    for (int i = 0; i < ROWS; i++) {
      Object value = values.apply(i);
      if (value instanceof Long number) {
        ((BigIntVector) vector).setSafe(i, number);
      } else if (value instanceof String text) {
        ((VarCharVector) vector).setSafe(i, text.getBytes(UTF_8));
      } else {
        vector.setNull(i);
      }
    }
    vector.setValueCount(ROWS);
  }
}
