package dev.narwhal.conformance.compare;

import dev.narwhal.iceberg.export.DatasetExport;
import dev.narwhal.iceberg.export.ExportOptions;
import dev.narwhal.iceberg.rowdelete.RowDeletes;
import dev.narwhal.iceberg.rowdelete.commit.PreparedChange;
import dev.narwhal.iceberg.rowdelete.plan.NothingToDeleteException;
import dev.narwhal.iceberg.rowdelete.plan.PredicateMatcher;
import dev.narwhal.iceberg.rowdelete.plan.RowMatcher;
import dev.narwhal.iceberg.source.LanceSource;
import dev.narwhal.iceberg.table.TableTarget;
import dev.narwhal.iceberg.verify.RowVerification;
import dev.narwhal.iceberg.verify.RowsDigest;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;

/** An Iceberg table, deleted from in one of its ways. */
final class IcebergContender implements Contender {
  /** One way to delete the rows for which a condition is true. */
  interface Deleting {
    PreparedChange prepare(RowDeletes deletes, RowMatcher matcher) throws IOException;
  }

  private final Dataset source;
  private final ExportOptions export;
  private final Deleting deleting;
  private final BufferAllocator allocator;
  private String location = "";

  /**
   * @param export makes the baseline
   * @param deleting prepares the delete
   */
  IcebergContender(
      Dataset source, ExportOptions export, Deleting deleting, BufferAllocator allocator) {
    this.source = source;
    this.export = export;
    this.deleting = deleting;
    this.allocator = allocator;
  }

  @Override
  public void prepare(Path folder) throws IOException {
    location = folder.toString();
    try (TableTarget target = TableTarget.at(location)) {
      DatasetExport.run(new LanceSource(source, allocator), target, export);
    }
  }

  @Override
  public void delete(String where) throws IOException {
    try (TableTarget target = TableTarget.at(location)) {
      Table table = table(target);
      RowDeletes deletes = new RowDeletes(table, allocator);
      deleting.prepare(deletes, matcher(where, table)).commit();
    } catch (NothingToDeleteException e) {
      // a delete of no row is a result like any other: nothing is written
    }
  }

  /** What fits the dataset may not fit what its columns became. */
  private static PredicateMatcher matcher(String where, Table table) {
    try {
      return PredicateMatcher.of(where, table.schema());
    } catch (InvalidPredicateException e) {
      throw new UnsupportedFeatureException(
          "the predicate does not fit the table's columns: " + e.getMessage());
    }
  }

  @Override
  public RowsDigest read() throws IOException {
    try (TableTarget target = TableTarget.at(location)) {
      return RowVerification.digest(table(target));
    }
  }

  @Override
  public long bytesRead() throws IOException {
    long bytes = 0;
    Map<String, Long> deletes = new HashMap<>();
    try (TableTarget target = TableTarget.at(location);
        CloseableIterable<FileScanTask> tasks = table(target).newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        bytes += task.file().fileSizeInBytes();
        for (DeleteFile delete : task.deletes()) {
          deletes.put(delete.location() + '@' + delete.contentOffset(), size(delete));
        }
      }
    }
    return bytes + deletes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** A reader fetches one vector of a Puffin file, and a Parquet file whole. */
  private static long size(DeleteFile delete) {
    return delete.format() == FileFormat.PUFFIN
        ? delete.contentSizeInBytes()
        : delete.fileSizeInBytes();
  }

  private Table table(TableTarget target) {
    return target.load().orElseThrow(() -> new IllegalStateException("no table at " + location));
  }
}
