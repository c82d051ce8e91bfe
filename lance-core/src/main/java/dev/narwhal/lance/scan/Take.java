package dev.narwhal.lance.scan;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.datafile.VectorAppend;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.fragment.RowAddress;
import dev.narwhal.lance.rowid.UnsignedOrder;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.LanceSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Reads rows by address, wherever they lie: each fragment that has some is opened once, and of its
 * columns only the pages with these rows are read, each row once. Fragments are read in parallel.
 * The metadata of the fragments stays with the locator for the next take.
 *
 * <p>Immutable, safe for use by many threads.
 */
public final class Take {
  /** Offsets that one call of a column reader can tell apart. */
  private static final int OFFSET_BITS = 31;

  private final LanceSchema table;
  private final RowLocator rows;
  private final List<String> columns;
  private final int parallelism;
  private final BlobMode blobs;
  private final Schema schema;

  /**
   * A take of some columns.
   *
   * @param columns table columns and system columns, in the order of the result
   * @param parallelism threads that decode, at least 1
   * @param blobs what is read of blob columns
   * @throws IllegalArgumentException for a column that the table does not have, or one asked twice
   */
  public Take(
      LanceSchema table, RowLocator rows, List<String> columns, int parallelism, BlobMode blobs) {
    this.table = requireNonNull(table, "table");
    this.rows = requireNonNull(rows, "rows");
    ScanColumns checked = ScanColumns.of(table, ScanOptions.of(columns).withBlobs(blobs));
    this.columns = checked.projected();
    this.blobs = requireNonNull(blobs, "blobs");
    this.parallelism = ScanOptions.of(columns).withParallelism(parallelism).parallelism();
    this.schema = checked.schema(table);
  }

  /** The schema of the result. */
  public Schema schema() {
    return schema;
  }

  /**
   * Rows by their places among the live rows of the table, in the order of the request; a row asked
   * for twice comes twice. The caller closes the result.
   *
   * @param offsets from 0
   * @throws dev.narwhal.lance.error.RowNotFoundException when there are not so many live rows
   */
  public VectorSchemaRoot offsets(long[] offsets, BufferAllocator allocator) throws IOException {
    return read(rows.ofOffsets(offsets), allocator);
  }

  /**
   * Rows by their addresses; else as {@link #offsets}.
   *
   * @throws dev.narwhal.lance.error.RowNotFoundException when one is no live row's
   */
  public VectorSchemaRoot addresses(long[] addresses, BufferAllocator allocator)
      throws IOException {
    return read(rows.ofAddresses(addresses), allocator);
  }

  /**
   * Rows by their ids: the stable ones where the table keeps such ids, else their addresses; else as
   * {@link #offsets}.
   *
   * @param rowIds u64
   * @throws dev.narwhal.lance.error.RowNotFoundException when no live row has one
   */
  public VectorSchemaRoot rowIds(long[] rowIds, BufferAllocator allocator) throws IOException {
    return read(rows.ofRowIds(rowIds), allocator);
  }

  private VectorSchemaRoot read(long[] addresses, BufferAllocator allocator) throws IOException {
    int[] order = UnsignedOrder.of(addresses);
    long[] distinct = new long[addresses.length];
    int[] places = new int[addresses.length];
    int count = 0;
    for (int index : order) {
      if (count == 0 || distinct[count - 1] != addresses[index]) {
        distinct[count++] = addresses[index];
      }
      places[index] = count - 1;
    }
    if (count == 0) {
      return VectorSchemaRoot.create(schema, allocator);
    }
    List<FieldVector> vectors = readDistinct(parts(distinct, count), allocator);
    try {
      RowRuns runs = RowRuns.ofPositions(places);
      if (runs.runs() > 1 || runs.rows() != count) {
        for (int i = 0; i < vectors.size(); i++) {
          try (FieldVector sorted = vectors.get(i)) {
            vectors.set(i, VectorSelection.select(sorted, runs, allocator));
          }
        }
      }
      return new VectorSchemaRoot(schema, vectors, addresses.length);
    } catch (RuntimeException | Error e) {
      vectors.forEach(FieldVector::close);
      throw e;
    }
  }

  /** Rows of one fragment. */
  private static final class Part {
    private final Fragment fragment;

    /** Offset from which {@link #offsets} count. */
    private final long start;

    private final int[] offsets;

    Part(Fragment fragment, long start, int[] offsets) {
      this.fragment = fragment;
      this.start = start;
      this.offsets = offsets;
    }
  }

  private List<Part> parts(long[] ascending, int count) {
    List<Part> parts = new ArrayList<>();
    for (int from = 0; from < count; ) {
      long group = ascending[from] >>> OFFSET_BITS;
      int to = from + 1;
      while (to < count && ascending[to] >>> OFFSET_BITS == group) {
        to++;
      }
      int[] offsets = new int[to - from];
      for (int i = from; i < to; i++) {
        offsets[i - from] = (int) ascending[i] & Integer.MAX_VALUE;
      }
      long start = RowAddress.offset(group << OFFSET_BITS);
      parts.add(new Part(rows.fragment(ascending[from]), start, offsets));
      from = to;
    }
    return parts;
  }

  /** Each column of all parts, one after the other. */
  private List<FieldVector> readDistinct(List<Part> parts, BufferAllocator allocator)
      throws IOException {
    if (parts.size() == 1) {
      return read(parts.get(0), allocator);
    }
    List<List<FieldVector>> read = new ArrayList<>();
    Iterator<Callable<List<FieldVector>>> tasks =
        parts.stream().<Callable<List<FieldVector>>>map(p -> () -> read(p, allocator)).iterator();
    try (OrderedTasks<List<FieldVector>> results =
        new OrderedTasks<>(tasks, Math.min(parallelism, parts.size()), Take::close)) {
      Optional<List<FieldVector>> next = results.next();
      while (next.isPresent()) {
        read.add(next.get());
        next = results.next();
      }
      return joined(read);
    } catch (IOException | RuntimeException | Error e) {
      read.forEach(Take::close);
      throw e;
    }
  }

  private List<FieldVector> read(Part part, BufferAllocator allocator) throws IOException {
    Fragment fragment = part.fragment;
    long liveBefore =
        columns.contains(SystemColumns.ROW_OFFSET) ? rows.liveRowsBefore(fragment) : 0;
    List<FieldVector> vectors = new ArrayList<>();
    try (OpenFragment open =
        rows.kept()
            .open(
                new KeptFragments.Key(fragment.id(), columns, blobs),
                () ->
                    OpenFragment.open(
                        fragment, table, columns, liveBefore, rows.files(), blobs))) {
      for (String column : columns) {
        vectors.add(open.take(column, part.start, part.offsets, allocator));
      }
    } catch (IOException | RuntimeException | Error e) {
      close(vectors);
      throw e;
    }
    return vectors;
  }

  /** Appends the parts of each column to its first one, and closes them. */
  private static List<FieldVector> joined(List<List<FieldVector>> parts) {
    List<FieldVector> first = parts.get(0);
    for (int column = 0; column < first.size(); column++) {
      for (List<FieldVector> part : parts.subList(1, parts.size())) {
        VectorAppend.append(first.get(column), part.get(column));
      }
    }
    parts.subList(1, parts.size()).forEach(Take::close);
    return first;
  }

  private static void close(List<FieldVector> vectors) {
    vectors.forEach(FieldVector::close);
  }
}
