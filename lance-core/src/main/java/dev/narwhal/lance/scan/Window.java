package dev.narwhal.lance.scan;

import dev.narwhal.lance.error.PredicateEvaluationException;
import dev.narwhal.lance.predicate.Predicate;
import dev.narwhal.lance.predicate.RowMask;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Neighbouring rows of a fragment, the unit of work of a scan. First the predicate's columns are
 * read and evaluated; the other columns only where a row survived, and only around survivors when
 * those are few.
 */
final class Window {
  /** With fewer than one survivor in this many rows, columns are taken row by row. */
  private static final int SPARSE = 16;

  private final OpenFragment fragment;
  private final long start;
  private final int count;
  private final BufferAllocator allocator;

  Window(OpenFragment fragment, long start, int count, BufferAllocator allocator) {
    this.fragment = fragment;
    this.start = start;
    this.count = count;
    this.allocator = allocator;
  }

  /** Rows that are alive and for which the predicate is true. */
  RowMask matches(Optional<Predicate> filter, boolean deletedRows) throws IOException {
    RowMask alive = alive(deletedRows);
    if (filter.isEmpty() || alive.isEmpty()) {
      return alive;
    }
    Map<String, FieldVector> columns = new LinkedHashMap<>();
    try {
      readInto(columns, filter.get().columns());
      return evaluate(filter.get(), columns, alive);
    } finally {
      columns.values().forEach(FieldVector::close);
    }
  }

  /**
   * The asked columns of the matching rows, or empty when no row matches. The caller closes the
   * result.
   */
  Optional<VectorSchemaRoot> read(ScanColumns columns, Schema schema, ScanOptions options)
      throws IOException {
    RowMask alive = alive(options.deletedRows());
    if (alive.isEmpty()) {
      return Optional.empty();
    }
    Map<String, FieldVector> filterColumns = new LinkedHashMap<>();
    try {
      RowMask matches = alive;
      if (options.filter().isPresent()) {
        readInto(filterColumns, columns.filtered());
        matches = evaluate(options.filter().get(), filterColumns, alive);
      }
      int survivors = matches.cardinality();
      if (survivors == 0) {
        return Optional.empty();
      }
      return Optional.of(materialise(columns, schema, matches, survivors, filterColumns));
    } finally {
      filterColumns.values().forEach(FieldVector::close);
    }
  }

  private RowMask alive(boolean deletedRows) {
    RowMask alive = RowMask.all(count);
    if (!deletedRows && !fragment.deletions().isEmpty()) {
      long[] deleted = new long[alive.words().length];
      fragment.deletions().copyBits(start, count, deleted);
      alive.andNot(deleted);
    }
    return alive;
  }

  private void readInto(Map<String, FieldVector> columns, Iterable<String> names)
      throws IOException {
    for (String name : names) {
      columns.put(name, fragment.readForFilter(name, start, count, allocator));
    }
  }

  /**
   * The predicate over all rows of the window, since masking a bit is cheaper than moving a row.
   * Only when a row fails to evaluate, and some rows are dead, it is evaluated on the living alone:
   * a dead row's division by zero is nobody's error.
   */
  private RowMask evaluate(Predicate filter, Map<String, FieldVector> columns, RowMask alive) {
    try {
      RowMask matches = filter.evaluate(columns, count);
      matches.and(alive);
      return matches;
    } catch (PredicateEvaluationException e) {
      if (alive.cardinality() == count) {
        throw e.in(place("rows"));
      }
    }
    try {
      return evaluateLiving(filter, columns, alive);
    } catch (PredicateEvaluationException e) {
      throw e.in(place("live rows"));
    }
  }

  private String place(String rows) {
    return "fragment "
        + fragment.fragment().id()
        + ", a batch of the "
        + rows
        + " ["
        + start
        + ", "
        + (start + count)
        + ")";
  }

  private RowMask evaluateLiving(
      Predicate filter, Map<String, FieldVector> columns, RowMask alive) {
    RowRuns runs = RowRuns.ofMask(alive.words(), count);
    Map<String, FieldVector> living = new LinkedHashMap<>();
    try {
      columns.forEach(
          (name, vector) -> living.put(name, VectorSelection.select(vector, runs, allocator)));
      RowMask among = filter.evaluate(living, runs.rows());
      RowMask matches = new RowMask(count);
      int[] offsets = runs.toOffsets();
      for (int i = 0; i < offsets.length; i++) {
        if (among.get(i)) {
          matches.set(offsets[i]);
        }
      }
      return matches;
    } finally {
      living.values().forEach(FieldVector::close);
    }
  }

  private VectorSchemaRoot materialise(
      ScanColumns columns,
      Schema schema,
      RowMask matches,
      int survivors,
      Map<String, FieldVector> alreadyRead)
      throws IOException {
    List<FieldVector> vectors = new ArrayList<>();
    try {
      RowRuns runs = RowRuns.ofMask(matches.words(), count);
      boolean sparse = survivors < count / SPARSE;
      int[] offsets = sparse ? runs.toOffsets() : new int[0];
      for (String name : columns.projected()) {
        boolean blobs = fragment.readsBlobs(name);
        FieldVector known = blobs ? null : alreadyRead.get(name);
        if (blobs && survivors < count) {
          vectors.add(fragment.take(name, start, runs.toOffsets(), allocator));
        } else if (known == null && sparse) {
          vectors.add(fragment.take(name, start, offsets, allocator));
        } else if (known != null && survivors == count) {
          alreadyRead.remove(name);
          vectors.add(known);
        } else if (known != null) {
          vectors.add(VectorSelection.select(known, runs, allocator));
        } else {
          vectors.add(readSelected(name, runs));
        }
      }
      return new VectorSchemaRoot(schema, vectors, survivors);
    } catch (IOException | RuntimeException | Error e) {
      vectors.forEach(FieldVector::close);
      throw e;
    }
  }

  private FieldVector readSelected(String name, RowRuns runs) throws IOException {
    FieldVector whole = fragment.read(name, start, count, allocator);
    if (runs.rows() == count) {
      return whole;
    }
    try (whole) {
      return VectorSelection.select(whole, runs, allocator);
    }
  }
}
