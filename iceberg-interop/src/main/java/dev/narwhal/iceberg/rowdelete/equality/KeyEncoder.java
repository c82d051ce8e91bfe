package dev.narwhal.iceberg.rowdelete.equality;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.iceberg.Accessor;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;

/**
 * Keys as bytes, equal exactly where the keys are: null equals null, and nothing else; floats by
 * their bits, all NaNs alike. For one thread.
 *
 * <pre>
 * for each field, in the order of the ids
 *   size   order   meaning
 *   4      BE      n = length of the value; -1 for null
 *   n              the value in Iceberg's single-value form
 * </pre>
 *
 * <p>Source: Iceberg spec, "Equality Delete Files" and "Binary single-value serialization".
 */
public final class KeyEncoder {
  private static final int NULL = -1;
  private static final int SMALLEST = 64;

  private record Field(Accessor<StructLike> accessor, Type type) {}

  private final List<Field> fields = new ArrayList<>();
  private byte[] bytes = new byte[SMALLEST];
  private int length;
  private boolean hasNull;

  KeyEncoder(Schema schema, List<Integer> fieldIds) {
    for (int id : fieldIds) {
      fields.add(new Field(schema.accessorForField(id), schema.findType(id)));
    }
  }

  public KeyEncoder(KeySchema key) {
    this(key.schema(), key.fieldIds());
  }

  /** Encodes the key of a row whose values are in Iceberg's internal form. */
  public void encode(StructLike row) {
    length = 0;
    hasNull = false;
    for (Field field : fields) {
      Object value = field.accessor().get(row);
      if (value == null) {
        putInt(NULL);
        hasNull = true;
      } else {
        ByteBuffer encoded = Conversions.toByteBuffer(field.type(), canonical(value));
        putInt(encoded.remaining());
        reserve(encoded.remaining());
        int size = encoded.remaining();
        encoded.duplicate().get(bytes, length, size);
        length += size;
      }
    }
  }

  private static Object canonical(Object value) {
    if (value instanceof Float number) {
      return Float.intBitsToFloat(Float.floatToIntBits(number));
    }
    if (value instanceof Double number) {
      return Double.longBitsToDouble(Double.doubleToLongBits(number));
    }
    return value;
  }

  private void putInt(int value) {
    reserve(Integer.BYTES);
    bytes[length++] = (byte) (value >>> 24);
    bytes[length++] = (byte) (value >>> 16);
    bytes[length++] = (byte) (value >>> 8);
    bytes[length++] = (byte) value;
  }

  private void reserve(int more) {
    int needed = Math.addExact(length, more);
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, (int) Math.min(2L * bytes.length, 1 << 30)));
    }
  }

  /** Whether a value of the last key encoded is null. */
  public boolean hasNull() {
    return hasNull;
  }

  /** Bytes of the last key encoded, up to {@link #length}; valid until the next is. */
  public byte[] bytes() {
    return bytes;
  }

  public int length() {
    return length;
  }
}
