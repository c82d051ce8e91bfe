package dev.narwhal.iceberg.rowdelete.rows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntToLongFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.Types;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * A top-level column whose stored values are those of its Arrow vector, or only narrower: read
 * without an object for each number. A dead row's value is overwritten by the next one's.
 */
abstract class PlainColumn implements RowBatchReader.ColumnSource {
  private final ColumnPages pages;
  private final boolean[] defined = new boolean[RowBatch.CAPACITY];

  /** One bit for each row of the batch, LSB first. */
  private final byte[] validity = new byte[RowBatch.CAPACITY / Byte.SIZE];

  private PlainColumn(ColumnDescriptor descriptor) {
    this.pages = new ColumnPages(descriptor);
  }

  /** The reader of a column, or nothing where values need more than to be copied. */
  static Optional<PlainColumn> of(Types.NestedField column, MessageType file, FieldVector vector) {
    for (Type stored : file.getFields()) {
      boolean same = stored.getId() != null && stored.getId().intValue() == column.fieldId();
      if (same && stored.isPrimitive() && !stored.isRepetition(Type.Repetition.REPEATED)) {
        ColumnDescriptor descriptor = file.getColumnDescription(new String[] {stored.getName()});
        return Optional.ofNullable(of(column.type(), stored.asPrimitiveType(), descriptor, vector));
      }
    }
    return Optional.empty();
  }

  private static @Nullable PlainColumn of(
      org.apache.iceberg.types.Type type,
      PrimitiveType stored,
      ColumnDescriptor descriptor,
      FieldVector vector) {
    PrimitiveTypeName form = stored.getPrimitiveTypeName();
    LogicalTypeAnnotation meaning = stored.getLogicalTypeAnnotation();
    boolean meant =
        switch (type.typeId()) {
          case INTEGER, LONG, FLOAT, DOUBLE, BINARY -> meaning == null;
          case DATE -> meaning instanceof LogicalTypeAnnotation.DateLogicalTypeAnnotation;
          case TIME ->
              meaning instanceof LogicalTypeAnnotation.TimeLogicalTypeAnnotation time
                  && time.getUnit() == TimeUnit.MICROS;
          case TIMESTAMP -> isIn(TimeUnit.MICROS, meaning);
          case TIMESTAMP_NANO -> isIn(TimeUnit.NANOS, meaning);
          case STRING -> meaning instanceof LogicalTypeAnnotation.StringLogicalTypeAnnotation;
          default -> false;
        };
    return meant ? of(type.typeId(), form, descriptor, vector) : null;
  }

  private static @Nullable PlainColumn of(
      TypeID type, PrimitiveTypeName form, ColumnDescriptor descriptor, FieldVector vector) {
    return switch (type) {
      case INTEGER, DATE ->
          form == PrimitiveTypeName.INT32
              ? new Ints(descriptor, (BaseFixedWidthVector) vector, ValuesReader::readInteger)
              : null;
      case FLOAT ->
          form == PrimitiveTypeName.FLOAT
              ? new Ints(descriptor, (BaseFixedWidthVector) vector, PlainColumn::floatBits)
              : null;
      case LONG, TIME, TIMESTAMP, TIMESTAMP_NANO ->
          switch (form) {
            case INT64 ->
                new Longs(descriptor, (BaseFixedWidthVector) vector, ValuesReader::readLong);
            case INT32 ->
                new Widened(
                    descriptor,
                    (BaseFixedWidthVector) vector,
                    ValuesReader::readInteger,
                    value -> value);
            default -> null;
          };
      case DOUBLE ->
          switch (form) {
            case DOUBLE ->
                new Longs(descriptor, (BaseFixedWidthVector) vector, PlainColumn::doubleBits);
            case FLOAT ->
                new Widened(
                    descriptor,
                    (BaseFixedWidthVector) vector,
                    PlainColumn::floatBits,
                    bits -> Double.doubleToRawLongBits(Float.intBitsToFloat(bits)));
            default -> null;
          };
      default ->
          form == PrimitiveTypeName.BINARY
              ? new Bytes(descriptor, (BaseVariableWidthVector) vector)
              : null;
    };
  }

  private static int floatBits(ValuesReader reader) {
    return Float.floatToRawIntBits(reader.readFloat());
  }

  private static long doubleBits(ValuesReader reader) {
    return Double.doubleToRawLongBits(reader.readDouble());
  }

  private static boolean isIn(TimeUnit unit, @Nullable LogicalTypeAnnotation meaning) {
    return meaning instanceof LogicalTypeAnnotation.TimestampLogicalTypeAnnotation timestamp
        && timestamp.getUnit() == unit;
  }

  @Override
  public final void setPageSource(PageReadStore rowGroup) {
    pages.start(rowGroup);
  }

  @Override
  public final void fill(RowBatch batch) {
    int row = 0;
    int read = 0;
    while (read < batch.rowsRead()) {
      int count = pages.next(batch.rowsRead() - read, defined);
      int present = present(count);
      load(pages, present);
      row =
          present == count && batch.isAllLive()
              ? placeAll(count, row)
              : place(batch, read, count, row);
      read += count;
    }
    finish(row, validity);
  }

  private int present(int count) {
    int present = 0;
    for (int i = 0; i < count; i++) {
      present += defined[i] ? 1 : 0;
    }
    return present;
  }

  /**
   * Puts rows that were read to their places.
   *
   * @param first of them, in the batch as it is read
   * @param row the place of the first live one
   * @return the place after the last live one
   */
  private int place(RowBatch batch, int first, int count, int row) {
    int at = row;
    int value = 0;
    for (int i = 0; i < count; i++) {
      int mask = 1 << (at & 7);
      if (defined[i]) {
        put(value++, at);
        validity[at >>> 3] |= (byte) mask;
      } else {
        validity[at >>> 3] &= (byte) ~mask;
      }
      at += batch.isLive(first + i) ? 1 : 0;
    }
    return at;
  }

  /** The same where all rows have a value and are alive. */
  private int placeAll(int count, int row) {
    putAll(count, row);
    int end = row + count;
    int at = row;
    for (; at < end && (at & 7) != 0; at++) {
      validity[at >>> 3] |= (byte) (1 << (at & 7));
    }
    if (at < end) {
      Arrays.fill(validity, at >>> 3, (end + 7) >>> 3, (byte) -1);
    }
    return end;
  }

  /** Decodes the next values, which are there. */
  abstract void load(ColumnPages source, int count);

  /** Puts one of the values loaded to a row. */
  abstract void put(int value, int row);

  /** Puts the first values loaded to rows that follow each other. */
  abstract void putAll(int count, int row);

  /** Brings the rows into the vector. */
  abstract void finish(int rows, byte[] valid);

  /** Values of a fixed width, gathered in an array and copied as one. */
  private abstract static class Fixed extends PlainColumn {
    private final BaseFixedWidthVector vector;
    private final int width;

    Fixed(ColumnDescriptor descriptor, BaseFixedWidthVector vector) {
      super(descriptor);
      this.vector = vector;
      this.width = vector.getTypeWidth();
    }

    @Override
    final void finish(int rows, byte[] valid) {
      if (vector.getValueCapacity() < RowBatch.CAPACITY) {
        vector.allocateNew(RowBatch.CAPACITY);
      }
      vector.getValidityBuffer().setBytes(0, valid, 0, (rows + 7) / Byte.SIZE);
      ArrowBuf data = vector.getDataBuffer();
      copy(data.nioBuffer(0, rows * width).order(ByteOrder.LITTLE_ENDIAN), rows);
    }

    abstract void copy(ByteBuffer target, int rows);
  }

  /** Values of 4 bytes, as they are: integers, and the bits of floats. */
  private static final class Ints extends Fixed {
    private final ToIntFunction<ValuesReader> reading;
    private final int[] loaded = new int[RowBatch.CAPACITY];
    private final int[] values = new int[RowBatch.CAPACITY];

    Ints(
        ColumnDescriptor descriptor,
        BaseFixedWidthVector vector,
        ToIntFunction<ValuesReader> reading) {
      super(descriptor, vector);
      this.reading = reading;
    }

    @Override
    void load(ColumnPages source, int count) {
      loadInts(source, count, reading, loaded);
    }

    @Override
    void put(int value, int row) {
      values[row] = loaded[value];
    }

    @Override
    void putAll(int count, int row) {
      System.arraycopy(loaded, 0, values, row, count);
    }

    @Override
    void copy(ByteBuffer target, int rows) {
      target.asIntBuffer().put(values, 0, rows);
    }
  }

  /** Values stored in 4 bytes of which the vector has 8: the column's type was promoted. */
  private static final class Widened extends Fixed {
    private final ToIntFunction<ValuesReader> reading;
    private final IntToLongFunction widening;
    private final int[] loaded = new int[RowBatch.CAPACITY];
    private final long[] values = new long[RowBatch.CAPACITY];

    Widened(
        ColumnDescriptor descriptor,
        BaseFixedWidthVector vector,
        ToIntFunction<ValuesReader> reading,
        IntToLongFunction widening) {
      super(descriptor, vector);
      this.reading = reading;
      this.widening = widening;
    }

    @Override
    void load(ColumnPages source, int count) {
      loadInts(source, count, reading, loaded);
    }

    @Override
    void put(int value, int row) {
      values[row] = widening.applyAsLong(loaded[value]);
    }

    @Override
    void putAll(int count, int row) {
      for (int i = 0; i < count; i++) {
        put(i, row + i);
      }
    }

    @Override
    void copy(ByteBuffer target, int rows) {
      target.asLongBuffer().put(values, 0, rows);
    }
  }

  private static void loadInts(
      ColumnPages source, int count, ToIntFunction<ValuesReader> reading, int[] loaded) {
    Optional<ByteBuffer> plain = source.plain(count * Integer.BYTES);
    if (plain.isPresent()) {
      plain.get().asIntBuffer().get(loaded, 0, count);
      return;
    }
    ValuesReader coded = source.coded();
    for (int i = 0; i < count; i++) {
      loaded[i] = reading.applyAsInt(coded);
    }
  }

  /** Values of 8 bytes, as they are: integers, and the bits of doubles. */
  private static final class Longs extends Fixed {
    private final ToLongFunction<ValuesReader> reading;
    private final long[] loaded = new long[RowBatch.CAPACITY];
    private final long[] values = new long[RowBatch.CAPACITY];

    Longs(
        ColumnDescriptor descriptor,
        BaseFixedWidthVector vector,
        ToLongFunction<ValuesReader> reading) {
      super(descriptor, vector);
      this.reading = reading;
    }

    @Override
    void load(ColumnPages source, int count) {
      Optional<ByteBuffer> plain = source.plain(count * Long.BYTES);
      if (plain.isPresent()) {
        plain.get().asLongBuffer().get(loaded, 0, count);
        return;
      }
      ValuesReader coded = source.coded();
      for (int i = 0; i < count; i++) {
        loaded[i] = reading.applyAsLong(coded);
      }
    }

    @Override
    void put(int value, int row) {
      values[row] = loaded[value];
    }

    @Override
    void putAll(int count, int row) {
      System.arraycopy(loaded, 0, values, row, count);
    }

    @Override
    void copy(ByteBuffer target, int rows) {
      target.asLongBuffer().put(values, 0, rows);
    }
  }

  /** Text and bytes. */
  private static final class Bytes extends PlainColumn {
    private final BaseVariableWidthVector vector;
    private final Binary[] loaded = new Binary[RowBatch.CAPACITY];

    Bytes(ColumnDescriptor descriptor, BaseVariableWidthVector vector) {
      super(descriptor);
      this.vector = vector;
    }

    @Override
    void load(ColumnPages source, int count) {
      ValuesReader coded = source.coded();
      for (int i = 0; i < count; i++) {
        loaded[i] = coded.readBytes();
      }
    }

    @Override
    void put(int value, int row) {
      ByteBuffer bytes = loaded[value].toByteBuffer();
      vector.setSafe(row, bytes, bytes.position(), bytes.remaining());
    }

    @Override
    void putAll(int count, int row) {
      for (int i = 0; i < count; i++) {
        put(i, row + i);
      }
    }

    @Override
    void finish(int rows, byte[] valid) {
      while (vector.getValueCapacity() < rows) {
        vector.reAlloc();
      }
      vector.getValidityBuffer().setBytes(0, valid, 0, (rows + 7) / Byte.SIZE);
    }
  }
}
