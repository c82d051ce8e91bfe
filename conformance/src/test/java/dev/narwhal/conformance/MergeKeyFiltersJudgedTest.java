package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.write.merge.MergeOptions;
import dev.narwhal.lance.write.merge.WhenMatched;
import dev.narwhal.lance.write.merge.WhenNotMatched;
import dev.narwhal.lance.write.merge.WhenNotMatchedBySource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The filters of inserted keys, on tables with a primary key: ours have the bits that real Lance
 * sets, which is what lets either notice that the other inserted the same key.
 */
class MergeKeyFiltersJudgedTest {
  @TempDir Path folder;

  static Stream<Arguments> keys() {
    return Stream.of(
        Arguments.of(List.of(new ArrowType.Int(64, true))),
        Arguments.of(List.of(new ArrowType.Int(32, true))),
        Arguments.of(List.of(new ArrowType.Int(64, false))),
        Arguments.of(List.of(new ArrowType.Utf8())),
        Arguments.of(List.of(new ArrowType.LargeUtf8())),
        Arguments.of(List.of(new ArrowType.Binary())),
        Arguments.of(List.of(new ArrowType.Int(64, true), new ArrowType.Utf8())));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("keys")
  void filtersOfInsertedKeysAreThoseOfRealLance(List<ArrowType> types) throws IOException {
    List<Field> fields =
        Stream.iterate(0, i -> i < types.size(), i -> i + 1)
            .map(
                i ->
                    new Field(
                        "k" + i,
                        new FieldType(
                            false,
                            types.get(i),
                            null,
                            Map.of(
                                "lance-schema:unenforced-primary-key",
                                "true",
                                "lance-schema:unenforced-primary-key:position",
                                "" + (i + 1))),
                        List.of()))
            .toList();
    Schema schema = new Schema(fields);
    Path theirs = folder.resolve("theirs");
    JudgeWriter.at(theirs, "2.1")
        .create(schema, List.of(40), (batch, fragment, rows) -> fill(batch, 0, rows));
    Path ours = folder.resolve("ours");
    try (Stream<Path> files = Files.walk(theirs)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, ours.resolve(theirs.relativize(file).toString()));
      }
    }
    MergeCase merge =
        new MergeCase(
            fields.stream().map(Field::getName).toList(),
            WhenMatched.updateAll(),
            WhenNotMatched.INSERT,
            WhenNotMatchedBySource.keep());
    merge.byThem(theirs, schema, batch -> fill(batch, 20, 60));
    merge.byUs(ours, schema, batch -> fill(batch, 20, 60), MergeOptions.standard());
    assertThat(filter(ours)).isEqualTo(filter(theirs));
  }

  private static Operation.KeyFilter filter(Path table) throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset dataset = Dataset.open(table.toString(), allocator);
      Operation.Update update = (Operation.Update) dataset.transaction(2).orElseThrow().operation();
      return update.insertedKeys().orElseThrow();
    }
  }

  private static void fill(VectorSchemaRoot batch, int first, int rows) {
    batch.allocateNew();
    for (FieldVector vector : batch.getFieldVectors()) {
      for (int row = 0; row < rows; row++) {
        int value = (first + row) * 7 - 50;
        byte[] text =
            ("key " + value + " with some more text")
                .repeat(row % 3)
                .getBytes(StandardCharsets.UTF_8);
        byte[] unique =
            (value + new String(text, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
        if (vector instanceof BigIntVector longs) {
          longs.setSafe(row, value * 5_000_000_000L);
        } else if (vector instanceof UInt8Vector longs) {
          longs.setSafe(row, value * 5_000_000_000L);
        } else if (vector instanceof IntVector ints) {
          ints.setSafe(row, value);
        } else if (vector instanceof VarCharVector texts) {
          texts.setSafe(row, unique);
        } else if (vector instanceof LargeVarCharVector texts) {
          texts.setSafe(row, unique);
        } else {
          ((VarBinaryVector) vector).setSafe(row, unique);
        }
      }
    }
    batch.setRowCount(rows);
  }
}
