package dev.narwhal.lance.scan;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.predicate.Predicate;
import dev.narwhal.lance.schema.BlobMode;
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
 * @param blobs what is read of blob columns
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
    int parallelism,
    BlobMode blobs) {
  public ScanOptions {
    columns = List.copyOf(columns);
    requireNonNull(filter, "filter");
    requireNonNull(limit, "limit");
    requireNonNull(batchRows, "batchRows");
    requireNonNull(blobs, "blobs");
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

  /** The given columns of all live rows, on every core; blobs as descriptors. */
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
        Runtime.getRuntime().availableProcessors(),
        BlobMode.DESCRIPTORS);
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
        parallelism,
        blobs);
  }

  public ScanOptions withRowId() {
    return with(true, rowAddress, deletedRows, offset, limit, batchRows, parallelism, blobs);
  }

  public ScanOptions withRowAddress() {
    return with(rowId, true, deletedRows, offset, limit, batchRows, parallelism, blobs);
  }

  /** Reads deleted rows too, in their places. */
  public ScanOptions withDeletedRows() {
    return with(rowId, rowAddress, true, offset, limit, batchRows, parallelism, blobs);
  }

  /**
   * Passes over the first rows. Without a predicate whole fragments are skipped by their counts,
   * and the first row is found by its rank.
   */
  public ScanOptions withOffset(long rows) {
    return with(rowId, rowAddress, deletedRows, rows, limit, batchRows, parallelism, blobs);
  }

  public ScanOptions withLimit(long rows) {
    return with(
        rowId,
        rowAddress,
        deletedRows,
        offset,
        OptionalLong.of(rows),
        batchRows,
        parallelism,
        blobs);
  }

  public ScanOptions withBatchRows(int rows) {
    return with(
        rowId, rowAddress, deletedRows, offset, limit, OptionalInt.of(rows), parallelism, blobs);
  }

  public ScanOptions withParallelism(int threads) {
    return with(rowId, rowAddress, deletedRows, offset, limit, batchRows, threads, blobs);
  }

  /** Reads blob columns in this way. */
  public ScanOptions withBlobs(BlobMode mode) {
    return with(rowId, rowAddress, deletedRows, offset, limit, batchRows, parallelism, mode);
  }

  private ScanOptions with(
      boolean newRowId,
      boolean newRowAddress,
      boolean newDeletedRows,
      long newOffset,
      OptionalLong newLimit,
      OptionalInt newBatchRows,
      int newParallelism,
      BlobMode newBlobs) {
    return new ScanOptions(
        columns,
        newRowId,
        newRowAddress,
        filter,
        newDeletedRows,
        newOffset,
        newLimit,
        newBatchRows,
        newParallelism,
        newBlobs);
  }
}
