package dev.narwhal.lance.predicate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.Float16;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.DurationVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.TimeStampMilliTZVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarBinaryVector;
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
import org.apache.arrow.vector.util.Text;
import org.jspecify.annotations.Nullable;

/**
 * Eight rows of many types: the dataset that real Lance 7.0.0 was asked about. Row 7 is null but
 * for its id; {@code b} is null in row 6 too, {@code st.x} in row 3, {@code st.Y} in row 4.
 */
final class SampleRows implements AutoCloseable {
  private static final int ROWS = 8;
  private static final long DAY = 86_400L;
  private static final int NEW_YEAR_2024 = 19_723;

  static final Schema SCHEMA =
      new Schema(
          List.of(
              integer("id", 64, true),
              integer("i8", 8, true),
              integer("i16", 16, true),
              integer("i32", 32, true),
              integer("i64", 64, true),
              integer("u8", 8, false),
              integer("u16", 16, false),
              integer("u32", 32, false),
              integer("u64", 64, false),
              real("f16", FloatingPointPrecision.HALF),
              real("f32", FloatingPointPrecision.SINGLE),
              real("f64", FloatingPointPrecision.DOUBLE),
              field("dec", new ArrowType.Decimal(10, 2, 128)),
              field("s", ArrowType.Utf8.INSTANCE),
              field("ls", ArrowType.LargeUtf8.INSTANCE),
              field("bin", ArrowType.Binary.INSTANCE),
              field("d", new ArrowType.Date(DateUnit.DAY)),
              field("dm", new ArrowType.Date(DateUnit.MILLISECOND)),
              field("ts", new ArrowType.Timestamp(TimeUnit.MICROSECOND, null)),
              field("tz", new ArrowType.Timestamp(TimeUnit.MILLISECOND, "UTC")),
              field("tm", new ArrowType.Time(TimeUnit.MICROSECOND, 64)),
              field("dur", new ArrowType.Duration(TimeUnit.SECOND)),
              field("b", ArrowType.Bool.INSTANCE),
              integer("weird name", 32, true),
              integer("Case", 32, true),
              field(
                  "st",
                  ArrowType.Struct.INSTANCE,
                  integer("x", 32, true),
                  field("Y", ArrowType.Struct.INSTANCE, field("z", ArrowType.Utf8.INSTANCE))),
              field("li", ArrowType.List.INSTANCE, integer("item", 32, true)),
              field("lst", ArrowType.List.INSTANCE, field("item", ArrowType.Utf8.INSTANCE)),
              integer("Dup", 32, true),
              integer("dup", 32, true),
              field("fsb", new ArrowType.FixedSizeBinary(2)),
              integer("_rowid", 64, false),
              integer("_rowaddr", 64, false),
              integer("_rowoffset", 64, false)));

  private final BufferAllocator allocator = new RootAllocator();
  private final VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA, allocator);

  SampleRows() {
    root.allocateNew();
    integers();
    reals();
    texts();
    times();
    nested();
    root.setRowCount(ROWS);
  }

  static Field field(String name, ArrowType type, Field... children) {
    return new Field(name, FieldType.nullable(type), List.of(children));
  }

  static Field integer(String name, int bits, boolean signed) {
    return field(name, new ArrowType.Int(bits, signed));
  }

  private static Field real(String name, FloatingPointPrecision precision) {
    return field(name, new ArrowType.FloatingPoint(precision));
  }

  private <V extends FieldVector> V vector(String name, Class<V> type) {
    return type.cast(root.getVector(name));
  }

  private void integers() {
    int[] i8 = {-128, -1, 0, 1, 2, 3, 127};
    int[] i16 = {-32768, -1, 0, 1, 2, 3, 32767};
    int[] i32 = {Integer.MIN_VALUE, -1, 0, 1, 2, 3, Integer.MAX_VALUE};
    long[] i64 = {Long.MIN_VALUE, -1, 0, 1, 2, 3, Long.MAX_VALUE};
    int[] u8 = {0, 1, 2, 3, 127, 128, 255};
    int[] u16 = {0, 1, 2, 3, 127, 32768, 65535};
    int[] u32 = {0, 1, 2, 3, 127, Integer.MIN_VALUE, -1};
    long[] u64 = {0, 1, 2, 3, Long.MAX_VALUE, Long.MIN_VALUE, -1};
    for (int row = 0; row < ROWS - 1; row++) {
      vector("i8", TinyIntVector.class).setSafe(row, i8[row]);
      vector("i16", SmallIntVector.class).setSafe(row, i16[row]);
      vector("i32", IntVector.class).setSafe(row, i32[row]);
      vector("i64", BigIntVector.class).setSafe(row, i64[row]);
      vector("u8", UInt1Vector.class).setSafe(row, u8[row]);
      vector("u16", UInt2Vector.class).setSafe(row, u16[row]);
      vector("u32", UInt4Vector.class).setSafe(row, u32[row]);
      vector("u64", UInt8Vector.class).setSafe(row, u64[row]);
      vector("weird name", IntVector.class).setSafe(row, row);
      vector("Case", IntVector.class).setSafe(row, row);
      vector("Dup", IntVector.class).setSafe(row, row);
      vector("dup", IntVector.class).setSafe(row, 10 + row);
    }
    for (int row = 0; row < ROWS; row++) {
      vector("id", BigIntVector.class).setSafe(row, row);
      vector("_rowid", UInt8Vector.class).setSafe(row, row);
      vector("_rowaddr", UInt8Vector.class).setSafe(row, row);
      vector("_rowoffset", UInt8Vector.class).setSafe(row, row);
    }
  }

  private void reals() {
    float[] f32 = {
      Float.NEGATIVE_INFINITY, -0.0f, 0.0f, 1f, 1.5f, Float.POSITIVE_INFINITY, Float.NaN
    };
    double[] f64 = {
      Double.NEGATIVE_INFINITY, -0.0, 0.0, 1, 0.1, Double.POSITIVE_INFINITY, Double.NaN
    };
    String[] dec = {"-1.00", "0.00", "0.01", "1.00", "1.50", "99999999.99", "2.25"};
    for (int row = 0; row < ROWS - 1; row++) {
      vector("f16", Float2Vector.class).setSafe(row, Float16.toFloat16(f32[row]));
      vector("f32", Float4Vector.class).setSafe(row, f32[row]);
      vector("f64", Float8Vector.class).setSafe(row, f64[row]);
      vector("dec", DecimalVector.class).setSafe(row, new BigDecimal(dec[row]));
    }
  }

  private void texts() {
    String[] s = {"", "a", "A", "abc", "a%c", "it's", "a_c"};
    byte[][] bin = {{}, {0}, {1}, {1, 2}, {-1}, {'a'}, {'a', 'b'}};
    byte[][] fsb = {{0, 0}, {0, 1}, {1, 0}, {1, 2}, {-1, 0}, {'a', 'b'}, {'a', 'c'}};
    for (int row = 0; row < ROWS - 1; row++) {
      vector("s", VarCharVector.class).setSafe(row, s[row].getBytes(UTF_8));
      String large = row == 6 ? "\u00dcb\u00e9r" : s[row];
      vector("ls", LargeVarCharVector.class).setSafe(row, large.getBytes(UTF_8));
      vector("bin", VarBinaryVector.class).setSafe(row, bin[row]);
      vector("fsb", FixedSizeBinaryVector.class).setSafe(row, fsb[row]);
    }
  }

  private void times() {
    int[] days = {-1, 0, 1, NEW_YEAR_2024, NEW_YEAR_2024 + 1, 20_000, 100_000};
    long newYear = NEW_YEAR_2024 * DAY;
    long[] seconds = {-1, 0, 1, newYear, newYear + 3600, newYear + DAY, 20_000 * DAY};
    long[] ofDay = {0, 1, 60, 3600, 3661, 43_200, 86_399};
    long[] durations = {0, 1, 60, 3600, -5, 86_400, 100_000};
    for (int row = 0; row < ROWS - 1; row++) {
      vector("d", DateDayVector.class).setSafe(row, days[row]);
      vector("dm", DateMilliVector.class).setSafe(row, days[row] * DAY * 1000);
      vector("ts", TimeStampMicroVector.class).setSafe(row, seconds[row] * 1_000_000);
      vector("tz", TimeStampMilliTZVector.class).setSafe(row, seconds[row] * 1000);
      vector("tm", TimeMicroVector.class).setSafe(row, ofDay[row] * 1_000_000);
      vector("dur", DurationVector.class).setSafe(row, durations[row]);
    }
    for (int row = 0; row < 6; row++) {
      vector("b", BitVector.class).setSafe(row, row % 2);
    }
  }

  private void nested() {
    StructVector st = vector("st", StructVector.class);
    StructVector y = (StructVector) st.getChild("Y");
    for (int row = 0; row < ROWS - 1; row++) {
      st.setIndexDefined(row);
      if (row != 3) {
        ((IntVector) st.getChild("x")).setSafe(row, row);
      }
      if (row != 4) {
        y.setIndexDefined(row);
        ((VarCharVector) y.getChild("z")).setSafe(row, ("z" + row).getBytes(UTF_8));
      }
    }
    // what a null struct hides is not null itself
    ((IntVector) st.getChild("x")).setSafe(7, 1);
    ((VarCharVector) y.getChild("z")).setSafe(4, "z1".getBytes(UTF_8));
    UnionListWriter numbers = vector("li", ListVector.class).getWriter();
    UnionListWriter letters = vector("lst", ListVector.class).getWriter();
    for (int row = 0; row < ROWS - 1; row++) {
      numbers.setPosition(row);
      numbers.startList();
      letters.setPosition(row);
      letters.startList();
      for (int item = 0; item < row % 4; item++) {
        numbers.integer().writeInt(item);
        letters.varChar().writeVarChar(String.valueOf((char) ('a' + item)));
      }
      numbers.endList();
      letters.endList();
    }
    numbers.setValueCount(ROWS);
    letters.setValueCount(ROWS);
  }

  /** The ids of the rows for which a condition is true, its columns alone being given to it. */
  List<Integer> select(String where) {
    Predicate predicate = Predicate.parse(where, SCHEMA);
    Map<String, FieldVector> columns = new HashMap<>();
    for (String column : predicate.columns()) {
      columns.put(column, root.getVector(column));
    }
    List<Integer> ids = new ArrayList<>();
    for (int id : predicate.evaluate(columns, ROWS).toOffsets()) {
      ids.add(id);
    }
    return ids;
  }

  /** The eight values of an expression in a column's type, as Arrow's vectors give them. */
  List<@Nullable Object> values(String sql, Field target) {
    return values(Projection.parse(sql, SCHEMA, target));
  }

  List<@Nullable Object> values(Projection projection) {
    Map<String, FieldVector> columns = new HashMap<>();
    for (String column : projection.columns()) {
      columns.put(column, root.getVector(column));
    }
    try (FieldVector result = projection.evaluate(columns, ROWS, allocator)) {
      assertThat(result.getField().getType()).isEqualTo(projection.target().getType());
      assertThat(result.getValueCount()).isEqualTo(ROWS);
      List<@Nullable Object> values = new ArrayList<>();
      for (int row = 0; row < ROWS; row++) {
        Object value = result.getObject(row);
        values.add(value == null || value instanceof byte[] ? value : text(value));
      }
      return values;
    }
  }

  /** Text and lists as Java has them: Arrow's own are equal by identity, or buffers. */
  private static Object text(Object value) {
    return value instanceof Text || value instanceof List<?> ? value.toString() : value;
  }

  @Override
  public void close() {
    root.close();
    allocator.close();
  }
}
