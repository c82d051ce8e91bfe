package dev.narwhal.lance.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.datafile.write.DataFileSummary;
import dev.narwhal.lance.datafile.write.LanceFileWriter;
import dev.narwhal.lance.datafile.write.WriterOptions;
import dev.narwhal.lance.error.CommitStateUnknownException;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.Closing;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.jspecify.annotations.Nullable;

/**
 * Writes new rows to new data files, a fragment for each, and begins the next file where one is
 * full. Memory follows the page size and the number of columns, not the rows; batches are copied.
 *
 * <p>The fragments are not part of a table before a commit makes them so. Until {@link #keep} is
 * called the files belong to the writer, and {@link #close} removes them:
 *
 * <pre>{@code
 * try (FragmentWriter writer = FragmentWriter.create(store, schema, limits, options)) {
 *   writer.write(batch);
 *   List<Fragment> fragments = writer.finish();
 *   writer.commit(() -> committer.commit(append(fragments), base));
 * }
 * }</pre>
 *
 * <p>One thread at a time.
 */
public final class FragmentWriter implements Closeable {
  /** Between two looks at the size of a file that may become too large. */
  private static final int STEP_ROWS = 64 << 10;

  private static final DictionaryProvider NO_DICTIONARIES = new MapDictionaryProvider();

  private final ObjectStore store;
  private final LanceSchema schema;
  private final FragmentLimits limits;
  private final WriterOptions options;
  private final List<String> paths = new ArrayList<>();
  private final List<Fragment> fragments = new ArrayList<>();
  private @Nullable LanceFileWriter file;
  private String name = "";
  private long rows;
  private long sizeBytes;
  private boolean finished;
  private boolean kept;

  private FragmentWriter(
      ObjectStore store, LanceSchema schema, FragmentLimits limits, WriterOptions options) {
    this.store = store;
    this.schema = schema;
    this.limits = limits;
    this.options = options;
  }

  /**
   * A writer of rows with these columns. Nothing is written before the first row.
   *
   * @param store whose root is that of the dataset, or of the branch
   * @param schema the fields that are written, with their ids in the table: all of them or fewer; a
   *     table's field that the files lack is null in the rows
   * @param options the version must be that of the table's other data files
   */
  public static FragmentWriter create(
      ObjectStore store, LanceSchema schema, FragmentLimits limits, WriterOptions options) {
    return new FragmentWriter(
        requireNonNull(store, "store"),
        requireNonNull(schema, "schema"),
        requireNonNull(limits, "limits"),
        requireNonNull(options, "options"));
  }

  /** Rows written so far. */
  public long rows() {
    return rows;
  }

  /** Bytes of the files that are finished. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** Appends the rows of a batch without dictionaries. */
  public void write(VectorSchemaRoot batch) throws IOException {
    write(batch, NO_DICTIONARIES);
  }

  /**
   * Appends the rows of a batch.
   *
   * @param batch one vector for each top-level field, found by name
   * @param dictionaries of the vectors that are encoded with one
   * @throws IllegalArgumentException if a vector does not fit its field, or has a null where the
   *     field has none; the message says which and how. The writer can only be closed then
   */
  public void write(VectorSchemaRoot batch, DictionaryProvider dictionaries) throws IOException {
    write(batch, dictionaries, 0, batch.getRowCount());
  }

  /** Appends rows {@code [from, endExclusive)} of a batch; else as the other one. */
  public void write(
      VectorSchemaRoot batch, DictionaryProvider dictionaries, int from, int endExclusive)
      throws IOException {
    requireUnfinished();
    Objects.checkFromToIndex(from, endExclusive, batch.getRowCount());
    long batchBytes = batch.getFieldVectors().stream().mapToLong(FieldVector::getBufferSize).sum();
    int at = from;
    while (at < endExclusive) {
      LanceFileWriter current = current();
      // no encoding makes values twice as large
      boolean fits = current.sizeBytes() + 2 * batchBytes < limits.maxBytes();
      long room = Math.min(fits ? endExclusive : STEP_ROWS, limits.maxRows() - current.rows());
      int end = (int) Math.min(endExclusive, at + room);
      current.write(batch, dictionaries, at, end);
      rows += end - at;
      at = end;
      if (current.rows() >= limits.maxRows() || current.sizeBytes() >= limits.maxBytes()) {
        finishFile(current);
      }
    }
  }

  /**
   * Finishes the last file.
   *
   * @return the fragments, all with id 0: a commit assigns others. None when no row was written
   */
  public List<Fragment> finish() throws IOException {
    requireUnfinished();
    if (file != null) {
      finishFile(file);
    }
    finished = true;
    return List.copyOf(fragments);
  }

  /**
   * Commits what was written; the files are kept when a version names them, or may do so.
   *
   * @throws CommitStateUnknownException as the commit does; the files stay then
   */
  public <T> T commit(NewFiles.Commit<T> commit) throws IOException {
    if (!finished) {
      throw new IllegalStateException("finish the files before the commit");
    }
    return NewFiles.commit(commit, this::keep);
  }

  /** Leaves the files to whoever commits them: {@link #close} will not remove them. */
  public void keep() {
    if (!finished) {
      throw new IllegalStateException("finish the files before they are kept");
    }
    kept = true;
  }

  /** Removes all files, unless they are kept. Closing twice does nothing. */
  @Override
  public void close() throws IOException {
    finished = true;
    List<Closeable> left = new ArrayList<>();
    if (file != null) {
      left.add(file);
      file = null;
    }
    if (!kept) {
      paths.forEach(path -> left.add(() -> store.delete(path)));
    }
    paths.clear();
    Closing.all(left);
  }

  private LanceFileWriter current() throws IOException {
    LanceFileWriter current = file;
    if (current == null) {
      name = DataFileNames.random();
      current = LanceFileWriter.create(store, DataFileNames.path(name), schema, options, rows);
      file = current;
    }
    return current;
  }

  private void finishFile(LanceFileWriter full) throws IOException {
    // before it appears, so that a reply that is lost leaves no file behind
    paths.add(DataFileNames.path(name));
    DataFileSummary summary = full.finish();
    full.close();
    file = null;
    sizeBytes += summary.sizeBytes();
    fragments.add(fragment(name, summary));
  }

  private static Fragment fragment(String name, DataFileSummary summary) {
    return new Fragment(
        0,
        List.of(dataFile(name, summary)),
        Optional.empty(),
        OptionalLong.of(summary.rows()),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        UnknownFields.none());
  }

  /** How a manifest names a file of the dataset itself. */
  static DataFile dataFile(String name, DataFileSummary summary) {
    return new DataFile(
        name,
        summary.fieldIds(),
        summary.columnIndices(),
        summary.majorVersion(),
        summary.minorVersion(),
        OptionalLong.of(summary.sizeBytes()),
        OptionalInt.empty(),
        UnknownFields.none());
  }

  private void requireUnfinished() {
    if (finished) {
      throw new IllegalStateException("the writer is finished");
    }
  }
}
