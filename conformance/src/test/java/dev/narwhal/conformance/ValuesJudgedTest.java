package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.error.PredicateEvaluationException;
import dev.narwhal.lance.predicate.Projection;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.complex.impl.UnionListWriter;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.schema.SqlExpressions;

/** SQL values of our rows beside the column that real Lance makes from the same text. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ValuesJudgedTest {
  private static final int ROWS = 5;

  private final BufferAllocator allocator = new RootAllocator();
  private Path table = Path.of("");

  @BeforeAll
  void write(@TempDir Path folder) {
    table = folder.resolve("values.lance");
    JudgeWriter.at(table, "2.1").create(schema(), List.of(ROWS), (batch, f, rows) -> fill(batch));
  }

  @AfterAll
  void close() {
    allocator.close();
  }

  private static Field field(String name, ArrowType type, Field... children) {
    return new Field(name, FieldType.nullable(type), List.of(children));
  }

  private static ArrowType integer(int bits, boolean signed) {
    return new ArrowType.Int(bits, signed);
  }

  private static Schema schema() {
    return new Schema(
        List.of(
            field("i8", integer(8, true)),
            field("i16", integer(16, true)),
            field("i32", integer(32, true)),
            field("i64", integer(64, true)),
            field("u8", integer(8, false)),
            field("f32", new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE)),
            field("f64", new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE)),
            field("dec", new ArrowType.Decimal(10, 2, 128)),
            field("s", ArrowType.Utf8.INSTANCE),
            field("ls", ArrowType.LargeUtf8.INSTANCE),
            field("b", ArrowType.Bool.INSTANCE),
            field("d", new ArrowType.Date(DateUnit.DAY)),
            field("ts", new ArrowType.Timestamp(TimeUnit.MICROSECOND, null)),
            field("st", ArrowType.Struct.INSTANCE, field("a", integer(32, true))),
            field("l", ArrowType.List.INSTANCE, field("item", integer(32, true)))));
  }

  /** The last row is null. */
  private static void fill(VectorSchemaRoot batch) {
    batch.allocateNew();
    String[] texts = {"ab", " aBc ", "", "12", "x"};
    double[] reals = {2.55, -1.5, 0, 1e6, 1};
    for (int row = 0; row < ROWS - 1; row++) {
      byte[] text = texts[row].getBytes(StandardCharsets.UTF_8);
      ((TinyIntVector) batch.getVector("i8")).setSafe(row, row - 1);
      ((SmallIntVector) batch.getVector("i16")).setSafe(row, 100 * row);
      ((IntVector) batch.getVector("i32")).setSafe(row, row + 1);
      ((BigIntVector) batch.getVector("i64")).setSafe(row, 7L * row);
      ((UInt1Vector) batch.getVector("u8")).setSafe(row, 50 * row);
      ((Float4Vector) batch.getVector("f32")).setSafe(row, (float) reals[row]);
      ((Float8Vector) batch.getVector("f64")).setSafe(row, reals[row]);
      ((DecimalVector) batch.getVector("dec"))
          .setSafe(row, new BigDecimal("1.25").movePointRight(row).setScale(2));
      ((VarCharVector) batch.getVector("s")).setSafe(row, text);
      ((LargeVarCharVector) batch.getVector("ls")).setSafe(row, text);
      ((BitVector) batch.getVector("b")).setSafe(row, row % 2);
      ((DateDayVector) batch.getVector("d")).setSafe(row, 18_262 + 100 * row);
      ((TimeStampMicroVector) batch.getVector("ts"))
          .setSafe(row, 1_577_880_000_000_001L * (row + 1) / 2);
      StructVector st = (StructVector) batch.getVector("st");
      st.setIndexDefined(row);
      ((IntVector) st.getChild("a")).setSafe(row, 7 + row);
    }
    UnionListWriter lists = ((ListVector) batch.getVector("l")).getWriter();
    for (int row = 0; row < ROWS - 1; row++) {
      lists.setPosition(row);
      lists.startList();
      for (int item = 0; item < row; item++) {
        lists.integer().writeInt(10 * item);
      }
      lists.endList();
    }
    batch.setRowCount(ROWS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "i8",
        "i8 + 1",
        "i8 + i16",
        "i8 - i32",
        "i16 * i8",
        "i32 + i64",
        "i64 / 2",
        "i64 % 3",
        "i32 / 2",
        "i32 % 2",
        "-i64",
        "-i8",
        "i64 + NULL",
        "1 + 1",
        "3/2",
        "3.0/2",
        "2147483647 + 1",
        "f32 * 2",
        "f64 / 2",
        "f64 / 0",
        "i32 * f32",
        "i64 * f64",
        "i64 * f32",
        "dec + 1",
        "dec * dec",
        "dec % 3",
        "u8 + 1",
        "u8 * i64",
        "s || 'x'",
        "s || i64",
        "i64 || s",
        "upper(s)",
        "lower(ls)",
        "length(s)",
        "octet_length(s)",
        "btrim(s)",
        "ltrim(s)",
        "rtrim(s)",
        "reverse(s)",
        "repeat(s, 2)",
        "replace(s, 'a', 'b')",
        "lpad(s, 4, '.')",
        "rpad(s, 4, '.')",
        "left(s, 2)",
        "right(s, 2)",
        "split_part(s, 'a', 1)",
        "strpos(s, 'b')",
        "initcap(s)",
        "concat(s, 'x', i64)",
        "concat_ws('-', s, 'x')",
        "starts_with(s, 'a')",
        "ascii(s)",
        "chr(65)",
        "to_hex(i64)",
        "coalesce(s, 'none')",
        "coalesce(i64, f64)",
        "coalesce(i64, s)",
        "coalesce(i8, i64)",
        "nvl(s, 'n')",
        "ifnull(s, 'n')",
        "nullif(i64, 7)",
        "greatest(i64, 8)",
        "least(i64, 8)",
        "abs(i8)",
        "abs(i64)",
        "abs(f64)",
        "abs(dec)",
        "round(f64)",
        "round(f64, 1)",
        "round(f32)",
        "trunc(f64)",
        "power(f64, 2)",
        "sqrt(abs(f64))",
        "exp(i8)",
        "pi()",
        "gcd(i64, 21)",
        "isnan(f64)",
        "i64 > 1",
        "i64 > 1 AND b",
        "NOT b",
        "b IS NULL",
        "s LIKE 'a%'",
        "i64 IN (7, 14)",
        "i64 BETWEEN 1 AND 8",
        "s = 'ab'",
        "true",
        "1",
        "1.5",
        "'t'",
        "CAST(i64 AS string)",
        "CAST(f64 AS int)",
        "CAST(f64 AS float)",
        "CAST(i64 AS double)",
        "CAST(dec AS int)",
        "CAST(b AS int)",
        "CAST(i8 AS boolean)",
        "CAST(ts AS date)",
        "CAST(d AS string)",
        "CAST(ts AS string)",
        "CAST('5' AS int)",
        "CAST(f64 AS string)",
        "CAST(dec AS string)",
        "TRY_CAST(s AS int)",
        "try_cast(i64 * 10 AS tinyint)",
        "CAST(i64 AS decimal(10, 3))",
        "d",
        "ts",
        "date_part('year', ts)",
        "date_trunc('month', ts)",
        "date '2020-01-01'",
        "timestamp '2020-01-01 00:00:00'",
        "st.a",
        "st",
        "l",
        "l[1]",
        "array_length(l)",
        "st.a + i8",
      })
  void givesWhatRealLanceGives(String sql) throws IOException {
    assertThat(ours(sql)).isEqualTo(theirs(sql));
  }

  /** Real Lance wraps around, where ours is an error. */
  @ParameterizedTest
  @ValueSource(
      strings = {"u8 + u8", "i16 * i16", "i64 * 9223372036854775807", "i8 * 100", "u8 - 1"})
  void failsWhereRealLanceWrapsAround(String sql) throws IOException {
    assertThat(theirs(sql)).isNotEqualTo("fails");
    assertThat(ours(sql)).isEqualTo("fails");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "i64 / 0",
        "CAST(s AS int)",
        "CAST(300 AS tinyint)",
        "CAST(i64 * 10 AS tinyint)",
        "CAST(1e30 AS int)",
        "i64 + s",
        "s + 1",
        "d + s",
        "nope",
        "nope(1)",
        "i64 & 1",
        "s ~ 'a'",
        "sum(i64)",
        "(SELECT 1)",
        "st + 1",
      })
  void failsWhereRealLanceFails(String sql) throws IOException {
    assertThat(theirs(sql)).isEqualTo("fails");
    assertThat(ours(sql)).isEqualTo("fails");
  }

  private String theirs(String sql) throws IOException {
    try (LanceJudge judge = LanceJudge.open(table)) {
      SqlExpressions values = new SqlExpressions.Builder().withExpression("new", sql).build();
      try {
        judge.dataset().addColumns(values, Optional.empty());
      } catch (Exception e) { // the binding throws checked exceptions that it does not declare
        return "fails";
      }
    }
    List<String> texts = new ArrayList<>();
    try (LanceJudge judge = LanceJudge.open(table)) {
      judge.scan(
          new org.lance.ipc.ScanOptions.Builder().columns(List.of("new")).build(),
          (batch, dictionaries) -> texts.add(text(batch.getVector("new"))));
    } finally {
      try (LanceJudge judge = LanceJudge.open(table)) {
        judge.dataset().dropColumns(List.of("new"));
      }
    }
    return String.join("", texts);
  }

  private String ours(String sql) throws IOException {
    Dataset dataset = Dataset.open(table.toString(), allocator);
    Projection projection;
    try {
      projection = Projection.parseNew(sql, dataset.arrowSchema(), "new");
    } catch (InvalidPredicateException e) {
      return "fails";
    }
    List<String> columns = dataset.columnNames();
    long[] all = {0, 1, 2, 3, 4};
    try (VectorSchemaRoot batch = dataset.takeOffsets(all, columns)) {
      Map<String, FieldVector> vectors = new HashMap<>();
      projection.columns().forEach(name -> vectors.put(name, batch.getVector(name)));
      try (FieldVector result = projection.evaluate(vectors, ROWS, allocator)) {
        return text(result);
      } catch (PredicateEvaluationException e) {
        return "fails";
      }
    }
  }

  private static String text(FieldVector vector) {
    StringBuilder text = new StringBuilder(vector.getField().getType().toString());
    for (int row = 0; row < ROWS; row++) {
      Object value = vector.getObject(row);
      text.append(" | ");
      text.append(value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value);
    }
    return text.toString();
  }
}
