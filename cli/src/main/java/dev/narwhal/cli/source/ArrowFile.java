package dev.narwhal.cli.source;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.narwhal.lance.write.RowSource;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;

/** Arrow IPC, the file or the stream format, which the first bytes tell. */
final class ArrowFile {
  private static final byte[] MAGIC = "ARROW1".getBytes(US_ASCII);

  private ArrowFile() {}

  static RowSource open(Path file, BufferAllocator allocator) throws IOException {
    IpcCompression codecs = new IpcCompression();
    ArrowReader reader =
        isFile(file)
            ? new ArrowFileReader(FileChannel.open(file), allocator, codecs)
            : new ArrowStreamReader(
                new BufferedInputStream(Files.newInputStream(file)), allocator, codecs);
    try {
      reader.getVectorSchemaRoot();
    } catch (IOException | RuntimeException e) {
      reader.close();
      throw new IOException(file + ": not Arrow IPC that can be read: " + e.getMessage(), e);
    }
    return RowSource.of(reader);
  }

  private static boolean isFile(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return Arrays.equals(in.readNBytes(MAGIC.length), MAGIC);
    }
  }
}
