package dev.narwhal.lance.write.merge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Makes keys of the key columns of batches. Rows in which one of the columns is null have no key:
 * nothing is equal to null. Other values are equal when their bits are: a NaN equals itself, and
 * zero is not equal to negative zero, as real Lance has it. In lists and structs nulls are values
 * like others.
 *
 * <p>A key is a word if all columns have a fixed width and no more than 8 bytes together, else the
 * bytes of {@link KeyAppender}. One thread.
 */
final class KeyEncoder {
  private static final int WORD_BYTES = 8;

  private final List<Field> columns;
  private final int[] widths;
  private final boolean words;
  private final long seed = ThreadLocalRandom.current().nextLong();
  private long[] present = new long[0];
  private long[] tags = new long[0];
  private long[] values = new long[0];

  /**
   * @param columns key columns of the table, at least one; batches have them by name
   * @throws dev.narwhal.lance.error.UnsupportedFeatureException when one has a type that cannot be
   *     compared
   */
  KeyEncoder(List<Field> columns) {
    this.columns = List.copyOf(columns);
    this.widths = columns.stream().mapToInt(field -> width(field.getType())).toArray();
    this.words =
        Arrays.stream(widths).allMatch(width -> width > 0)
            && Arrays.stream(widths).sum() <= WORD_BYTES;
    columns.forEach(KeyAppender::requireSupported);
  }

  List<Field> columns() {
    return columns;
  }

  /** An empty batch for what is encoded here. */
  KeyBatch newBatch() {
    return new KeyBatch(words, seed);
  }

  /**
   * Adds the keys of a batch of the source.
   *
   * @param firstRow number of the batch's first row
   */
  void encode(VectorSchemaRoot batch, long firstRow, KeyBatch keys) {
    int rows = batch.getRowCount();
    reserve(rows);
    for (int row = 0; row < rows; row++) {
      tags[row] = firstRow + row;
    }
    encode(batch, keys);
  }

  /** Adds the keys of a batch of the table, by row address. */
  void encode(VectorSchemaRoot batch, UInt8Vector addresses, KeyBatch keys) {
    int rows = batch.getRowCount();
    reserve(rows);
    for (int row = 0; row < rows; row++) {
      tags[row] = addresses.get(row);
    }
    encode(batch, keys);
  }

  private void reserve(int rows) {
    if (tags.length < rows) {
      tags = new long[rows];
      values = new long[rows];
      present = new long[(rows + 63) >>> 6];
    }
  }

  private void encode(VectorSchemaRoot batch, KeyBatch keys) {
    int rows = batch.getRowCount();
    List<FieldVector> vectors = new ArrayList<>(columns.size());
    for (Field column : columns) {
      vectors.add(batch.getVector(column.getName()));
    }
    markPresent(vectors, rows);
    if (words) {
      encodeWords(vectors, rows, keys);
    } else {
      encodeBytes(vectors, rows, keys);
    }
  }

  private void encodeWords(List<FieldVector> vectors, int rows, KeyBatch keys) {
    Arrays.fill(values, 0, rows, 0);
    for (int column = 0; column < vectors.size(); column++) {
      pack(vectors.get(column).getDataBuffer(), widths[column], rows);
    }
    for (int row = 0; row < rows; row++) {
      if ((present[row >>> 6] >>> row & 1) != 0) {
        keys.addWord(tags[row], values[row]);
      }
    }
  }

  /** Shifts the words by the column's width and puts its values there. */
  private void pack(ArrowBuf column, int width, int rows) {
    switch (width) {
      case 1 -> {
        for (int row = 0; row < rows; row++) {
          values[row] = values[row] << 8 | (column.getByte(row) & 0xFF);
        }
      }
      case 2 -> {
        for (int row = 0; row < rows; row++) {
          values[row] = values[row] << 16 | (column.getShort(2L * row) & 0xFFFF);
        }
      }
      case 4 -> {
        for (int row = 0; row < rows; row++) {
          values[row] = values[row] << 32 | (column.getInt(4L * row) & 0xFFFF_FFFFL);
        }
      }
      default -> {
        for (int row = 0; row < rows; row++) {
          values[row] = column.getLong(8L * row);
        }
      }
    }
  }

  private void encodeBytes(List<FieldVector> vectors, int rows, KeyBatch keys) {
    KeyAppender[] appenders = vectors.stream().map(KeyAppender::of).toArray(KeyAppender[]::new);
    for (int row = 0; row < rows; row++) {
      if ((present[row >>> 6] >>> row & 1) != 0) {
        for (KeyAppender appender : appenders) {
          appender.append(row, keys);
        }
        keys.endKey(tags[row]);
      }
    }
  }

  private void markPresent(List<FieldVector> vectors, int rows) {
    int words = (rows + 63) >>> 6;
    Arrays.fill(present, 0, words, -1);
    for (FieldVector vector : vectors) {
      if (vector instanceof NullVector) {
        Arrays.fill(present, 0, words, 0);
      } else if (vector.getNullCount() > 0) {
        ArrowBuf validity = vector.getValidityBuffer();
        for (int index = 0; index < (rows + 7) >>> 3; index++) {
          long absent = ~validity.getByte(index) & 0xFFL;
          present[index >>> 3] &= ~(absent << ((index & 7) << 3));
        }
      }
    }
  }

  /** Bytes of a value in a word, 0 for types that have no place there. */
  private static int width(ArrowType type) {
    if (type instanceof ArrowType.Int ints) {
      return ints.getBitWidth() / 8;
    }
    if (type instanceof ArrowType.FloatingPoint floats) {
      return switch (floats.getPrecision()) {
        case HALF -> 2;
        case SINGLE -> 4;
        case DOUBLE -> 8;
      };
    }
    if (type instanceof ArrowType.Date date) {
      return switch (date.getUnit()) {
        case DAY -> 4;
        case MILLISECOND -> 8;
      };
    }
    if (type instanceof ArrowType.Time time) {
      return time.getBitWidth() / 8;
    }
    return type instanceof ArrowType.Timestamp || type instanceof ArrowType.Duration ? 8 : 0;
  }
}
