package dev.narwhal.lance.scan;

import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** How many rows are read at a time, from the width of a row. Pure. */
final class Windows {
  /** What the columns of one window may take, about. */
  private static final long TARGET_BYTES = 8L << 20;

  private static final int MIN_ROWS = 1 << 4;
  private static final int MAX_ROWS = 1 << 16;
  private static final int MAX_BLOB_ROWS = 1 << 4;

  /** Assumed for a value whose size varies, unless the files say more. */
  private static final long VARIABLE_BYTES = 32;

  private Windows() {}

  /**
   * Rows of a window: a power of two, so that windows end where chunks of 1024 values do.
   *
   * @param storedRowBytes bytes that a row takes in its files, all columns, at least 0
   */
  static int rows(Schema schema, long storedRowBytes) {
    long fixed = 0;
    long variable = 0;
    for (Field field : schema.getFields()) {
      long width = width(field);
      if (width < 0) {
        variable += VARIABLE_BYTES;
      } else {
        fixed += width;
      }
    }
    long row = Math.max(1, fixed + (variable == 0 ? 0 : Math.max(variable, storedRowBytes)));
    long rows = Math.max(MIN_ROWS, Math.min(MAX_ROWS, TARGET_BYTES / row));
    return (int) Long.highestOneBit(rows);
  }

  /**
   * Rows of a window with bytes of blobs, a power of two. Those beside the data file are in no
   * known size; so few of them are read at once that even large ones fit into a vector.
   */
  static int blobRows(long storedRowBytes) {
    long rows = Math.max(1, Math.min(MAX_BLOB_ROWS, TARGET_BYTES / Math.max(1, storedRowBytes)));
    return (int) Long.highestOneBit(rows);
  }

  /** Bytes of a value, rounded up; -1 if they vary. */
  private static long width(Field field) {
    ArrowType type = field.getType();
    if (type instanceof ArrowType.FixedSizeList list) {
      long item = width(field.getChildren().get(0));
      return item < 0 ? -1 : item * list.getListSize();
    }
    if (type instanceof ArrowType.FixedSizeBinary binary) {
      return binary.getByteWidth();
    }
    if (type instanceof ArrowType.Struct) {
      return sum(field.getChildren());
    }
    if (type instanceof ArrowType.Decimal decimal) {
      return decimal.getBitWidth() / 8;
    }
    if (type instanceof ArrowType.Utf8
        || type instanceof ArrowType.LargeUtf8
        || type instanceof ArrowType.Binary
        || type instanceof ArrowType.LargeBinary
        || type instanceof ArrowType.List
        || type instanceof ArrowType.LargeList
        || type instanceof ArrowType.Map) {
      return -1;
    }
    return 8;
  }

  private static long sum(List<Field> fields) {
    long sum = 0;
    for (Field field : fields) {
      long width = width(field);
      if (width < 0) {
        return -1;
      }
      sum += width;
    }
    return sum;
  }
}
