package dev.narwhal.lance.write.merge;

import dev.narwhal.lance.datafile.VectorConcat;
import dev.narwhal.lance.rowid.UnsignedOrder;
import dev.narwhal.lance.scan.VectorSelection;
import dev.narwhal.lance.write.RowSource;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a source, to be read as often as a merge needs them: it is read once itself. The
 * first batches stay in memory as far as the budget goes, the others go to a temporary file, an
 * Arrow IPC stream. Small batches are joined. One thread.
 */
final class SourceSpool implements Closeable {
  /** A batch is handed on when it has as many rows, or bytes. */
  private static final int BATCH_ROWS = 1 << 16;

  private static final long BATCH_BYTES = 8L << 20;

  private final Schema schema;
  private final BufferAllocator allocator;
  private final SpillFolder folder;
  private final long memoryBytes;
  private final List<VectorSchemaRoot> held = new ArrayList<>();
  private final List<VectorSchemaRoot> small = new ArrayList<>();
  private long heldBytes;
  private long smallBytes;
  private int smallRows;
  private long rows;
  private @Nullable Path file;
  private @Nullable WriteChannel out;

  /** Takes each batch when it is whole. */
  @FunctionalInterface
  interface BatchConsumer {
    /**
     * Takes one.
     *
     * @param firstRow number of the batch's first row in the source
     */
    void accept(VectorSchemaRoot batch, long firstRow) throws IOException;
  }

  /**
   * @param columns those of the source, as the table has them
   * @param folder for what exceeds the budget
   * @param memoryBytes for batches that are held
   */
  SourceSpool(
      List<Field> columns, BufferAllocator allocator, SpillFolder folder, long memoryBytes) {
    this.schema = new Schema(columns);
    this.allocator = allocator;
    this.folder = folder;
    this.memoryBytes = memoryBytes;
  }

  /** Reads a source to its end. */
  void fill(RowSource source, BatchConsumer consumer) throws IOException {
    while (source.next()) {
      if (source.batch().getRowCount() > 0) {
        add(source.batch());
        if (smallRows >= BATCH_ROWS || smallBytes >= BATCH_BYTES) {
          flush(consumer);
        }
      }
    }
    if (smallRows > 0) {
      flush(consumer);
    }
    if (out != null) {
      out.writeIntLittleEndian(MessageSerializer.IPC_CONTINUATION_TOKEN);
      out.writeIntLittleEndian(0);
      out.close();
      out = null;
    }
  }

  /** Number of rows. */
  long rows() {
    return rows;
  }

  /** Whether some of the rows are in a file. */
  boolean isSpilled() {
    return file != null;
  }

  /** Begins to read all rows. The caller closes the result. */
  Pass open() throws IOException {
    return new Pass();
  }

  /**
   * Rows by their numbers, in the order of the request. The caller closes the result.
   *
   * @param numbers of rows, duplicates allowed
   * @param columns some of the source's
   * @throws IllegalStateException when some of the rows are in a file
   */
  VectorSchemaRoot take(long[] numbers, List<String> columns) {
    if (isSpilled()) {
      throw new IllegalStateException("rows in a file are read in order only");
    }
    int[] order = UnsignedOrder.of(numbers);
    int[] places = new int[numbers.length];
    for (int i = 0; i < order.length; i++) {
      places[order[i]] = i;
    }
    List<FieldVector> taken = new ArrayList<>(columns.size());
    try {
      for (String column : columns) {
        try (FieldVector sorted = ascending(numbers, order, column)) {
          taken.add(VectorSelection.select(sorted, places, allocator));
        }
      }
      return new VectorSchemaRoot(taken);
    } catch (RuntimeException | Error e) {
      taken.forEach(FieldVector::close);
      throw e;
    }
  }

  /** A column's values by ascending row number. */
  private FieldVector ascending(long[] numbers, int[] order, String column) {
    List<FieldVector> parts = new ArrayList<>();
    try {
      long first = 0;
      int at = 0;
      for (VectorSchemaRoot batch : held) {
        long end = first + batch.getRowCount();
        int from = at;
        while (at < order.length && numbers[order[at]] < end) {
          at++;
        }
        int[] positions = new int[at - from];
        for (int i = from; i < at; i++) {
          positions[i - from] = (int) (numbers[order[i]] - first);
        }
        if (positions.length > 0) {
          parts.add(VectorSelection.select(batch.getVector(column), positions, allocator));
        }
        first = end;
      }
      return VectorConcat.concat(parts, allocator);
    } finally {
      parts.forEach(FieldVector::close);
    }
  }

  private void add(VectorSchemaRoot batch) {
    List<FieldVector> copies = new ArrayList<>(schema.getFields().size());
    try {
      for (Field column : schema.getFields()) {
        FieldVector vector = batch.getVector(column.getName());
        requireRows(vector, batch);
        copies.add(VectorSelection.copy(vector, allocator));
      }
    } catch (RuntimeException | Error e) {
      copies.forEach(FieldVector::close);
      throw e;
    }
    small.add(new VectorSchemaRoot(schema, copies, batch.getRowCount()));
    smallRows += batch.getRowCount();
    smallBytes += sizeBytes(copies);
  }

  private static void requireRows(@Nullable FieldVector vector, VectorSchemaRoot batch) {
    if (vector == null || vector.getValueCount() != batch.getRowCount()) {
      throw new IllegalArgumentException(
          "a batch of the source does not have the columns or the rows that it says: "
              + batch.getRowCount()
              + " rows of "
              + batch.getSchema().getFields().stream().map(Field::getName).toList());
    }
  }

  private void flush(BatchConsumer consumer) throws IOException {
    VectorSchemaRoot batch = joined();
    try {
      consumer.accept(batch, rows);
      rows += batch.getRowCount();
      long bytes = sizeBytes(batch.getFieldVectors());
      if (file == null && heldBytes + bytes <= memoryBytes) {
        held.add(batch);
        heldBytes += bytes;
        return;
      }
      spill(batch);
    } catch (IOException | RuntimeException | Error e) {
      batch.close();
      throw e;
    }
    batch.close();
  }

  /** The small batches as one, which is the caller's. */
  private VectorSchemaRoot joined() {
    VectorSchemaRoot batch = small.get(0);
    if (small.size() > 1) {
      List<FieldVector> vectors = new ArrayList<>();
      try {
        for (int column = 0; column < schema.getFields().size(); column++) {
          List<FieldVector> parts = new ArrayList<>(small.size());
          for (VectorSchemaRoot part : small) {
            parts.add(part.getVector(column));
          }
          vectors.add(VectorConcat.concat(parts, allocator));
        }
      } catch (RuntimeException | Error e) {
        vectors.forEach(FieldVector::close);
        throw e;
      }
      small.forEach(VectorSchemaRoot::close);
      batch = new VectorSchemaRoot(schema, vectors, smallRows);
    }
    small.clear();
    smallRows = 0;
    smallBytes = 0;
    return batch;
  }

  private void spill(VectorSchemaRoot batch) throws IOException {
    WriteChannel channel = out;
    if (channel == null) {
      Path path = folder.newFile("source");
      file = path;
      channel =
          new WriteChannel(
              Channels.newChannel(new BufferedOutputStream(Files.newOutputStream(path), 1 << 16)));
      out = channel;
      MessageSerializer.serialize(channel, schema);
    }
    try (ArrowRecordBatch message = new VectorUnloader(batch).getRecordBatch()) {
      MessageSerializer.serialize(channel, message);
    }
  }

  private static long sizeBytes(List<FieldVector> vectors) {
    long bytes = 0;
    for (FieldVector vector : vectors) {
      bytes += vector.getBufferSize();
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    held.forEach(VectorSchemaRoot::close);
    held.clear();
    small.forEach(VectorSchemaRoot::close);
    small.clear();
    if (out != null) {
      out.close();
      out = null;
    }
  }

  /** One reading of all rows, in order. One thread. */
  final class Pass implements Closeable {
    private int index = -1;
    private long firstRow;
    private long nextRow;
    private @Nullable ArrowStreamReader reader;
    private @Nullable VectorSchemaRoot current;

    /** Moves to the next batch; false after the last. */
    boolean next() throws IOException {
      index++;
      if (index < held.size()) {
        current = held.get(index);
      } else if (!nextSpilled()) {
        current = null;
        return false;
      }
      firstRow = nextRow;
      nextRow += batch().getRowCount();
      return true;
    }

    private boolean nextSpilled() throws IOException {
      Path path = file;
      if (path == null) {
        return false;
      }
      ArrowStreamReader open = reader;
      if (open == null) {
        open =
            new ArrowStreamReader(
                new BufferedInputStream(Files.newInputStream(path), 1 << 16), allocator);
        reader = open;
      }
      current = open.getVectorSchemaRoot();
      return open.loadNextBatch();
    }

    /** The batch, which stays the spool's and is valid until the next one. */
    VectorSchemaRoot batch() {
      VectorSchemaRoot batch = current;
      if (batch == null) {
        throw new IllegalStateException("no batch: call next() first");
      }
      return batch;
    }

    /** Number of the batch's first row in the source. */
    long firstRow() {
      return firstRow;
    }

    @Override
    public void close() throws IOException {
      if (reader != null) {
        reader.close();
      }
    }
  }
}
