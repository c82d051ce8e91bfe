package dev.narwhal.lance.scan;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.predicate.Predicate;
import dev.narwhal.lance.predicate.RowMask;
import dev.narwhal.lance.schema.LanceSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
    List<String> names = columns.all();
    WindowTasks<Optional<VectorSchemaRoot>> windows =
        new WindowTasks<>(
            sliced ? slices(names) : leases(names),
            WindowSize.of(table, columns, names, options),
            options,
            allocator,
            (window, open, start) -> window.read(columns, schema, options),
            Scan::discard);
    return new BatchReader(
        schema,
        new OrderedTasks<>(windows, options.parallelism(), Scan::discard),
        windows,
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
    List<String> names = columns.filtered();
    WindowTasks<Match> windows =
        new WindowTasks<>(
            leases(names),
            WindowSize.of(table, columns, names, options),
            options,
            allocator,
            (window, open, start) ->
                new Match(
                    open.fragment(),
                    open.physicalRows(),
                    open.deletions(),
                    start,
                    window.matches(filter(), options.deletedRows())),
            match -> {});
    return new MatchReader(
        new OrderedTasks<>(windows, options.parallelism(), match -> {}), windows);
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
      leases.add(lease(fragment, FragmentLease.Part.ALL, names, live));
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
        FragmentLease.Part part =
            taken == rows
                ? FragmentLease.Part.ALL
                : new FragmentLease.Part(skipped, OptionalLong.of(taken));
        leases.add(lease(fragment, part, names, live));
      }
      toSkip -= skipped;
      left -= taken;
      live += offsets ? RowCounts.live(fragment, files) : 0;
    }
    return leases;
  }

  private FragmentLease lease(
      Fragment fragment, FragmentLease.Part part, List<String> names, long liveRowsBefore) {
    return new FragmentLease(
        fragment,
        part,
        () -> OpenFragment.open(fragment, table, names, liveRowsBefore, files, options.blobs()));
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
}
