package dev.narwhal.lance.scan;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.predicate.Predicate;
import dev.narwhal.lance.predicate.RowMask;
import dev.narwhal.lance.schema.LanceSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Some fragments of one version, to be read with some options. Rows come in the order of the
 * fragments and of their offsets. Memory is bounded by the windows in flight, one more than there
 * are threads.
 *
 * <p>Immutable; each call is a pass of its own.
 */
public final class Scan {
  private final LanceSchema table;
  private final List<Fragment> fragments;
  private final FragmentFiles files;
  private final ScanOptions options;
  private final ScanColumns columns;
  private final Schema schema;

  /**
   * @throws IllegalArgumentException for a column that the table does not have, or one asked twice
   */
  public Scan(
      LanceSchema table, List<Fragment> fragments, FragmentFiles files, ScanOptions options) {
    this.table = requireNonNull(table, "table");
    this.fragments = List.copyOf(fragments);
    this.files = requireNonNull(files, "files");
    this.options = requireNonNull(options, "options");
    this.columns = ScanColumns.of(table, options);
    this.schema = columns.schema(table);
  }

  /** The schema of the batches. */
  public Schema schema() {
    return schema;
  }

  /** Starts reading. The caller closes the result. */
  public BatchReader read(BufferAllocator allocator) throws IOException {
    boolean sliced = filter().isEmpty();
    List<FragmentLease> leases = sliced ? slices(columns.all()) : leases(columns.all());
    Iterator<Callable<Optional<VectorSchemaRoot>>> tasks =
        tasks(
            leases,
            allocator,
            (window, open, start) -> window.read(columns, schema, options),
            Scan::discard);
    return new BatchReader(
        schema,
        new OrderedTasks<>(tasks, options.parallelism(), Scan::discard),
        leases,
        sliced ? 0 : options.offset(),
        options.limit());
  }

  private static void discard(Optional<VectorSchemaRoot> batch) {
    batch.ifPresent(VectorSchemaRoot::close);
  }

  /**
   * Rows that the scan would give. Without a predicate no data is read: the manifest tells, and
   * deletion files only where it does not.
   */
  public long count(BufferAllocator allocator) throws IOException {
    long rows = 0;
    if (filter().isEmpty()) {
      for (Fragment fragment : isNever() ? List.<Fragment>of() : fragments) {
        rows += givenRows(fragment);
      }
    } else {
      try (MatchReader matches = matches(allocator)) {
        Optional<Match> match = matches.next();
        while (match.isPresent()) {
          rows += match.get().rows().cardinality();
          match = matches.next();
        }
      }
    }
    long behind = Math.max(0, rows - options.offset());
    return Math.min(behind, options.limit().orElse(Long.MAX_VALUE));
  }

  /**
   * Starts looking for matching rows without reading any other column; offset and limit are not
   * applied.
   */
  public MatchReader matches(BufferAllocator allocator) throws IOException {
    List<FragmentLease> leases = leases(columns.filtered());
    Iterator<Callable<Match>> tasks =
        tasks(
            leases,
            allocator,
            (window, open, start) ->
                new Match(
                    open.fragment(),
                    open.physicalRows(),
                    open.deletions(),
                    start,
                    window.matches(filter(), options.deletedRows())),
            match -> {});
    return new MatchReader(new OrderedTasks<>(tasks, options.parallelism(), match -> {}), leases);
  }

  /**
   * Matching rows of a window.
   *
   * @param physicalRows rows of the fragment, deleted ones included
   * @param deletions rows of the fragment that are deleted already
   * @param start row offset of the window's first row
   * @param rows which of the window's rows match
   */
  public record Match(
      Fragment fragment, long physicalRows, DeletionVector deletions, long start, RowMask rows) {}

  /** The predicate, unless it is always true. */
  private Optional<Predicate> filter() {
    return options.filter().filter(filter -> !filter.constant().orElse(false));
  }

  private boolean isNever() {
    return !options.filter().flatMap(Predicate::constant).orElse(true);
  }

  private List<FragmentLease> leases(List<String> names) throws IOException {
    boolean offsets = names.contains(SystemColumns.ROW_OFFSET);
    List<FragmentLease> leases = new ArrayList<>();
    long live = 0;
    for (Fragment fragment : isNever() ? List.<Fragment>of() : fragments) {
      leases.add(
          new FragmentLease(
              fragment, table, names, live, files, options.blobs(), 0, Long.MAX_VALUE));
      live += offsets ? RowCounts.live(fragment, files) : 0;
    }
    return leases;
  }

  /** The fragments, or parts of them, that hold the rows from the offset to the limit. */
  private List<FragmentLease> slices(List<String> names) throws IOException {
    if (options.offset() == 0 && options.limit().isEmpty()) {
      return leases(names);
    }
    boolean offsets = names.contains(SystemColumns.ROW_OFFSET);
    List<FragmentLease> leases = new ArrayList<>();
    long toSkip = options.offset();
    long left = options.limit().orElse(Long.MAX_VALUE);
    long live = 0;
    for (Fragment fragment : fragments) {
      if (left == 0) {
        break;
      }
      long rows = givenRows(fragment);
      long skipped = Math.min(rows, toSkip);
      long taken = Math.min(rows - skipped, left);
      if (taken > 0) {
        leases.add(
            new FragmentLease(
                fragment,
                table,
                names,
                live,
                files,
                options.blobs(),
                skipped,
                taken == rows ? Long.MAX_VALUE : taken));
      }
      toSkip -= skipped;
      left -= taken;
      live += offsets ? RowCounts.live(fragment, files) : 0;
    }
    return leases;
  }

  /** Rows that the scan gives of a fragment, but for the predicate. */
  private long givenRows(Fragment fragment) throws IOException {
    return options.deletedRows()
        ? RowCounts.physical(fragment, files)
        : RowCounts.live(fragment, files);
  }

  /** Rows of a fragment, deleted ones included; a data file tells where the manifest does not. */
  public long physicalRows(Fragment fragment) throws IOException {
    return RowCounts.physical(fragment, files);
  }

  private interface Work<T> {
    T run(Window window, OpenFragment fragment, long start) throws IOException;
  }

  /** One task per window, made as they are asked for. */
  private <T> Iterator<Callable<T>> tasks(
      List<FragmentLease> leases, BufferAllocator allocator, Work<T> work, Consumer<T> discard) {
    return new Iterator<>() {
      private int next;
      private long start;
      private long end;
      private int step;

      @Override
      public boolean hasNext() {
        return start < end || next < leases.size();
      }

      @Override
      public Callable<T> next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        if (start >= end) {
          FragmentLease lease = leases.get(next++);
          FragmentLease.Span span = spanOf(lease);
          long rows = span.end() - span.start();
          step = windowRows(lease.fragment(), rows);
          lease.expect(Math.max(1, (rows + step - 1) / step));
          start = span.start();
          end = span.end();
        }
        FragmentLease lease = leases.get(next - 1);
        long from = start;
        int count = (int) Math.min(step, end - start);
        start += count;
        return () -> {
          T result;
          try {
            OpenFragment open = lease.acquire();
            result = work.run(new Window(open, from, count, allocator), open, from);
          } catch (IOException | RuntimeException | Error e) {
            release(lease, e);
            throw e;
          }
          try {
            lease.release();
          } catch (IOException | RuntimeException e) {
            discard.accept(result);
            throw e;
          }
          return result;
        };
      }
    };
  }

  /** Releases after a failure, which stays the one that is told. */
  private static void release(FragmentLease lease, Throwable failure) {
    try {
      lease.release();
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private FragmentLease.Span spanOf(FragmentLease lease) {
    try {
      return lease.span(options.deletedRows());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int windowRows(Fragment fragment, long span) {
    if (options.batchRows().isPresent()) {
      return options.batchRows().getAsInt();
    }
    long bytes = 0;
    for (DataFile file : fragment.files()) {
      bytes += file.sizeBytes().orElse(0);
    }
    long rows = fragment.physicalRows().orElse(span);
    List<String> read = columns.all();
    long storedRowBytes = rows == 0 ? 0 : bytes / rows;
    TableFields fields = new TableFields(table);
    return read.stream()
            .anyMatch(
                name ->
                    !SystemColumns.contains(name)
                        && ScanColumns.readsBlobs(fields.get(name), options.blobs()))
        ? Windows.blobRows(storedRowBytes)
        : Windows.rows(columns.schemaOf(read, table), storedRowBytes);
  }
}
