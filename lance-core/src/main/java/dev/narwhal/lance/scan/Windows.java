package dev.narwhal.lance.scan;

import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** How many rows are read at a time, from the width of a row. Pure. */
final class Windows {
  /** What the columns of one window may take, about. */
  static final long TARGET_BYTES = 8L << 20;

  private static final int MAX_ROWS = 1 << 16;
  private static final int MAX_BLOB_ROWS = 1 << 4;

  private Windows() {}

  /**
   * Most rows of a window: a power of two, so that windows end where chunks of 1024 values do.
   *
   * @param rowBytes bytes that a row takes at least, {@code >= 0}
   */
  static int rows(long rowBytes) {
    return powerOfTwo(TARGET_BYTES / Math.max(1, rowBytes), MAX_ROWS);
  }

  /**
   * Most rows of a window with bytes of blobs, a power of two. Those beside the data file are in no
   * known size; so few of them are read at once that even large ones fit into a vector.
   *
   * @param storedRowBytes bytes that a row takes in its files, all columns, at least 0
   */
  static int blobRows(long storedRowBytes) {
    return powerOfTwo(TARGET_BYTES / Math.max(1, storedRowBytes), MAX_BLOB_ROWS);
  }

  /**
   * The next smaller window to try for rows that take too much.
   *
   * @param rows of the window that was tried, a power of two above 1
   * @param count rows that there are of them
   * @param bytes that these take, above the target
   */
  static int fewer(int rows, int count, long bytes) {
    return powerOfTwo((long) ((double) TARGET_BYTES / bytes * count), rows / 2);
  }

  private static int powerOfTwo(long rows, int most) {
    return (int) Long.highestOneBit(Math.max(1, Math.min(most, rows)));
  }

  /** Bytes of a value of the fields that have one width, all together. */
  static long fixedBytes(List<Field> fields) {
    double sum = 0;
    for (Field field : fields) {
      sum += Math.max(0, width(field));
    }
    return (long) sum;
  }

  /** Whether values of the field take more or less bytes. */
  static boolean varies(Field field) {
    return width(field) < 0;
  }

  /** Bytes of a value, rounded up; -1 if they vary. */
  private static double width(Field field) {
    ArrowType type = field.getType();
    if (type instanceof ArrowType.FixedSizeList list) {
      double item = width(field.getChildren().get(0));
      return item < 0 ? -1 : item * list.getListSize();
    }
    if (type instanceof ArrowType.FixedSizeBinary binary) {
      return binary.getByteWidth();
    }
    if (type instanceof ArrowType.Struct) {
      return sum(field.getChildren());
    }
    if (type instanceof ArrowType.Decimal decimal) {
      return decimal.getBitWidth() / 8.0;
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

  private static double sum(List<Field> fields) {
    double sum = 0;
    for (Field field : fields) {
      double width = width(field);
      if (width < 0) {
        return -1;
      }
      sum += width;
    }
    return sum;
  }
}
