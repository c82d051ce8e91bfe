package dev.narwhal.lance.scan;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.predicate.Predicate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What a scan reads, and how much at a time.
 *
 * @param columns top-level columns, in the order of the result
 * @param rowId whether the row id follows them
 * @param rowAddress whether the row address follows
 * @param filter rows for which it is true; empty means all
 * @param deletedRows whether deleted rows are read as if they were alive: then the rows of a
 *     fragment keep their offsets
 * @param offset rows that the scan would give and that are passed over, at least 0
 * @param limit greatest number of rows, at least 0
 * @param batchRows greatest number of rows of a batch, at least 1; empty lets the width of a row
 *     decide
 * @param parallelism threads that decode, at least 1
 */
public record ScanOptions(
    List<String> columns,
    boolean rowId,
    boolean rowAddress,
    Optional<Predicate> filter,
    boolean deletedRows,
    long offset,
    OptionalLong limit,
    OptionalInt batchRows,
    int parallelism) {
  public ScanOptions {
    columns = List.copyOf(columns);
    requireNonNull(filter, "filter");
    requireNonNull(limit, "limit");
    requireNonNull(batchRows, "batchRows");
    if (offset < 0) {
      throw new IllegalArgumentException("offset must be at least 0: " + offset);
    }
    if (limit.isPresent() && limit.getAsLong() < 0) {
      throw new IllegalArgumentException("limit must be at least 0: " + limit.getAsLong());
    }
    if (batchRows.isPresent() && batchRows.getAsInt() < 1) {
      throw new IllegalArgumentException("batchRows must be at least 1: " + batchRows.getAsInt());
    }
    if (parallelism < 1) {
      throw new IllegalArgumentException("parallelism must be at least 1: " + parallelism);
    }
  }

  /** The given columns of all live rows, on every core. */
  public static ScanOptions of(List<String> columns) {
    return new ScanOptions(
        columns,
        false,
        false,
        Optional.empty(),
        false,
        0,
        OptionalLong.empty(),
        OptionalInt.empty(),
        Runtime.getRuntime().availableProcessors());
  }

  public ScanOptions withFilter(Predicate predicate) {
    return new ScanOptions(
        columns,
        rowId,
        rowAddress,
        Optional.of(predicate),
        deletedRows,
        offset,
        limit,
        batchRows,
        parallelism);
  }

  public ScanOptions withRowId() {
    return new ScanOptions(
        columns, true, rowAddress, filter, deletedRows, offset, limit, batchRows, parallelism);
  }

  public ScanOptions withRowAddress() {
    return new ScanOptions(
        columns, rowId, true, filter, deletedRows, offset, limit, batchRows, parallelism);
  }

  /** Reads deleted rows too, in their places. */
  public ScanOptions withDeletedRows() {
    return new ScanOptions(
        columns, rowId, rowAddress, filter, true, offset, limit, batchRows, parallelism);
  }

  /**
   * Passes over the first rows. Without a predicate whole fragments are skipped by their counts,
   * and the first row is found by its rank.
   */
  public ScanOptions withOffset(long rows) {
    return new ScanOptions(
        columns, rowId, rowAddress, filter, deletedRows, rows, limit, batchRows, parallelism);
  }

  public ScanOptions withLimit(long rows) {
    return new ScanOptions(
        columns,
        rowId,
        rowAddress,
        filter,
        deletedRows,
        offset,
        OptionalLong.of(rows),
        batchRows,
        parallelism);
  }

  public ScanOptions withBatchRows(int rows) {
    return new ScanOptions(
        columns,
        rowId,
        rowAddress,
        filter,
        deletedRows,
        offset,
        limit,
        OptionalInt.of(rows),
        parallelism);
  }

  public ScanOptions withParallelism(int threads) {
    return new ScanOptions(
        columns, rowId, rowAddress, filter, deletedRows, offset, limit, batchRows, threads);
  }
}
