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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;

/**
 * Writes one Lance data file, batch by batch. Memory follows the page size and the number of
 * columns, not the rows; batches are copied, so that the caller may refill them.
 *
 * <p>The file appears when {@link #finish} returns. Closed before, or after a failure, the writer
 * leaves nothing. After a failure it can only be closed. One thread at a time; columns are encoded
 * by threads of its own.
 */
public final class LanceFileWriter implements Closeable {
  private final LanceSchema schema;
  private final WriterOptions options;
  private final BatchCheck check;
  private final List<Column> columns;
  private final ColumnTasks tasks;
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

  /** A column, and its pages so far. */
  private static final class Column {
    private final ColumnWriter writer;

    /** Index of the top-level field. */
    private final int field;

    private final List<ColumnMetadata.Page> pages = new ArrayList<>();
    private long pageRows;

    Column(ColumnWriter writer, int field) {
      this.writer = writer;
      this.field = field;
    }
  }

  private LanceFileWriter(
      LanceSchema schema,
      WriterOptions options,
      BatchCheck check,
      List<Column> columns,
      ObjectWriter out) {
    this.schema = schema;
    this.options = options;
    this.check = check;
    this.columns = columns;
    this.tasks = new ColumnTasks(Math.min(options.parallelism(), Math.max(1, columns.size())));
    this.out = out;
    this.container = new ContainerWriter(out, options.version());
  }

  /**
   * Begins a file.
   *
   * @param path relative to the store's root; an object that may be there is replaced at the end
   * @param schema with the field ids of the table
   * @throws dev.narwhal.lance.error.UnsupportedFeatureException for a type that the version has no
   *     columns for
   * @throws IllegalArgumentException for field metadata that asks for an unknown encoding
   */
  public static LanceFileWriter create(
      ObjectStore store, String path, LanceSchema schema, WriterOptions options)
      throws IOException {
    List<FieldTree> trees = FieldTree.topLevel(schema);
    List<Column> columns = new ArrayList<>();
    for (int field = 0; field < trees.size(); field++) {
      for (ColumnWriter writer : LayoutColumnsWriter.of(trees.get(field), options)) {
        columns.add(new Column(writer, field));
      }
    }
    BatchCheck check = new BatchCheck(trees);
    return new LanceFileWriter(schema, options, check, columns, store.create(path));
  }

  /** Rows written so far. */
  public long rows() {
    return rows;
  }

  /** Bytes in the file so far; rows that wait for their pages are not in it. */
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
    requireOpen();
    state = State.FAILED;
    List<FieldVector> vectors = check.vectors(batch);
    for (Column column : columns) {
      column.writer.bind(vectors.get(column.field), dictionaries, rows);
    }
    int count = batch.getRowCount();
    int at = 0;
    while (at < count) {
      int from = at;
      int to = stepEnd(from, count);
      List<Callable<List<EncodedPage>>> appends = new ArrayList<>();
      for (Column column : columns) {
        appends.add(() -> column.writer.append(from, to));
      }
      writePages(tasks.run(appends));
      at = to;
    }
    rows += count;
    state = State.OPEN;
  }

  /** No column gets more than a page at a time, whatever the batch holds. */
  private int stepEnd(int from, int count) {
    int end = count;
    for (Column column : columns) {
      while (end - from > 1 && column.writer.sizeBytes(from, end) > options.pageBytes()) {
        end = from + (end - from) / 2;
      }
    }
    return end;
  }

  /** Writes what is left, and makes the file appear. */
  public DataFileSummary finish() throws IOException {
    requireOpen();
    state = State.FAILED;
    List<Callable<List<EncodedPage>>> ends = new ArrayList<>();
    for (Column column : columns) {
      ends.add(column.writer::finish);
    }
    writePages(tasks.run(ends));
    List<ColumnMetadata> metadata = new ArrayList<>();
    for (Column column : columns) {
      metadata.add(new ColumnMetadata(column.writer.kind(), column.pages, List.of()));
    }
    container.end(schema, rows, metadata);
    out.finish();
    state = State.FINISHED;
    return summary();
  }

  private DataFileSummary summary() {
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
        options.version(), rows, out.sizeBytes(), columns.size(), fieldIds, indices);
  }

  private void writePages(List<List<EncodedPage>> pagesOfColumns) throws IOException {
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      for (EncodedPage page : pagesOfColumns.get(i)) {
        List<ByteRange> ranges = new ArrayList<>();
        for (ByteBuffer buffer : page.buffers()) {
          ranges.add(container.write(buffer));
        }
        long priority = column.pageRows / column.writer.rowsPerRow();
        column.pages.add(
            new ColumnMetadata.Page(page.rows(), priority, ranges, page.encoding()));
        column.pageRows += page.rows();
      }
    }
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
