package dev.narwhal.conformance;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.CommitBuilder;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.ReadOptions;
import org.lance.Ref;
import org.lance.Transaction;
import org.lance.fragment.DataFile;
import org.lance.fragment.DeletionFile;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;
import org.lance.operation.UpdateConfig;
import org.lance.operation.UpdateMap;

/**
 * Real Lance with one dataset open: the Rust implementation, through its Java binding.
 *
 * <p>Where its native library does not load, the first use fails: there is no run without the
 * judge. {@link #close()} fails when anything that it read was not released. Not for use by several
 * threads.
 */
final class LanceJudge implements AutoCloseable {
  private static final String ROW_ADDRESS = "_rowaddr";
  private static final String ROW_ID = "_rowid";

  private final BufferAllocator allocator;
  private final Dataset dataset;

  private LanceJudge(BufferAllocator allocator, Dataset dataset) {
    this.allocator = allocator;
    this.dataset = dataset;
  }

  /**
   * What real Lance makes of one version, for comparison with ours.
   *
   * @param version the version it is about
   * @param count live rows by {@code countRows()}, which trusts the manifest
   * @param rows live rows by a scan of all columns, which trusts the deletion files
   */
  record Verdict(
      long version, long count, CanonicalRows.Result rows, List<JudgedFragment> fragments) {
    Verdict {
      fragments = List.copyOf(fragments);
    }
  }

  /** Takes each batch of a scan; the batch is the scan's and is gone after the call. */
  @FunctionalInterface
  interface BatchConsumer {
    void accept(VectorSchemaRoot batch, DictionaryProvider dictionaries);
  }

  /** The judgement on the newest version of the dataset at {@code path}. */
  static Verdict judge(Path path) throws IOException {
    try (LanceJudge judge = open(path)) {
      return judge.verdict();
    }
  }

  /** Opens the newest version of main. */
  static LanceJudge open(Path path) {
    return open(path, new ReadOptions.Builder().build());
  }

  /** Opens a version of main. */
  static LanceJudge open(Path path, long version) {
    return open(path, new ReadOptions.Builder().setVersion(version).build());
  }

  /** Opens a version of a branch. */
  static LanceJudge openBranch(Path path, String branch, long version) {
    LanceJudge main = open(path);
    try (Dataset opened = main.dataset) {
      return new LanceJudge(main.allocator, opened.checkout(Ref.ofBranch(branch, version)));
    } catch (RuntimeException | Error e) {
      main.close();
      throw e;
    }
  }

  private static LanceJudge open(Path path, ReadOptions options) {
    BufferAllocator allocator = new RootAllocator();
    try {
      Dataset dataset =
          Dataset.open().allocator(allocator).uri(path.toString()).readOptions(options).build();
      return new LanceJudge(allocator, dataset);
    } catch (RuntimeException | Error e) {
      allocator.close();
      throw e;
    }
  }

  /** The real thing, for what this class does not offer. */
  Dataset dataset() {
    return dataset;
  }

  long version() {
    return dataset.version();
  }

  Schema schema() {
    return dataset.getSchema();
  }

  /** Live rows by the manifest; no deletion file is read. */
  long countRows() {
    return dataset.countRows();
  }

  /** Live rows for which {@code filter} is true. */
  long countRows(String filter) {
    return dataset.countRows(filter);
  }

  /**
   * Deletes the rows for which {@code predicate} is true, and moves on to the version that this
   * makes, which it returns. Without a match there is a new version all the same.
   */
  long delete(String predicate) {
    dataset.delete(predicate);
    return dataset.version();
  }

  /** Commits a key of the configuration; this handle stays where it is. */
  void setConfig(String key, String value) {
    UpdateMap map = UpdateMap.builder().updates(Map.of(key, value)).replace(false).build();
    try (Transaction transaction =
        new Transaction.Builder()
            .readVersion(version())
            .operation(new UpdateConfig.Builder().configUpdates(map).build())
            .build()) {
      new CommitBuilder(dataset).execute(transaction).close();
    }
  }

  /** All live rows with all columns, in the order of fragments, then of offsets. */
  CanonicalRows.Result rows() throws IOException {
    return rows(new ScanOptions.Builder().build());
  }

  CanonicalRows.Result rows(ScanOptions options) throws IOException {
    CanonicalRows rows = new CanonicalRows();
    scan(options, rows::add);
    return rows.result();
  }

  /** Live rows' values of an integer column without nulls, u64 as all bits of a long. */
  long[] longs(String column) throws IOException {
    return longs(new ScanOptions.Builder().columns(List.of(column)).build(), column);
  }

  /** Live rows' row ids; without stable row ids these are the row addresses. */
  long[] rowIds() throws IOException {
    return longs(new ScanOptions.Builder().columns(List.of()).withRowId(true).build(), ROW_ID);
  }

  long[] longs(ScanOptions options, String column) throws IOException {
    LongStream.Builder values = LongStream.builder();
    scan(
        options,
        (batch, dictionaries) -> {
          BaseIntVector ints = (BaseIntVector) batch.getVector(column);
          for (int i = 0; i < batch.getRowCount(); i++) {
            values.add(ints.getValueAsLong(i));
          }
        });
    return values.build().toArray();
  }

  /** Rows by their places among the live rows, in the order of the request. */
  CanonicalRows.Result take(List<Long> offsets, List<String> columns) throws IOException {
    return canonical(dataset.take(offsets, columns));
  }

  /** Rows by their ids, in the order of the request; without stable row ids these are addresses. */
  CanonicalRows.Result takeRows(List<Long> rowIds, List<String> columns) throws IOException {
    return canonical(dataset.takeRows(rowIds, columns));
  }

  private static CanonicalRows.Result canonical(ArrowReader reader) throws IOException {
    CanonicalRows rows = new CanonicalRows();
    try (reader) {
      while (reader.loadNextBatch()) {
        rows.add(reader.getVectorSchemaRoot(), reader);
      }
    }
    return rows.result();
  }

  void scan(ScanOptions options, BatchConsumer consumer) throws IOException {
    LanceScanner scanner = LanceScanner.create(dataset, options, allocator);
    try (ArrowReader reader = scanner.scanBatches()) {
      while (reader.loadNextBatch()) {
        consumer.accept(reader.getVectorSchemaRoot(), reader);
      }
    } finally {
      close(scanner);
    }
  }

  /** Reads live rows by their places and looks at none; returns their number. */
  long countTaken(List<Long> offsets, List<String> columns) throws IOException {
    long rows = 0;
    try (ArrowReader reader = dataset.take(offsets, columns)) {
      while (reader.loadNextBatch()) {
        rows += reader.getVectorSchemaRoot().getRowCount();
      }
    }
    return rows;
  }

  private static void close(LanceScanner scanner) {
    try {
      scanner.close();
    } catch (Exception e) {
      throw new IllegalStateException("real Lance did not close its scanner", e);
    }
  }

  /** All fragments, in the manifest's order. */
  List<JudgedFragment> fragments() throws IOException {
    List<JudgedFragment> fragments = new ArrayList<>();
    for (Fragment fragment : dataset.getFragments()) {
      FragmentMetadata metadata = fragment.metadata();
      fragments.add(
          new JudgedFragment(
              metadata.getId(),
              metadata.getPhysicalRows(),
              Optional.ofNullable(metadata.getDeletionFile())
                  .map(file -> deletionFile(metadata.getId(), file)),
              deletedOffsets(metadata),
              metadata.getFiles().stream().map(DataFile::getPath).toList()));
    }
    return fragments;
  }

  Verdict verdict() throws IOException {
    return new Verdict(version(), countRows(), rows(), fragments());
  }

  private List<Long> deletedOffsets(FragmentMetadata fragment) throws IOException {
    long[] live =
        longs(
            new ScanOptions.Builder()
                .fragmentIds(List.of(fragment.getId()))
                .columns(List.of())
                .withRowAddress(true)
                .build(),
            ROW_ADDRESS);
    List<Long> deleted = new ArrayList<>();
    long next = 0;
    for (long address : live) {
      long offset = address & 0xFFFF_FFFFL;
      while (next < offset) {
        deleted.add(next++);
      }
      next = offset + 1;
    }
    while (next < fragment.getPhysicalRows()) {
      deleted.add(next++);
    }
    return deleted;
  }

  private static JudgedFragment.JudgedDeletionFile deletionFile(int fragment, DeletionFile file) {
    String suffix =
        switch (file.getFileType()) {
          case ARRAY -> "arrow";
          case BITMAP -> "bin";
        };
    return new JudgedFragment.JudgedDeletionFile(
        file.getFileType().name().toLowerCase(Locale.ROOT),
        "_deletions/%d-%d-%s.%s"
            .formatted(
                fragment, file.getReadVersion(), Long.toUnsignedString(file.getId()), suffix),
        Optional.ofNullable(file.getNumDeletedRows()));
  }

  @Override
  public void close() {
    try (allocator) {
      dataset.close();
    }
  }
}
