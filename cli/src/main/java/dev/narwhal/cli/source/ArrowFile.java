package dev.narwhal.cli.source;

import dev.narwhal.lance.write.RowSource;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.arrow.memory.BufferAllocator;

/** Arrow IPC, the file or the stream format. */
final class ArrowFile {
  private ArrowFile() {}

  static RowSource open(Path file, BufferAllocator allocator) throws IOException {
    try {
      IpcReader reader = IpcReader.open(file, allocator);
      try {
        reader.getVectorSchemaRoot();
        return new PlacedRows(file, RowSource.of(reader));
      } catch (IOException | RuntimeException e) {
        reader.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      throw PlacedRows.failure(file, "", e);
    }
  }
}
