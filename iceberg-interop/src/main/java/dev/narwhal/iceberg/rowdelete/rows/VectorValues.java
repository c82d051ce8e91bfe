package dev.narwhal.iceberg.rowdelete.rows;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
import org.apache.iceberg.types.Type;
import org.apache.iceberg.util.UUIDUtil;
import org.jspecify.annotations.Nullable;

/** Takes values out of the vectors that {@link RowBatch} holds, in Iceberg's internal form. */
public final class VectorValues {
  private VectorValues() {}

  /**
   * A primitive value, or null.
   *
   * @param vector of the Arrow type that {@link dev.narwhal.iceberg.mapping.ArrowSchemas} gives
   * @throws UnsupportedFeatureException if it gives none
   */
  public static @Nullable Object get(FieldVector vector, Type type, int row) {
    if (vector.isNull(row)) {
      return null;
    }
    return switch (type.typeId()) {
      case BOOLEAN -> ((BitVector) vector).get(row) == 1;
      case INTEGER -> ((IntVector) vector).get(row);
      case DATE -> ((DateDayVector) vector).get(row);
      case LONG -> ((BigIntVector) vector).get(row);
      case TIME -> ((TimeMicroVector) vector).get(row);
      case TIMESTAMP, TIMESTAMP_NANO -> ((TimeStampVector) vector).get(row);
      case FLOAT -> ((Float4Vector) vector).get(row);
      case DOUBLE -> ((Float8Vector) vector).get(row);
      case DECIMAL -> ((DecimalVector) vector).getObject(row);
      case STRING -> new String(((VarCharVector) vector).get(row), StandardCharsets.UTF_8);
      case BINARY -> ByteBuffer.wrap(((VarBinaryVector) vector).get(row));
      case FIXED -> ByteBuffer.wrap(((FixedSizeBinaryVector) vector).get(row));
      case UUID -> UUIDUtil.convert(((FixedSizeBinaryVector) vector).get(row));
      default -> throw new UnsupportedFeatureException("a partition by a column of type " + type);
    };
  }
}
