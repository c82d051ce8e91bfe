package dev.narwhal.lance.deletion;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.narwhal.lance.datafile.codec.Compression;
import dev.narwhal.lance.datafile.codec.UnitDecompressor;
import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.BodyCompressionMethod;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;
import org.jspecify.annotations.Nullable;

/**
 * Reads the one kind of Arrow IPC file that a deletion file is, and refuses every other. Arrow's
 * own reader allocates what a file claims to need before it looks at what is there.
 *
 * <pre>
 * "ARROW1" and padding, messages, footer, i32 length of the footer, "ARROW1"
 * footer: schema, position and lengths of each batch's message and body
 * body:   buffers where the message says; a compressed one is i64 uncompressed length (-1: plain
 *         bytes follow) and a ZSTD or LZ4 frame
 * </pre>
 */
final class ArrayFileReader {
  /** Four bytes an entry, in one buffer. */
  static final int MAX_ENTRIES = (Integer.MAX_VALUE - 64) / Integer.BYTES;

  static final String COLUMN = "row_id";
  static final byte[] MAGIC = "ARROW1".getBytes(US_ASCII);
  static final int CONTINUATION = -1;
  static final int PLAIN = -1;

  private static final int HEAD_BYTES = 8;
  private static final int TAIL_BYTES = Integer.BYTES + MAGIC.length;

  private final ByteBuffer file;

  private ArrayFileReader(ByteBuffer bytes) {
    file = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * The column's values: 4 bytes each, little-endian.
   *
   * @param maxEntries more of them are a format error
   */
  static ByteBuffer read(ByteBuffer bytes, long maxEntries) {
    try {
      return new ArrayFileReader(bytes).values(maxEntries);
    } catch (LanceFormatException e) {
      throw e;
    } catch (RuntimeException e) {
      // flatbuffers follow the offsets they find; all they touch is the buffer given to them
      throw new LanceFormatException("Arrow metadata is damaged: " + e.getMessage(), e);
    }
  }

  private ByteBuffer values(long maxEntries) {
    Footer footer = footer();
    requireColumn(footer.schema());
    require(footer.dictionariesLength() == 0, "a dictionary");
    require(
        footer.recordBatchesLength() == 1, footer.recordBatchesLength() + " batches, expected 1");
    Block block = footer.recordBatches(0);
    ByteBuffer metadata =
        part(file, block.offset(), block.metaDataLength(), "the record batch's message");
    // the body begins right behind, and the addition cannot overflow any more
    ByteBuffer body =
        part(file, block.offset() + block.metaDataLength(), block.bodyLength(), "the record batch");
    RecordBatch batch = recordBatch(metadata);
    long entries = batch.length();
    require(
        entries >= 0 && entries <= Math.min(maxEntries, MAX_ENTRIES),
        Long.toUnsignedString(entries) + " entries, at most " + maxEntries + " are possible");
    require(batch.nodesLength() == 1, batch.nodesLength() + " field nodes, expected 1");
    require(
        batch.nodes(0).length() == entries,
        "a column of " + batch.nodes(0).length() + " entries in a batch of " + entries);
    require(batch.nodes(0).nullCount() == 0, batch.nodes(0).nullCount() + " nulls, expected none");
    require(batch.buffersLength() == 2, batch.buffersLength() + " buffers, expected 2");
    // without nulls the validity buffer says nothing, it only has to be there
    buffer(body, batch.buffers(0), "validity buffer");
    ByteBuffer values = buffer(body, batch.buffers(1), "value buffer");
    return plain(values, batch.compression(), (int) entries * Integer.BYTES);
  }

  private Footer footer() {
    require(
        file.limit() >= HEAD_BYTES + TAIL_BYTES,
        "an Arrow file of " + file.limit() + " bytes, too short");
    require(magicAt(0), "no Arrow magic at the start");
    require(magicAt(file.limit() - MAGIC.length), "no Arrow magic at the end");
    int length = file.getInt(file.limit() - TAIL_BYTES);
    long start = (long) file.limit() - TAIL_BYTES - length;
    require(length > 0 && start >= HEAD_BYTES, "a footer of " + length + " bytes");
    Footer footer = Footer.getRootAsFooter(part(file, start, length, "the footer"));
    requireVersion(footer.version());
    return footer;
  }

  private boolean magicAt(int position) {
    return file.slice(position, MAGIC.length).equals(ByteBuffer.wrap(MAGIC));
  }

  private static void requireColumn(Schema schema) {
    require(schema.endianness() == Endianness.Little, "big-endian values");
    require(schema.fieldsLength() == 1, schema.fieldsLength() + " columns, expected 1");
    Field field = schema.fields(0);
    require(
        field.nameAsByteBuffer().equals(ByteBuffer.wrap(COLUMN.getBytes(US_ASCII))),
        "a column of another name, expected row_id");
    require(!field.nullable(), "a nullable column, expected one that is not");
    require(
        field.childrenLength() == 0 && field.dictionary() == null && field.typeType() == Type.Int,
        "a column of another type, expected uint32");
    Int type = (Int) field.type(new Int());
    require(
        type.bitWidth() == Integer.SIZE && !type.isSigned(),
        "a column of another integer type, expected uint32");
  }

  private static RecordBatch recordBatch(ByteBuffer metadata) {
    require(metadata.limit() >= 2 * Integer.BYTES, "a record batch without a message");
    // before version 0.15 a message had no continuation marker
    int prefix = metadata.getInt(0) == CONTINUATION ? 2 * Integer.BYTES : Integer.BYTES;
    int length = metadata.getInt(prefix - Integer.BYTES);
    Message message =
        Message.getRootAsMessage(part(metadata, prefix, length, "the record batch's message"));
    requireVersion(message.version());
    require(message.headerType() == MessageHeader.RecordBatch, "a message that is no record batch");
    return (RecordBatch) message.header(new RecordBatch());
  }

  private static ByteBuffer buffer(ByteBuffer body, Buffer where, String what) {
    return part(body, where.offset(), where.length(), "the " + what);
  }

  /** The first {@code bytes} of a buffer that may be compressed. */
  private static ByteBuffer plain(
      ByteBuffer buffer, @Nullable BodyCompression compression, int bytes) {
    ByteBuffer content = buffer;
    // of nothing, writers compress nothing or a length of 0
    if (compression != null && bytes > 0) {
      require(
          compression.method() == BodyCompressionMethod.BUFFER, "an unknown compression method");
      require(buffer.remaining() >= Long.BYTES, "a compressed buffer without its length");
      content =
          buffer.getLong(0) == PLAIN
              ? buffer.slice(Long.BYTES, buffer.remaining() - Long.BYTES)
              : decompress(buffer, compression.codec(), bytes);
    }
    require(
        content.remaining() >= bytes,
        "a value buffer of " + content.remaining() + " bytes, expected " + bytes);
    return content.slice(0, bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Writers may count the padding to 64 bytes as content. */
  private static ByteBuffer decompress(ByteBuffer buffer, byte codec, int bytes) {
    int maxBytes = bytes + 63;
    return switch (codec) {
      // Lance's framing of a unit is Arrow's framing of a buffer
      case CompressionType.ZSTD ->
          new UnitDecompressor(Compression.ZSTD).decompress(buffer, maxBytes);
      case CompressionType.LZ4_FRAME -> {
        long length = buffer.getLong(0);
        require(
            length >= 0 && length <= maxBytes,
            "a compressed buffer of " + length + " bytes, expected " + bytes);
        ByteBuffer frame = buffer.slice(Long.BYTES, buffer.remaining() - Long.BYTES);
        yield ByteBuffer.wrap(Lz4Frame.decode(frame, (int) length));
      }
      default -> throw new LanceFormatException("unknown Arrow compression " + codec);
    };
  }

  private static void requireVersion(short version) {
    require(
        version == MetadataVersion.V4 || version == MetadataVersion.V5,
        "Arrow metadata version V" + (version + 1) + ", expected V4 or V5");
  }

  private static ByteBuffer part(ByteBuffer whole, long position, long length, String what) {
    require(
        position >= 0 && length >= 0 && position <= whole.limit() - length,
        what + " at " + position + ", " + length + " bytes, outside of " + whole.limit());
    return whole.slice((int) position, (int) length).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void require(boolean holds, String found) {
    if (!holds) {
      throw new LanceFormatException("not a deletion array: " + found);
    }
  }
}
