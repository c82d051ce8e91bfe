package dev.narwhal.lance.deletion;

import com.google.flatbuffers.FlatBufferBuilder;
import io.airlift.compress.zstd.ZstdCompressor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.BodyCompressionMethod;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;

/**
 * Writes the Arrow IPC file that a deletion array is: schema message, one record batch, footer;
 * each message and each body starts at a multiple of 64 bytes, as in Lance's own files. The layout
 * is told at {@link ArrayFileReader}.
 */
final class ArrayFileWriter {
  private static final int ALIGNMENT = 64;
  private static final int MESSAGE_PREFIX = 2 * Integer.BYTES;

  private ArrayFileWriter() {}

  /**
   * @param values the column's values, 4 bytes each, on the heap, from position 0
   */
  static ByteBuffer write(ByteBuffer values) {
    int entries = values.remaining() / Integer.BYTES;
    byte[] column = entries == 0 ? new byte[0] : compress(values);
    int bodyLength = aligned(column.length);
    ByteBuffer schema = message(schemaMessage());
    ByteBuffer batch = message(batchMessage(entries, column.length, bodyLength));
    int batchAt = ALIGNMENT + schema.remaining();
    byte[] footer = footer(batchAt, batch.remaining(), bodyLength);

    ByteBuffer out =
        ByteBuffer.allocate(
                batchAt
                    + batch.remaining()
                    + bodyLength
                    + MESSAGE_PREFIX
                    + footer.length
                    + Integer.BYTES
                    + ArrayFileReader.MAGIC.length)
            .order(ByteOrder.LITTLE_ENDIAN);
    out.put(ArrayFileReader.MAGIC).position(ALIGNMENT);
    out.put(schema).put(batch).put(column).position(out.position() + bodyLength - column.length);
    // end of the stream of messages
    out.putInt(ArrayFileReader.CONTINUATION).putInt(0);
    out.put(footer).putInt(footer.length).put(ArrayFileReader.MAGIC);
    return out.flip().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** A buffer that would not shrink is stored plain. */
  private static byte[] compress(ByteBuffer values) {
    byte[] plain = new byte[values.remaining()];
    values.get(0, plain);
    ZstdCompressor compressor = new ZstdCompressor();
    byte[] packed = new byte[compressor.maxCompressedLength(plain.length)];
    int packedLength = compressor.compress(plain, 0, plain.length, packed, 0, packed.length);
    boolean shrinks = packedLength < plain.length;
    ByteBuffer out =
        ByteBuffer.allocate(Long.BYTES + (shrinks ? packedLength : plain.length))
            .order(ByteOrder.LITTLE_ENDIAN);
    if (shrinks) {
      out.putLong(plain.length).put(packed, 0, packedLength);
    } else {
      out.putLong(ArrayFileReader.PLAIN).put(plain);
    }
    return out.array();
  }

  /** Continuation marker, length of the padded message, message, padding. */
  private static ByteBuffer message(byte[] flatbuffer) {
    int total = aligned(MESSAGE_PREFIX + flatbuffer.length);
    ByteBuffer out = ByteBuffer.allocate(total).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(ArrayFileReader.CONTINUATION).putInt(total - MESSAGE_PREFIX).put(flatbuffer);
    return out.rewind();
  }

  private static byte[] schemaMessage() {
    FlatBufferBuilder to = new FlatBufferBuilder();
    int schema = schema(to);
    to.finish(Message.createMessage(to, MetadataVersion.V5, MessageHeader.Schema, schema, 0, 0));
    return to.sizedByteArray();
  }

  private static byte[] batchMessage(int entries, int columnLength, int bodyLength) {
    FlatBufferBuilder to = new FlatBufferBuilder();
    // structs of a vector are written last to first
    RecordBatch.startBuffersVector(to, 2);
    Buffer.createBuffer(to, 0, columnLength);
    Buffer.createBuffer(to, 0, 0);
    int buffers = to.endVector();
    RecordBatch.startNodesVector(to, 1);
    FieldNode.createFieldNode(to, entries, 0);
    int nodes = to.endVector();
    int compression =
        BodyCompression.createBodyCompression(
            to, CompressionType.ZSTD, BodyCompressionMethod.BUFFER);
    RecordBatch.startRecordBatch(to);
    RecordBatch.addLength(to, entries);
    RecordBatch.addNodes(to, nodes);
    RecordBatch.addBuffers(to, buffers);
    RecordBatch.addCompression(to, compression);
    int batch = RecordBatch.endRecordBatch(to);
    to.finish(
        Message.createMessage(
            to, MetadataVersion.V5, MessageHeader.RecordBatch, batch, bodyLength, 0));
    return to.sizedByteArray();
  }

  private static byte[] footer(int batchAt, int messageLength, int bodyLength) {
    FlatBufferBuilder to = new FlatBufferBuilder();
    int schema = schema(to);
    Footer.startDictionariesVector(to, 0);
    int dictionaries = to.endVector();
    Footer.startRecordBatchesVector(to, 1);
    Block.createBlock(to, batchAt, messageLength, bodyLength);
    int batches = to.endVector();
    to.finish(Footer.createFooter(to, MetadataVersion.V5, schema, dictionaries, batches, 0));
    return to.sizedByteArray();
  }

  private static int schema(FlatBufferBuilder to) {
    int name = to.createString(ArrayFileReader.COLUMN);
    int type = Int.createInt(to, Integer.SIZE, false);
    // some readers want the list of children even where there can be none
    int children = Field.createChildrenVector(to, new int[0]);
    int field = Field.createField(to, name, false, Type.Int, type, 0, children, 0);
    int fields = Schema.createFieldsVector(to, new int[] {field});
    return Schema.createSchema(to, Endianness.Little, fields, 0, 0);
  }

  private static int aligned(int bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }
}
