package dev.narwhal.lance.datafile;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.BaseListVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.jspecify.annotations.Nullable;

/** Vectors as plain Java values, in the form that the fixtures' JSON has. */
final class ColumnValues {
  private ColumnValues() {}

  static List<@Nullable Object> of(FieldVector vector) {
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < vector.getValueCount(); i++) {
      values.add(value(vector, i));
    }
    return values;
  }

  /** JSON values as the vector's type has them. */
  static List<@Nullable Object> of(JsonNode array, FieldVector like) {
    List<@Nullable Object> values = new ArrayList<>();
    for (JsonNode node : array) {
      values.add(value(node, like));
    }
    return values;
  }

  /** The same values as 2.0 stores them: a null struct becomes one whose children are null. */
  static List<@Nullable Object> withoutNullStructs(
      List<@Nullable Object> values, FieldVector like) {
    List<@Nullable Object> filled = new ArrayList<>();
    for (Object value : values) {
      filled.add(withoutNullStructs(value, like));
    }
    return filled;
  }

  private static @Nullable Object withoutNullStructs(@Nullable Object value, FieldVector like) {
    if (like instanceof StructVector struct) {
      List<@Nullable Object> filled = new ArrayList<>();
      for (int i = 0; i < struct.getChildrenFromFields().size(); i++) {
        Object child = value == null ? null : ((List<?>) value).get(i);
        filled.add(withoutNullStructs(child, struct.getChildrenFromFields().get(i)));
      }
      return filled;
    }
    if (value != null && isList(like)) {
      return withoutNullStructs(new ArrayList<@Nullable Object>((List<?>) value), itemsOf(like));
    }
    return value;
  }

  private static @Nullable Object value(FieldVector vector, int row) {
    if (vector.isNull(row)) {
      return null;
    }
    if (vector instanceof BaseListVector lists) {
      FieldVector items = itemsOf(lists);
      List<@Nullable Object> values = new ArrayList<>();
      for (int i = lists.getElementStartIndex(row); i < lists.getElementEndIndex(row); i++) {
        values.add(value(items, i));
      }
      return values;
    }
    if (vector instanceof LargeListVector lists) {
      List<@Nullable Object> values = new ArrayList<>();
      for (long i = lists.getElementStartIndex(row); i < lists.getElementEndIndex(row); i++) {
        values.add(value(lists.getDataVector(), (int) i));
      }
      return values;
    }
    if (vector instanceof StructVector struct) {
      List<@Nullable Object> values = new ArrayList<>();
      for (FieldVector child : struct.getChildrenFromFields()) {
        values.add(value(child, row));
      }
      return values;
    }
    if (vector instanceof VarCharVector || vector instanceof LargeVarCharVector) {
      return vector.getObject(row).toString();
    }
    if (vector instanceof BaseVariableWidthVector
        || vector instanceof BaseLargeVariableWidthVector
        || vector instanceof FixedSizeBinaryVector) {
      return new String((byte[]) vector.getObject(row), StandardCharsets.ISO_8859_1);
    }
    if (vector instanceof Float4Vector floats) {
      return floats.get(row);
    }
    if (vector instanceof Float8Vector doubles) {
      return doubles.get(row);
    }
    if (vector instanceof BitVector bits) {
      return bits.get(row) == 1;
    }
    if (vector instanceof DecimalVector || vector instanceof Decimal256Vector) {
      return ((BigDecimal) vector.getObject(row)).unscaledValue();
    }
    return integer((BaseFixedWidthVector) vector, row);
  }

  private static boolean isList(FieldVector vector) {
    return vector instanceof BaseListVector || vector instanceof LargeListVector;
  }

  private static FieldVector itemsOf(FieldVector lists) {
    if (lists instanceof LargeListVector large) {
      return large.getDataVector();
    }
    return lists instanceof ListVector list
        ? list.getDataVector()
        : ((FixedSizeListVector) lists).getDataVector();
  }

  private static BigInteger integer(BaseFixedWidthVector vector, int row) {
    int width = vector.getTypeWidth();
    byte[] bigEndian = new byte[width];
    for (int i = 0; i < width; i++) {
      bigEndian[width - 1 - i] = vector.getDataBuffer().getByte((long) row * width + i);
    }
    boolean unsigned =
        vector.getField().getType() instanceof ArrowType.Int type && !type.getIsSigned();
    return unsigned ? new BigInteger(1, bigEndian) : new BigInteger(bigEndian);
  }

  private static @Nullable Object value(JsonNode node, FieldVector like) {
    if (node.isNull()) {
      return null;
    }
    if (isList(like)) {
      return of(node, itemsOf(like));
    }
    if (like instanceof StructVector struct) {
      List<@Nullable Object> values = new ArrayList<>();
      for (int i = 0; i < node.size(); i++) {
        values.add(value(node.get(i), struct.getChildrenFromFields().get(i)));
      }
      return values;
    }
    if (like instanceof Float4Vector) {
      return node.floatValue();
    }
    if (like instanceof Float8Vector) {
      return node.doubleValue();
    }
    if (node.isBoolean()) {
      return node.booleanValue();
    }
    return node.isTextual() ? node.textValue() : node.bigIntegerValue();
  }

  /** The values at some places, in their order. */
  static List<@Nullable Object> pick(List<@Nullable Object> values, int[] positions) {
    List<@Nullable Object> picked = new ArrayList<>();
    Arrays.stream(positions).forEach(i -> picked.add(values.get(i)));
    return picked;
  }
}
