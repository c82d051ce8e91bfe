package dev.narwhal.cli.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourceRecordsTest {
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.optional(1, "i", Types.IntegerType.get()),
          Types.NestedField.optional(2, "l", Types.LongType.get()),
          Types.NestedField.optional(3, "f", Types.FloatType.get()),
          Types.NestedField.optional(4, "d", Types.DoubleType.get()),
          Types.NestedField.optional(5, "p", Types.DecimalType.of(10, 2)),
          Types.NestedField.optional(6, "u", Types.UUIDType.get()),
          Types.NestedField.optional(7, "b", Types.BinaryType.get()),
          Types.NestedField.optional(
              8, "li", Types.ListType.ofOptional(9, Types.IntegerType.get())),
          Types.NestedField.optional(
              10,
              "m",
              Types.MapType.ofOptional(11, 12, Types.StringType.get(), Types.BooleanType.get())));

  @TempDir private Path folder;

  @Test
  void valuesAreThoseOfTheirColumns() throws IOException {
    List<Record> rows =
        rows(
            "{\"i\":-1,\"l\":9223372036854775807,\"f\":\"NaN\",\"d\":-0.0,\"p\":1e7,"
                + "\"u\":\"00000000-0000-0001-0000-000000000002\",\"b\":\"AQI=\",\"li\":[1,null],"
                + "\"m\":[{\"key\":\"k\",\"value\":true}]}\n{\"f\":-0.0,\"d\":1,\"p\":0e99999999}");
    Record first = rows.get(0);
    assertThat(first.getField("i")).isEqualTo(-1);
    assertThat(first.getField("l")).isEqualTo(Long.MAX_VALUE);
    assertThat(first.getField("f")).isEqualTo(Float.NaN);
    assertThat(first.getField("d")).isEqualTo(-0.0);
    assertThat(first.getField("p")).isEqualTo(new BigDecimal("10000000.00"));
    assertThat(first.getField("u")).isEqualTo(new UUID(1, 2));
    assertThat(first.getField("b")).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2}));
    assertThat(first.getField("li")).asString().isEqualTo("[1, null]");
    assertThat(first.getField("m")).isEqualTo(Map.of("k", true));
    Record second = rows.get(1);
    assertThat(second.getField("i")).isNull();
    assertThat(second.getField("f")).isEqualTo(-0.0f);
    assertThat(second.getField("d")).isEqualTo(1.0);
    assertThat(second.getField("p")).isEqualTo(new BigDecimal("0.00"));
  }

  @ParameterizedTest
  @CsvSource({
    "i, 2147483648",
    "i, 1.0",
    "l, 9223372036854775808",
    "l, 1e99999999",
    "f, 1e39",
    "d, 1e309",
    "p, 1e99999999",
    "p, 1e-99999999",
    "p, 123456789.5",
    "p, 0.001",
    "i, true",
    "li, 1",
    "m, [1]",
  })
  void whatAColumnCannotHoldIsRefused(String column, String value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rows("{}\n{\"" + column + "\":" + value + "}"))
        .withMessageContaining("rows.jsonl: line 2, " + column + ": ")
        .withMessageContaining(", expected ");
  }

  @Test
  void textThatIsNoUuidIsRefusedWithItsPlace() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rows("{\"u\":\"x\"}"))
        .withMessageContaining("rows.jsonl: line 1, u: \"x\", expected uuid");
  }

  private List<Record> rows(String lines) throws IOException {
    Path file = Files.writeString(folder.resolve("rows.jsonl"), lines);
    try (CloseableIterable<Record> records = SourceRecords.open(file, SCHEMA)) {
      List<Record> rows = new ArrayList<>();
      records.forEach(rows::add);
      return rows;
    }
  }
}
