package dev.narwhal.lance.datafile;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.datafile.page.ByteRange;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.storage.ObjectWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the container: buffers as they come, each from a multiple of 64 bytes on, then everything
 * that says where they are. One thread. Source: file format sheet 1.1 to 1.7.
 */
public final class ContainerWriter {
  private static final byte PADDING = 0x48;

  private final ObjectWriter out;
  private final FileVersion version;
  private final ByteBuffer padding = ByteBuffer.allocate(ContainerCodec.ALIGNMENT_BYTES);

  public ContainerWriter(ObjectWriter out, FileVersion version) {
    this.out = requireNonNull(out, "out");
    this.version = requireNonNull(version, "version");
    while (padding.hasRemaining()) {
      padding.put(PADDING);
    }
  }

  /**
   * Writes a buffer of a page, from position to limit.
   *
   * @return where it is in the file
   */
  public ByteRange write(ByteBuffer buffer) throws IOException {
    ByteRange range = new ByteRange(out.sizeBytes(), buffer.remaining());
    out.write(buffer);
    int past = (int) (out.sizeBytes() % ContainerCodec.ALIGNMENT_BYTES);
    if (past > 0) {
      out.write(padding.clear().limit(ContainerCodec.ALIGNMENT_BYTES - past));
    }
    return range;
  }

  /**
   * Writes what follows the buffers. The object is complete then, but not yet finished.
   *
   * @param rows of every column
   * @param columns in the order that the schema gives them
   */
  public void end(LanceSchema schema, long rows, List<ColumnMetadata> columns) throws IOException {
    ByteRange description = append(ByteBuffer.wrap(FileSchemaCodec.encode(schema, rows)));
    long columnMetadataStart = out.sizeBytes();
    List<ByteRange> messages = new ArrayList<>(columns.size());
    for (ColumnMetadata column : columns) {
      messages.add(append(ByteBuffer.wrap(ContainerCodec.encode(version, column))));
    }
    ByteRange columnTable = append(ContainerCodec.encodeTable(messages));
    ByteRange globalTable = append(ContainerCodec.encodeTable(List.of(description)));
    append(Footer.encode(version, columnMetadataStart, columnTable, globalTable));
  }

  private ByteRange append(ByteBuffer bytes) throws IOException {
    ByteRange range = new ByteRange(out.sizeBytes(), bytes.remaining());
    out.write(bytes);
    return range;
  }
}
