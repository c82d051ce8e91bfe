package dev.narwhal.cli.rows;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/** Rows as an Arrow IPC stream: schema, dictionaries, batches as they come, end marker. */
public final class ArrowRows implements RowWriter {
  private final VectorSchemaRoot root;
  private final ArrowStreamWriter writer;

  public ArrowRows(
      Schema schema, DictionaryProvider dictionaries, OutputStream out, BufferAllocator allocator)
      throws IOException {
    root = VectorSchemaRoot.create(schema, allocator);
    writer = new ArrowStreamWriter(root, dictionaries, new LeftOpen(out));
    writer.start();
  }

  @Override
  public void write(VectorSchemaRoot batch) throws IOException {
    try (ArrowRecordBatch shared = new VectorUnloader(batch).getRecordBatch()) {
      new VectorLoader(root).load(shared);
    }
    writer.writeBatch();
    root.clear();
  }

  @Override
  public void close() throws IOException {
    try (root;
        writer) {
      writer.end();
    }
  }

  /** The stream is the caller's; Arrow closes what it writes to. */
  private static final class LeftOpen extends FilterOutputStream {
    LeftOpen(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
    }

    @Override
    public void close() {}
  }
}
