package dev.narwhal.iceberg.mapping;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;

/**
 * Values of an Iceberg {@code string} (as UTF-8), {@code binary}, {@code fixed} or {@code uuid} (16
 * bytes, big-endian). A value is loaded into a buffer that the next one overwrites.
 */
public final class BytesValues implements ColumnValues {
  /** What the bytes are. */
  public enum Content {
    TEXT,
    BINARY
  }

  private interface Loader {
    void load(int row);
  }

  private static final int FIRST_CAPACITY = 64;

  private final Column column;
  private final Content content;
  private final boolean rendered;
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT);
  private CharBuffer decoded = CharBuffer.allocate(FIRST_CAPACITY);
  private ValueVector vector = Column.UNBOUND;
  private Loader loader = row -> {};
  private byte[] bytes = new byte[FIRST_CAPACITY];
  private int length;

  BytesValues(Column column, Content content) {
    this(column, content, false);
  }

  private BytesValues(Column column, Content content, boolean rendered) {
    this.column = column;
    this.content = content;
    this.rendered = rendered;
  }

  /** Values of any type as {@link ArrowText}. */
  static BytesValues rendered(Column column) {
    return new BytesValues(column, Content.TEXT, true);
  }

  public Content content() {
    return content;
  }

  @Override
  public void bind(FieldVector newVector, long firstRow) {
    column.at(firstRow);
    FieldVector storage = Column.storage(newVector);
    this.loader = rendered ? texts(storage) : loader(storage);
    this.vector = storage;
  }

  private Loader texts(FieldVector storage) {
    return row -> {
      byte[] text = ArrowText.of(storage, row).getBytes(StandardCharsets.UTF_8);
      this.bytes = text;
      this.length = text.length;
    };
  }

  private Loader loader(FieldVector newVector) {
    ArrowBuf data = newVector.getDataBuffer();
    if (newVector instanceof VarCharVector || newVector instanceof VarBinaryVector) {
      ArrowBuf offsets = newVector.getOffsetBuffer();
      return row -> {
        long at = (long) row * Integer.BYTES;
        copy(row, data, offsets.getInt(at), offsets.getInt(at + Integer.BYTES));
      };
    }
    if (newVector instanceof LargeVarCharVector || newVector instanceof LargeVarBinaryVector) {
      ArrowBuf offsets = newVector.getOffsetBuffer();
      return row -> {
        long at = (long) row * Long.BYTES;
        copy(row, data, offsets.getLong(at), offsets.getLong(at + Long.BYTES));
      };
    }
    if (newVector instanceof FixedSizeBinaryVector fixed) {
      int width = fixed.getByteWidth();
      return row -> copy(row, data, (long) row * width, (row + 1L) * width);
    }
    throw column.unexpected(newVector);
  }

  private void copy(int row, ArrowBuf data, long start, long endExclusive) {
    long size = endExclusive - start;
    if (size > Integer.MAX_VALUE - 8) {
      throw column.fault(row, size + " bytes are more than one value in Parquet can have");
    }
    this.length = (int) size;
    if (length > bytes.length) {
      this.bytes = new byte[Math.max(length, (int) Math.min(2L * bytes.length, 1 << 30))];
    }
    data.getBytes(start, bytes, 0, length);
  }

  @Override
  public boolean isNull(int row) {
    return vector.isNull(row);
  }

  /**
   * Turns to a value.
   *
   * @throws UnmappableValueException if it is a text that is no UTF-8
   */
  public void load(int row) {
    loader.load(row);
    if (content == Content.TEXT && !isText()) {
      throw column.fault(row, "the text is no UTF-8");
    }
  }

  /** The loaded value in its first {@link #length} bytes, until the next is loaded. */
  public byte[] bytes() {
    return bytes;
  }

  public int length() {
    return length;
  }

  private boolean isText() {
    byte seen = 0;
    for (int i = 0; i < length; i++) {
      seen |= bytes[i];
    }
    if (seen >= 0) {
      return true;
    }
    if (decoded.capacity() < length) {
      decoded = CharBuffer.allocate(bytes.length);
    }
    decoded.clear();
    decoder.reset();
    return !decoder.decode(ByteBuffer.wrap(bytes, 0, length), decoded, true).isError();
  }

  @Override
  public <R> R accept(Visitor<R> visitor) {
    return visitor.bytes(this);
  }
}
