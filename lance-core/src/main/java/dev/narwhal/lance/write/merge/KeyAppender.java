package dev.narwhal.lance.write.merge;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Appends the value of a row to the key that a batch is being given, so that two keys of the same
 * columns have the same bytes just when their values are equal:
 *
 * <pre>
 * fixed width         the value as Arrow has it, a boolean as one byte
 * text, binary        i32 LE length, bytes
 * list                i32 LE number of items, then each as a member
 * fixed-size list     each item as a member
 * struct              each child as a member
 * member              00 if it is null, else 01 and its value
 * </pre>
 */
@FunctionalInterface
interface KeyAppender {
  /**
   * Appends one value.
   *
   * @param row whose value is not null
   */
  void append(int row, KeyBatch key);

  /** Throws when a column of this type cannot be a key. */
  static void requireSupported(Field field) {
    ArrowType type = field.getType();
    switch (type.getTypeID()) {
      case Null, Int, FloatingPoint, Bool, Decimal, Date, Time, Timestamp, Duration -> {}
      case Utf8, LargeUtf8, Binary, LargeBinary, FixedSizeBinary -> {}
      case List, LargeList, FixedSizeList, Struct, Map ->
          field.getChildren().forEach(KeyAppender::requireSupported);
      default ->
          throw new UnsupportedFeatureException(
              "column '" + field.getName() + "' of type " + type + " cannot be a key");
    }
  }

  /** Appends the values of a vector, which must not change meanwhile. */
  static KeyAppender of(FieldVector vector) {
    if (vector instanceof NullVector) {
      return (row, key) -> {};
    }
    if (vector instanceof BitVector bits) {
      return (row, key) -> key.put((byte) bits.get(row));
    }
    if (vector instanceof BaseFixedWidthVector fixed) {
      ArrowBuf values = fixed.getDataBuffer();
      int width = fixed.getTypeWidth();
      return (row, key) -> copy(values, (long) row * width, width, key);
    }
    if (vector instanceof BaseVariableWidthVector text) {
      ArrowBuf ends = text.getOffsetBuffer();
      ArrowBuf values = text.getDataBuffer();
      return (row, key) -> {
        int start = ends.getInt(4L * row);
        int length = ends.getInt(4L * row + 4) - start;
        key.putInt(length);
        copy(values, start, length, key);
      };
    }
    if (vector instanceof BaseLargeVariableWidthVector text) {
      ArrowBuf ends = text.getOffsetBuffer();
      ArrowBuf values = text.getDataBuffer();
      return (row, key) -> {
        long start = ends.getLong(8L * row);
        int length = Math.toIntExact(ends.getLong(8L * row + 8) - start);
        key.putInt(length);
        copy(values, start, length, key);
      };
    }
    return ofNested(vector);
  }

  private static KeyAppender ofNested(FieldVector vector) {
    if (vector instanceof FixedSizeListVector list) {
      KeyAppender item = ofMember(list.getDataVector());
      int size = list.getListSize();
      return (row, key) -> {
        for (int i = row * size; i < (row + 1) * size; i++) {
          item.append(i, key);
        }
      };
    }
    if (vector instanceof ListVector list) {
      KeyAppender item = ofMember(list.getDataVector());
      return (row, key) -> {
        int end = list.getElementEndIndex(row);
        key.putInt(end - list.getElementStartIndex(row));
        for (int i = list.getElementStartIndex(row); i < end; i++) {
          item.append(i, key);
        }
      };
    }
    if (vector instanceof LargeListVector list) {
      KeyAppender item = ofMember(list.getDataVector());
      return (row, key) -> {
        int start = Math.toIntExact(list.getElementStartIndex(row));
        int end = Math.toIntExact(list.getElementEndIndex(row));
        key.putInt(end - start);
        for (int i = start; i < end; i++) {
          item.append(i, key);
        }
      };
    }
    if (vector instanceof StructVector struct) {
      List<KeyAppender> children =
          struct.getChildrenFromFields().stream().map(KeyAppender::ofMember).toList();
      return (row, key) -> {
        for (KeyAppender child : children) {
          child.append(row, key);
        }
      };
    }
    throw new UnsupportedFeatureException(
        "column '"
            + vector.getName()
            + "' of type "
            + vector.getField().getType()
            + " cannot be a key");
  }

  private static KeyAppender ofMember(FieldVector vector) {
    KeyAppender value = of(vector);
    return (row, key) -> {
      boolean isNull = vector.isNull(row);
      key.put(isNull ? (byte) 0 : (byte) 1);
      if (!isNull) {
        value.append(row, key);
      }
    };
  }

  private static void copy(ArrowBuf values, long start, int length, KeyBatch key) {
    int at = key.reserve(length);
    values.getBytes(start, key.bytes(), at, length);
    key.advance(length);
  }
}
