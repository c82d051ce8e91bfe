package dev.narwhal.cli.source;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.util.Float16;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.Float16LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/** Values of Parquet records as Java objects, see {@link RowCursor}. */
final class ParquetValues {
  private static final long JULIAN_DAY_OF_EPOCH = 2_440_588;

  /** The 76 digits of the largest decimal need 32; a writer may have put more signs before them. */
  private static final int MAX_DECIMAL_BYTES = 256;

  private ParquetValues() {}

  /** The value of a column or member; null when it is not there. */
  static @Nullable Object of(Group group, int field) {
    Type type = group.getType().getType(field);
    int count = group.getFieldRepetitionCount(field);
    if (type.isRepetition(Type.Repetition.REPEATED)) {
      List<@Nullable Object> values = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        values.add(one(group, field, i, type));
      }
      return values;
    }
    return count == 0 ? null : one(group, field, 0, type);
  }

  private static Object one(Group group, int field, int index, Type type) {
    if (type.isPrimitive()) {
      return primitive(group, field, index, type);
    }
    Group below = group.getGroup(field, index);
    GroupType groupType = type.asGroupType();
    if (ParquetTypes.isList(groupType)) {
      return list(below, groupType);
    }
    if (ParquetTypes.isMap(groupType)) {
      return map(below);
    }
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    for (int i = 0; i < groupType.getFieldCount(); i++) {
      members.put(groupType.getFieldName(i), of(below, i));
    }
    return members;
  }

  private static List<@Nullable Object> list(Group list, GroupType type) {
    Type repeated = type.getType(0);
    boolean wraps = ParquetTypes.wraps(type, repeated);
    int count = list.getFieldRepetitionCount(0);
    List<@Nullable Object> items = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      items.add(wraps ? of(list.getGroup(0, i), 0) : one(list, 0, i, repeated));
    }
    return items;
  }

  private static List<Object> map(Group map) {
    int count = map.getFieldRepetitionCount(0);
    List<Object> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Group entry = map.getGroup(0, i);
      Map<String, @Nullable Object> pair = new LinkedHashMap<>();
      pair.put("key", of(entry, 0));
      pair.put("value", of(entry, 1));
      entries.add(pair);
    }
    return entries;
  }

  private static Object primitive(Group group, int field, int index, Type type) {
    LogicalTypeAnnotation annotation = type.getLogicalTypeAnnotation();
    return switch (type.asPrimitiveType().getPrimitiveTypeName()) {
      case BOOLEAN -> group.getBoolean(field, index);
      case FLOAT -> group.getFloat(field, index);
      case DOUBLE -> group.getDouble(field, index);
      case INT32 -> number(annotation, group.getInteger(field, index), 32);
      case INT64 -> number(annotation, group.getLong(field, index), 64);
      case INT96 -> int96(group.getInt96(field, index).getBytes());
      case BINARY ->
          ParquetTypes.isText(annotation)
              ? group.getBinary(field, index).toStringUsingUTF8()
              : bytes(annotation, group.getBinary(field, index).getBytes());
      case FIXED_LEN_BYTE_ARRAY -> bytes(annotation, group.getBinary(field, index).getBytes());
    };
  }

  private static Object number(@Nullable LogicalTypeAnnotation annotation, long value, int bits) {
    if (annotation instanceof DecimalLogicalTypeAnnotation decimal) {
      return BigDecimal.valueOf(value, decimal.getScale());
    }
    if (annotation instanceof DateLogicalTypeAnnotation) {
      return new Ticks(value, Ticks.NANOS_PER_DAY);
    }
    if (annotation instanceof TimeLogicalTypeAnnotation time) {
      return new Ticks(value, nanos(time.getUnit()));
    }
    if (annotation instanceof TimestampLogicalTypeAnnotation timestamp) {
      return new Ticks(value, nanos(timestamp.getUnit()));
    }
    if (annotation instanceof IntLogicalTypeAnnotation integer && !integer.isSigned()) {
      long unsigned = bits == 32 ? value & 0xFFFF_FFFFL : value;
      return unsigned < 0 ? new BigInteger(Long.toUnsignedString(unsigned)) : (Object) unsigned;
    }
    return value;
  }

  private static Object bytes(@Nullable LogicalTypeAnnotation annotation, byte[] bytes) {
    if (annotation instanceof DecimalLogicalTypeAnnotation decimal) {
      if (bytes.length == 0 || bytes.length > MAX_DECIMAL_BYTES) {
        throw new BadValueException("a decimal of " + bytes.length + " bytes");
      }
      return new BigDecimal(new BigInteger(bytes), decimal.getScale());
    }
    if (annotation instanceof Float16LogicalTypeAnnotation) {
      return Float16.toFloat(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getShort());
    }
    return bytes;
  }

  /** Nanoseconds of the day, then a Julian day, little-endian. */
  private static Ticks int96(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    long nanosOfDay = buffer.getLong();
    long day = buffer.getInt() - JULIAN_DAY_OF_EPOCH;
    try {
      long midnight = Math.multiplyExact(day, Ticks.NANOS_PER_DAY);
      return new Ticks(Math.addExact(midnight, nanosOfDay), 1);
    } catch (ArithmeticException e) {
      throw new BadValueException("a timestamp outside of the years 1677 to 2262");
    }
  }

  private static long nanos(LogicalTypeAnnotation.TimeUnit unit) {
    return switch (unit) {
      case MILLIS -> 1_000_000L;
      case MICROS -> 1_000L;
      case NANOS -> 1L;
    };
  }
}
