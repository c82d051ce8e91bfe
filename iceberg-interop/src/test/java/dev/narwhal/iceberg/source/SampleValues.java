package dev.narwhal.iceberg.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.DurationVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/**
 * Made-up values of nested fields: a struct or map entry is the list of its parts, a list or map
 * the list of its elements or entries.
 */
final class SampleValues {
  private static final ArrowType DOUBLE =
      new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
  private static final float[] FLOATS = {0f, -0f, 1.5f, Float.NaN, Float.NEGATIVE_INFINITY, -3f};

  private SampleValues() {}

  /** The value of row {@code i}, null in some rows where the field may be. */
  static @Nullable Object value(Field field, int i) {
    return value(field, new Random(31L * i + field.getName().hashCode()));
  }

  private static @Nullable Object value(Field field, Random random) {
    if (field.getType() instanceof ArrowType.Null
        || (field.isNullable() && random.nextInt(5) == 0)) {
      return null;
    }
    return switch (field.getType().getTypeID()) {
      case Struct ->
          field.getChildren().stream()
              .map(child -> value(child, random))
              .collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
      case List, LargeList -> elements(field, random.nextInt(4), random);
      case FixedSizeList ->
          elements(field, ((ArrowType.FixedSizeList) field.getType()).getListSize(), random);
      case Map -> entries(field.getChildren().get(0), random);
      case Int -> random.nextInt(4) == 0 ? -1L : (long) random.nextInt(1_000_000);
      case FloatingPoint -> FLOATS[random.nextInt(FLOATS.length)];
      case Duration -> (long) random.nextInt(1_000_000);
      case Timestamp -> 1_700_000_000_000L - random.nextInt(1 << 30);
      case FixedSizeBinary -> {
        byte[] bytes = new byte[((ArrowType.FixedSizeBinary) field.getType()).getByteWidth()];
        random.nextBytes(bytes);
        yield bytes;
      }
      default -> random.nextInt(4) == 0 ? "" : "ß" + random.nextInt(1_000_000);
    };
  }

  private static List<@Nullable Object> elements(Field list, int size, Random random) {
    List<@Nullable Object> elements = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      elements.add(value(list.getChildren().get(0), random));
    }
    return elements;
  }

  /** Keys are unique, in no order. */
  private static List<@Nullable Object> entries(Field entry, Random random) {
    Map<@Nullable Object, @Nullable Object> entries = new LinkedHashMap<>();
    for (int left = random.nextInt(4); left > 0; left--) {
      entries.put(
          value(entry.getChildren().get(0), random), value(entry.getChildren().get(1), random));
    }
    List<@Nullable Object> list = new ArrayList<>();
    entries.forEach(
        (key, value) -> {
          List<@Nullable Object> pair = new ArrayList<>();
          pair.add(key);
          pair.add(value);
          list.add(pair);
        });
    return list;
  }

  static void set(FieldVector vector, int index, @Nullable Object value) {
    if (value == null) {
      vector.setNull(index);
    } else if (vector instanceof StructVector structs) {
      structs.setIndexDefined(index);
      for (int i = 0; i < structs.size(); i++) {
        set(structs.getChildrenFromFields().get(i), index, ((List<?>) value).get(i));
      }
    } else if (vector instanceof ListVector lists) {
      List<?> elements = (List<?>) value;
      setAll(lists.getDataVector(), lists.startNewValue(index), elements);
      lists.endValue(index, elements.size());
    } else if (vector instanceof LargeListVector lists) {
      List<?> elements = (List<?>) value;
      setAll(lists.getDataVector(), (int) lists.startNewValue(index), elements);
      lists.endValue(index, elements.size());
    } else if (vector instanceof FixedSizeListVector lists) {
      setAll(lists.getDataVector(), lists.startNewValue(index), (List<?>) value);
    } else {
      setScalar(vector, index, value);
    }
  }

  private static void setAll(FieldVector elements, int start, List<?> values) {
    for (int i = 0; i < values.size(); i++) {
      set(elements, start + i, values.get(i));
    }
  }

  private static void setScalar(FieldVector vector, int index, Object value) {
    if (vector instanceof IntVector ints) {
      ints.setSafe(index, ((Long) value).intValue());
    } else if (vector instanceof BigIntVector longs) {
      longs.setSafe(index, (Long) value);
    } else if (vector instanceof UInt8Vector longs) {
      longs.setSafe(index, (Long) value);
    } else if (vector instanceof DurationVector durations) {
      durations.setSafe(index, (Long) value);
    } else if (vector instanceof TimeStampVector times) {
      times.setSafe(index, (Long) value);
    } else if (vector instanceof Float4Vector floats) {
      floats.setSafe(index, (Float) value);
    } else if (vector instanceof Float8Vector doubles) {
      doubles.setSafe(index, (Float) value);
    } else if (vector instanceof FixedSizeBinaryVector bytes) {
      bytes.setSafe(index, (byte[]) value);
    } else {
      ((VarCharVector) vector).setSafe(index, ((String) value).getBytes(UTF_8));
    }
  }

  /** The value as Iceberg's generic reader must give it, structs as maps from names to values. */
  static @Nullable Object expected(Field field, @Nullable Object value) {
    if (value == null) {
      return null;
    }
    return switch (field.getType().getTypeID()) {
      case Struct -> {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < field.getChildren().size(); i++) {
          Field child = field.getChildren().get(i);
          fields.put(child.getName(), expected(child, ((List<?>) value).get(i)));
        }
        yield fields;
      }
      case List, LargeList, FixedSizeList -> {
        List<@Nullable Object> elements = new ArrayList<>();
        ((List<?>) value).forEach(each -> elements.add(expected(field.getChildren().get(0), each)));
        yield elements;
      }
      case Map -> {
        List<Field> entry = field.getChildren().get(0).getChildren();
        Map<@Nullable Object, @Nullable Object> entries = new LinkedHashMap<>();
        for (Object each : (List<?>) value) {
          List<?> pair = (List<?>) each;
          entries.put(expected(entry.get(0), pair.get(0)), expected(entry.get(1), pair.get(1)));
        }
        yield entries;
      }
      default -> expectedScalar(field, value);
    };
  }

  private static Object expectedScalar(Field field, Object value) {
    if (field.getType() instanceof ArrowType.Int type) {
      if (!type.getIsSigned()) {
        return new BigDecimal(new BigInteger(Long.toUnsignedString((Long) value)));
      }
      return type.getBitWidth() == 32 ? (Object) ((Long) value).intValue() : value;
    }
    if (field.getType().equals(DOUBLE)) {
      return ((Float) value).doubleValue();
    }
    if (field.getType() instanceof ArrowType.Timestamp) {
      return Instant.ofEpochMilli((Long) value).atOffset(ZoneOffset.UTC);
    }
    if (value instanceof byte[] bytes) {
      return bytes.length == 2
          ? Float.intBitsToFloat((bytes[1] & 0xFF) << 24 | (bytes[0] & 0xFF) << 16)
          : new UUID(ByteBuffer.wrap(bytes).getLong(0), ByteBuffer.wrap(bytes).getLong(8));
    }
    return value;
  }
}
