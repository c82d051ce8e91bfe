package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.ColumnMetadata;
import dev.narwhal.lance.datafile.ContainerWriter;
import dev.narwhal.lance.datafile.FieldColumns;
import dev.narwhal.lance.datafile.page.ByteRange;
import dev.narwhal.lance.schema.FieldTree;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.storage.ObjectWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;

/**
 * Writes one Lance data file, batch by batch. Memory follows the page size, the number of columns
 * and that of threads, not the rows; batches are copied, so that the caller may refill them.
 *
 * <p>The file appears when {@link #finish} returns. Closed before, or after a failure, the writer
 * leaves nothing. After a failure it can only be closed. One thread at a time; columns are encoded
 * by threads of its own.
 */
public final class LanceFileWriter implements Closeable {
  private final LanceSchema schema;
  private final WriterOptions options;
  private final BatchCheck check;
  private final List<Part> parts;
  private final long firstRow;
  private final ColumnTasks tasks;

  /** Pages that are being encoded, in the order in which they are written. */
  private final Deque<Pending> pending = new ArrayDeque<>();

  private final ObjectWriter out;
  private final ContainerWriter container;
  private State state = State.OPEN;
  private long rows;

  private enum State {
    OPEN,
    FAILED,
    FINISHED,
    CLOSED
  }

  /** The columns of a writer, and their pages so far. */
  private static final class Part {
    private final FieldWriter writer;

    /** Index of the top-level field. */
    private final int field;

    private final List<Pages> columns = new ArrayList<>();

    Part(FieldWriter writer, int field) {
      this.writer = writer;
      this.field = field;
      for (int i = 0; i < writer.columns(); i++) {
        columns.add(new Pages());
      }
    }
  }

  private static final class Pages {
    private final List<ColumnMetadata.Page> pages = new ArrayList<>();
    private long rows;
  }

  private record Pending(Part part, Future<List<ColumnPage>> pages) {}

  private LanceFileWriter(
      LanceSchema schema,
      WriterOptions options,
      BatchCheck check,
      List<Part> parts,
      long firstRow,
      ObjectWriter out) {
    this.firstRow = firstRow;
    this.schema = schema;
    this.options = options;
    this.check = check;
    this.parts = parts;
    this.tasks = new ColumnTasks(options.parallelism());
    this.out = out;
    this.container = new ContainerWriter(out, options.version());
  }

  /**
   * Begins a file.
   *
   * @see #create(ObjectStore, String, LanceSchema, WriterOptions, long)
   */
  public static LanceFileWriter create(
      ObjectStore store, String path, LanceSchema schema, WriterOptions options)
      throws IOException {
    return create(store, path, schema, options, 0);
  }

  /**
   * Begins a file.
   *
   * @param path relative to the store's root; an object that may be there is replaced at the end
   * @param schema with the field ids of the table
   * @param firstRow number of the file's first row among those that its source gives, for messages
   * @throws dev.narwhal.lance.error.UnsupportedFeatureException for a type that the version has no
   *     columns for
   * @throws IllegalArgumentException for field metadata that asks for an unknown encoding
   */
  public static LanceFileWriter create(
      ObjectStore store, String path, LanceSchema schema, WriterOptions options, long firstRow)
      throws IOException {
    List<FieldTree> trees = FieldTree.topLevel(schema);
    List<Part> parts = new ArrayList<>();
    for (int field = 0; field < trees.size(); field++) {
      for (FieldWriter writer : writers(trees.get(field), options)) {
        parts.add(new Part(writer, field));
      }
    }
    BatchCheck check = new BatchCheck(trees);
    return new LanceFileWriter(schema, options, check, parts, firstRow, store.create(path));
  }

  private static List<FieldWriter> writers(FieldTree tree, WriterOptions options) {
    return options.version().hasArrayPages()
        ? List.of(ArrayFieldsWriter.of(tree, options))
        : LayoutFieldsWriter.of(tree, options);
  }

  /** Rows written so far. */
  public long rows() {
    return rows;
  }

  /** Bytes in the file so far; rows and pages that wait are not in it. */
  public long sizeBytes() {
    return out.sizeBytes();
  }

  /** Appends the rows of a batch without dictionaries. */
  public void write(VectorSchemaRoot batch) throws IOException {
    write(batch, new DictionaryProvider.MapDictionaryProvider());
  }

  /**
   * Appends the rows of a batch.
   *
   * @param batch one vector for each top-level field, found by name
   * @param dictionaries of the vectors that are encoded with one
   * @throws IllegalArgumentException if a vector does not fit its field, or has a null where the
   *     field has none; the message says which and how
   */
  public void write(VectorSchemaRoot batch, DictionaryProvider dictionaries) throws IOException {
    write(batch, dictionaries, 0, batch.getRowCount());
  }

  /**
   * Appends rows {@code [from, endExclusive)} of a batch; else as the other one.
   *
   * @throws IndexOutOfBoundsException if the batch does not have them
   */
  public void write(
      VectorSchemaRoot batch, DictionaryProvider dictionaries, int from, int endExclusive)
      throws IOException {
    requireOpen();
    Objects.checkFromToIndex(from, endExclusive, batch.getRowCount());
    state = State.FAILED;
    List<FieldVector> vectors = check.vectors(batch);
    for (Part part : parts) {
      part.writer.bind(vectors.get(part.field), dictionaries, firstRow + rows - from);
    }
    int at = from;
    while (at < endExclusive) {
      int start = at;
      int end = stepEnd(start, endExclusive);
      List<Callable<List<PageTask>>> appends = new ArrayList<>();
      long sizeBytes = 0;
      for (Part part : parts) {
        appends.add(() -> part.writer.append(start, end));
        sizeBytes += part.writer.sizeBytes(start, end);
      }
      List<List<PageTask>> filled = tasks.run(appends, sizeBytes);
      for (int i = 0; i < parts.size(); i++) {
        encode(parts.get(i), filled.get(i));
      }
      at = end;
    }
    rows += endExclusive - from;
    state = State.OPEN;
  }

  /** No column gets more than a page at a time, whatever the batch holds. */
  private int stepEnd(int from, int count) {
    int end = count;
    for (Part part : parts) {
      while (end - from > 1 && part.writer.sizeBytes(from, end) > options.pageBytes()) {
        end = from + (end - from) / 2;
      }
    }
    return end;
  }

  /** Writes what is left, and makes the file appear. */
  public DataFileSummary finish() throws IOException {
    requireOpen();
    state = State.FAILED;
    for (Part part : parts) {
      encode(part, part.writer.finish());
    }
    writePages(0);
    List<ColumnMetadata> metadata = new ArrayList<>();
    for (Part part : parts) {
      for (int i = 0; i < part.columns.size(); i++) {
        metadata.add(new ColumnMetadata(part.writer.kind(i), part.columns.get(i).pages, List.of()));
      }
    }
    container.end(BlobV2Column.inFile(schema), rows, metadata);
    out.finish();
    state = State.FINISHED;
    return summary(metadata.size());
  }

  private DataFileSummary summary(int columnCount) {
    FieldColumns owners = new FieldColumns(schema, options.version());
    List<Integer> fieldIds = new ArrayList<>();
    List<Integer> indices = new ArrayList<>();
    for (LanceField field : schema.fields()) {
      int column = field.id() < 0 ? -1 : owners.ownColumn(field.id());
      if (column >= 0) {
        fieldIds.add(field.id());
        indices.add(column);
      }
    }
    return new DataFileSummary(
        options.version(), rows, out.sizeBytes(), columnCount, fieldIds, indices);
  }

  private void encode(Part part, List<PageTask> pages) throws IOException {
    for (PageTask page : pages) {
      pending.add(new Pending(part, tasks.start(page)));
      // one is ready to be written while the threads are busy with the others
      writePages(options.parallelism() + 1);
    }
  }

  /**
   * Writes the oldest pages.
   *
   * @param left how many tasks may still be pending then; only this, and not which of them are done
   *     already, decides what the file looks like
   */
  private void writePages(int left) throws IOException {
    while (pending.size() > left) {
      Pending next = pending.remove();
      for (ColumnPage page : ColumnTasks.await(next.pages())) {
        write(next.part(), page);
      }
    }
  }

  private void write(Part part, ColumnPage page) throws IOException {
    Pages column = part.columns.get(page.column());
    EncodedPage encoded = page.page().apply(write(page.payloads()));
    List<ByteRange> ranges = write(encoded.buffers());
    long priority = part.writer.priority(column.rows);
    column.pages.add(new ColumnMetadata.Page(encoded.rows(), priority, ranges, encoded.encoding()));
    column.rows += encoded.rows();
  }

  private List<ByteRange> write(List<ByteBuffer> buffers) throws IOException {
    List<ByteRange> ranges = new ArrayList<>(buffers.size());
    for (ByteBuffer buffer : buffers) {
      ranges.add(container.write(buffer));
    }
    return ranges;
  }

  private void requireOpen() {
    switch (state) {
      case OPEN -> {}
      case FAILED ->
          throw new IllegalStateException(
              out.path() + ": a call failed before, the writer can only be closed");
      case FINISHED, CLOSED ->
          throw new IllegalStateException(out.path() + ": the writer is " + state);
    }
  }

  /** Drops the file unless it is finished. Closing twice does nothing. */
  @Override
  public void close() throws IOException {
    if (state != State.CLOSED) {
      state = State.CLOSED;
      tasks.close();
      out.close();
    }
  }
}
