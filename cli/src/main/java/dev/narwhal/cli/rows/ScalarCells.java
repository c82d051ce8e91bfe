package dev.narwhal.cli.rows;

import java.util.UUID;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.ViewVarBinaryVector;
import org.apache.arrow.vector.ViewVarCharVector;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** Cells of columns whose value is one number, text or run of bytes. Rows are not null. */
final class ScalarCells {
  private ScalarCells() {}

  static Cell of(ValueVector vector) {
    return switch (vector.getMinorType()) {
      case NULL -> (row, out) -> out.nothing();
      case BIT -> bool((BitVector) vector);
      case TINYINT, SMALLINT, INT, BIGINT, UINT1, UINT2, UINT4, UINT8 -> integer(vector);
      case FLOAT2, FLOAT4, FLOAT8 -> floating(vector);
      case DECIMAL, DECIMAL256 -> decimal(vector);
      case VARCHAR, LARGEVARCHAR, VIEWVARCHAR -> utf8(bytes(vector));
      case VARBINARY, LARGEVARBINARY, VIEWVARBINARY -> binary(bytes(vector));
      case FIXEDSIZEBINARY -> fixed((FixedSizeBinaryVector) vector);
      default -> throw new IllegalArgumentException("not a scalar: " + vector.getField());
    };
  }

  /** Bytes, unless an extension type says that they are something else. */
  private static Cell fixed(FixedSizeBinaryVector vector) {
    String extension =
        vector
            .getField()
            .getMetadata()
            .getOrDefault(ArrowType.ExtensionType.EXTENSION_METADATA_KEY_NAME, "");
    ArrowBuf data = vector.getDataBuffer();
    if (extension.equals("lance.bfloat16") && vector.getByteWidth() == Short.BYTES) {
      return (row, out) ->
          out.floating(Float.intBitsToFloat(data.getShort(row * 2L) << Short.SIZE));
    }
    if (extension.equals("arrow.uuid") && vector.getByteWidth() == 2 * Long.BYTES) {
      return (row, out) ->
          out.text(
              new UUID(
                      Long.reverseBytes(data.getLong(row * 16L)),
                      Long.reverseBytes(data.getLong(row * 16L + 8)))
                  .toString());
    }
    return binary(bytes(vector));
  }

  private static Cell bool(BitVector vector) {
    return (row, out) -> out.bool(vector.get(row) != 0);
  }

  private static Cell integer(ValueVector vector) {
    if (vector instanceof TinyIntVector v) {
      return (row, out) -> out.integer(v.get(row));
    }
    if (vector instanceof SmallIntVector v) {
      return (row, out) -> out.integer(v.get(row));
    }
    if (vector instanceof IntVector v) {
      return (row, out) -> out.integer(v.get(row));
    }
    if (vector instanceof BigIntVector v) {
      return (row, out) -> out.integer(v.get(row));
    }
    if (vector instanceof UInt1Vector v) {
      return (row, out) -> out.integer(Byte.toUnsignedInt(v.get(row)));
    }
    if (vector instanceof UInt2Vector v) {
      return (row, out) -> out.integer(v.get(row));
    }
    if (vector instanceof UInt4Vector v) {
      return (row, out) -> out.integer(Integer.toUnsignedLong(v.get(row)));
    }
    UInt8Vector v = (UInt8Vector) vector;
    return (row, out) -> out.unsigned(v.get(row));
  }

  private static Cell floating(ValueVector vector) {
    if (vector instanceof Float2Vector v) {
      return (row, out) -> out.floating(v.getValueAsFloat(row));
    }
    if (vector instanceof Float4Vector v) {
      return (row, out) -> out.floating(v.get(row));
    }
    Float8Vector v = (Float8Vector) vector;
    return (row, out) -> out.floating(v.get(row));
  }

  private static Cell decimal(ValueVector vector) {
    if (vector instanceof DecimalVector v) {
      return (row, out) -> out.decimal(v.getObjectNotNull(row));
    }
    Decimal256Vector v = (Decimal256Vector) vector;
    return (row, out) -> out.decimal(v.getObjectNotNull(row));
  }

  private static Cell utf8(Bytes bytes) {
    return (row, out) -> out.utf8(bytes.read(row), bytes.length());
  }

  private static Cell binary(Bytes bytes) {
    return (row, out) -> out.binary(bytes.read(row), bytes.length());
  }

  private static Bytes bytes(ValueVector vector) {
    if (vector instanceof BaseVariableWidthVector v) {
      ArrowBuf data = v.getDataBuffer();
      return new Bytes((row, into) -> into.copy(data, v.getStartOffset(row), v.getEndOffset(row)));
    }
    if (vector instanceof BaseLargeVariableWidthVector v) {
      ArrowBuf data = v.getDataBuffer();
      ArrowBuf offsets = v.getOffsetBuffer();
      return new Bytes(
          (row, into) -> into.copy(data, offsets.getLong(row * 8L), offsets.getLong(row * 8L + 8)));
    }
    if (vector instanceof FixedSizeBinaryVector v) {
      ArrowBuf data = v.getDataBuffer();
      long width = v.getByteWidth();
      return new Bytes((row, into) -> into.copy(data, row * width, (row + 1) * width));
    }
    if (vector instanceof ViewVarCharVector v) {
      return new Bytes((row, into) -> into.set(v.get(row)));
    }
    ViewVarBinaryVector v = (ViewVarBinaryVector) vector;
    return new Bytes((row, into) -> into.set(v.get(row)));
  }

  /** Bytes of one cell at a time in an array that is used again, so that no row allocates. */
  private static final class Bytes {
    private final Source source;
    private byte[] array = new byte[64];
    private int length;

    Bytes(Source source) {
      this.source = source;
    }

    /** The bytes of a row, from index 0 on; valid until the next call. */
    byte[] read(int row) {
      source.read(row, this);
      return array;
    }

    int length() {
      return length;
    }

    void copy(ArrowBuf data, long start, long endExclusive) {
      length = Math.toIntExact(endExclusive - start);
      if (length > array.length) {
        array =
            new byte[Math.max(length, (int) Math.min(2L * array.length, Integer.MAX_VALUE - 8))];
      }
      data.getBytes(start, array, 0, length);
    }

    void set(byte[] bytes) {
      array = bytes;
      length = bytes.length;
    }

    @FunctionalInterface
    interface Source {
      void read(int row, Bytes into);
    }
  }
}
