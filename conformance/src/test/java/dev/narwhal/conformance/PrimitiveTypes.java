package dev.narwhal.conformance;

import static org.apache.arrow.vector.types.FloatingPointPrecision.DOUBLE;
import static org.apache.arrow.vector.types.FloatingPointPrecision.HALF;
import static org.apache.arrow.vector.types.FloatingPointPrecision.SINGLE;
import static org.apache.arrow.vector.types.TimeUnit.MICROSECOND;
import static org.apache.arrow.vector.types.TimeUnit.MILLISECOND;
import static org.apache.arrow.vector.types.TimeUnit.NANOSECOND;
import static org.apache.arrow.vector.types.TimeUnit.SECOND;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** One column of each type that is not nested, and fixed-size lists of such. */
final class PrimitiveTypes {
  private PrimitiveTypes() {}

  /** The columns, named after their types. */
  static List<Field> fields(boolean nullable) {
    Columns columns = new Columns(nullable, new ArrayList<>());
    columns.add("bool", new ArrowType.Bool());
    for (int width : new int[] {8, 16, 32, 64}) {
      columns.add("i" + width, new ArrowType.Int(width, true));
      columns.add("u" + width, new ArrowType.Int(width, false));
    }
    columns.add("f16", new ArrowType.FloatingPoint(HALF));
    columns.add("f32", new ArrowType.FloatingPoint(SINGLE));
    columns.add("f64", new ArrowType.FloatingPoint(DOUBLE));
    columns.add("dec9_2", new ArrowType.Decimal(9, 2, 128));
    columns.add("dec38_10", new ArrowType.Decimal(38, 10, 128));
    columns.add("dec60_5", new ArrowType.Decimal(60, 5, 256));
    columns.add("date32", new ArrowType.Date(DateUnit.DAY));
    columns.add("date64", new ArrowType.Date(DateUnit.MILLISECOND));
    columns.add("time32_s", new ArrowType.Time(SECOND, 32));
    columns.add("time32_ms", new ArrowType.Time(MILLISECOND, 32));
    columns.add("time64_us", new ArrowType.Time(MICROSECOND, 64));
    columns.add("time64_ns", new ArrowType.Time(NANOSECOND, 64));
    for (TimeUnit unit : TimeUnit.values()) {
      columns.add("ts_" + unit, new ArrowType.Timestamp(unit, null));
      columns.add("ts_utc_" + unit, new ArrowType.Timestamp(unit, "UTC"));
      columns.add("duration_" + unit, new ArrowType.Duration(unit));
    }
    columns.add("ts_zone", new ArrowType.Timestamp(MICROSECOND, "America/New_York"));
    columns.add("utf8", new ArrowType.Utf8());
    columns.add("large_utf8", new ArrowType.LargeUtf8());
    columns.add("binary", new ArrowType.Binary());
    columns.add("large_binary", new ArrowType.LargeBinary());
    columns.add("fsb3", new ArrowType.FixedSizeBinary(3));
    columns.add("fsb16", new ArrowType.FixedSizeBinary(16));
    columns.addList("fsl4_f32", 4, new ArrowType.FloatingPoint(SINGLE));
    columns.addList("fsl3_i16", 3, new ArrowType.Int(16, true));
    columns.addList("fsl8_f16", 8, new ArrowType.FloatingPoint(HALF));
    columns.addList("fsl2_f64", 2, new ArrowType.FloatingPoint(DOUBLE));
    columns.addList("fsl5_u8", 5, new ArrowType.Int(8, false));
    columns.addList("fsl96_f32", 96, new ArrowType.FloatingPoint(SINGLE));
    return List.copyOf(columns.fields());
  }

  private record Columns(boolean nullable, List<Field> fields) {
    void add(String name, ArrowType type) {
      fields.add(new Field(name, new FieldType(nullable, type, null), null));
    }

    void addList(String name, int size, ArrowType item) {
      Field items = new Field("item", new FieldType(nullable, item, null, Map.of()), null);
      ArrowType list = new ArrowType.FixedSizeList(size);
      fields.add(new Field(name, new FieldType(nullable, list, null), List.of(items)));
    }
  }
}
