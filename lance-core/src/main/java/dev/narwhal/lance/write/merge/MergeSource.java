package dev.narwhal.lance.write.merge;

import dev.narwhal.lance.write.RowSource;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * What a merge keeps of its source, for as many attempts as it takes: the rows, and their keys. One
 * thread.
 *
 * @param schema of the rows, columns in the table's order
 * @param folder where what exceeds the memory is
 */
record MergeSource(
    Schema schema, SourceSpool rows, SourceKeys keys, KeyEncoder encoder, SpillFolder folder)
    implements Closeable {

  /**
   * Reads a source to its end.
   *
   * @param columns those that it has, as the table has them
   * @param keyColumns some of them
   */
  static MergeSource read(
      RowSource source,
      List<Field> columns,
      List<Field> keyColumns,
      MergeOptions options,
      BufferAllocator allocator)
      throws IOException {
    MergeMemory memory = MergeMemory.of(options.memoryBytes());
    KeyEncoder encoder = new KeyEncoder(keyColumns);
    SpillFolder folder = new SpillFolder(options.spillDirectory());
    MergeSource read =
        new MergeSource(
            new Schema(columns),
            new SourceSpool(columns, allocator, folder, memory.rowBytes()),
            new SourceKeys(encoder, folder, memory.keyBytes()),
            encoder,
            folder);
    try {
      read.rows.fill(source, read.keys::add);
      read.keys.seal();
      return read;
    } catch (IOException | RuntimeException | Error e) {
      try (read) {
        throw e;
      }
    }
  }

  @Override
  public void close() throws IOException {
    try (folder;
        keys) {
      rows.close();
    }
  }
}
