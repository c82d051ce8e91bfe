package dev.narwhal.iceberg.rowdelete.rows;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.UUIDUtil;
import org.jspecify.annotations.Nullable;

/**
 * Puts values of Iceberg's readers, in its internal form, into an Arrow vector, row after row from
 * 0 on.
 */
final class ValueSetter {
  /** Sets a value that is there. */
  private interface Present {
    void set(int row, Object value);
  }

  private final FieldVector vector;
  private final Present present;

  private ValueSetter(FieldVector vector, Present present) {
    this.vector = vector;
    this.present = present;
  }

  /**
   * The setter for values of a type.
   *
   * @param vector of the Arrow type that {@link dev.narwhal.iceberg.mapping.ArrowSchemas} gives
   * @throws UnsupportedFeatureException if it gives none
   */
  static ValueSetter of(Type type, FieldVector vector) {
    return new ValueSetter(vector, present(type, vector));
  }

  private static Present present(Type type, FieldVector vector) {
    return switch (type.typeId()) {
      case UNKNOWN -> (row, value) -> {};
      case BOOLEAN -> (row, value) -> ((BitVector) vector).setSafe(row, (Boolean) value ? 1 : 0);
      case INTEGER -> (row, value) -> ((IntVector) vector).setSafe(row, (Integer) value);
      case DATE -> (row, value) -> ((DateDayVector) vector).setSafe(row, (Integer) value);
      case LONG -> (row, value) -> ((BigIntVector) vector).setSafe(row, (Long) value);
      case TIME -> (row, value) -> ((TimeMicroVector) vector).setSafe(row, (Long) value);
      case TIMESTAMP, TIMESTAMP_NANO ->
          (row, value) -> ((TimeStampVector) vector).setSafe(row, (Long) value);
      case FLOAT -> (row, value) -> ((Float4Vector) vector).setSafe(row, (Float) value);
      case DOUBLE -> (row, value) -> ((Float8Vector) vector).setSafe(row, (Double) value);
      case DECIMAL -> (row, value) -> ((DecimalVector) vector).setSafe(row, (BigDecimal) value);
      case STRING ->
          (row, value) ->
              ((VarCharVector) vector)
                  .setSafe(row, value.toString().getBytes(StandardCharsets.UTF_8));
      case BINARY ->
          (row, value) -> {
            ByteBuffer bytes = (ByteBuffer) value;
            ((VarBinaryVector) vector).setSafe(row, bytes, bytes.position(), bytes.remaining());
          };
      case FIXED ->
          (row, value) -> ((FixedSizeBinaryVector) vector).setSafe(row, copy((ByteBuffer) value));
      case UUID ->
          (row, value) ->
              ((FixedSizeBinaryVector) vector).setSafe(row, UUIDUtil.convert((UUID) value));
      case STRUCT -> struct(type.asStructType(), (StructVector) vector);
      case LIST -> list(type.asListType(), (ListVector) vector);
      case MAP -> map(type.asMapType(), (MapVector) vector);
      default -> throw new UnsupportedFeatureException("Arrow has no form for values of " + type);
    };
  }

  private static Present struct(Types.StructType type, StructVector vector) {
    List<ValueSetter> fields = new ArrayList<>();
    for (int i = 0; i < type.fields().size(); i++) {
      fields.add(of(type.fields().get(i).type(), vector.getChildrenFromFields().get(i)));
    }
    return (row, value) -> {
      vector.setIndexDefined(row);
      for (int i = 0; i < fields.size(); i++) {
        fields.get(i).set(row, ((StructLike) value).get(i, Object.class));
      }
    };
  }

  private static Present list(Types.ListType type, ListVector vector) {
    ValueSetter elements = of(type.elementType(), vector.getDataVector());
    return (row, value) -> {
      List<?> list = (List<?>) value;
      int at = vector.startNewValue(row);
      for (Object element : list) {
        elements.set(at++, element);
      }
      vector.endValue(row, list.size());
    };
  }

  private static Present map(Types.MapType type, MapVector vector) {
    StructVector entries = (StructVector) vector.getDataVector();
    ValueSetter keys = of(type.keyType(), entries.getChildrenFromFields().get(0));
    ValueSetter values = of(type.valueType(), entries.getChildrenFromFields().get(1));
    return (row, value) -> {
      Map<?, ?> map = (Map<?, ?>) value;
      int at = vector.startNewValue(row);
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        entries.setIndexDefined(at);
        keys.set(at, entry.getKey());
        values.set(at, entry.getValue());
        at++;
      }
      vector.endValue(row, map.size());
    };
  }

  private static byte[] copy(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  /** Sets a row: a value, or null. */
  void set(int row, @Nullable Object value) {
    if (value == null) {
      vector.setNull(row);
    } else {
      present.set(row, value);
    }
  }
}
