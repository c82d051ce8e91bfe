package dev.narwhal.iceberg.rowdelete;

import dev.narwhal.iceberg.table.CreatedFiles;
import dev.narwhal.iceberg.table.InParallel;
import dev.narwhal.iceberg.table.SnapshotMetadata;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.events.CreateSnapshotEvent;
import org.apache.iceberg.exceptions.CleanableFailure;
import org.apache.iceberg.io.CloseableIterable;

/**
 * Deletes rows of an unpartitioned table in one commit.
 *
 * <p>The matching live positions of each data file are found first, honouring the deletes there
 * are. A file of which no live row is left goes, with what deletes from it alone. Of the others
 * either positions are written or the remaining rows, by {@link DeleteMode}. What a concurrent
 * commit did to the same rows makes the commit fail: no row comes back or is lost. Rows that are
 * added meanwhile stay, matching or not (snapshot isolation).
 *
 * <p>A delete that fails leaves the table as it was and none of the files it wrote.
 */
public final class RowDelete {
  private final Table table;
  private final RowMatcher matcher;
  private final DeleteMode mode;
  private final BufferAllocator allocator;

  private RowDelete(Table table, RowMatcher matcher, DeleteMode mode, BufferAllocator allocator) {
    this.table = table;
    this.matcher = matcher;
    this.mode = mode;
    this.allocator = allocator;
  }

  /**
   * Deletes.
   *
   * @param allocator for the matcher's columns, a batch on each processor
   * @throws NothingToDeleteException if no live row matches
   * @throws UnsupportedFeatureException if the table is partitioned, has equality deletes, or has
   *     data files other than Parquet
   * @throws org.apache.iceberg.exceptions.ValidationException if a concurrent commit touched the
   *     same files
   */
  public static RowDeleteReport run(
      Table table, RowMatcher matcher, DeleteMode mode, BufferAllocator allocator)
      throws IOException {
    return new RowDelete(table, matcher, mode, allocator).run();
  }

  private RowDeleteReport run() throws IOException {
    table.refresh();
    if (table.specs().values().stream().anyMatch(PartitionSpec::isPartitioned)) {
      throw new UnsupportedFeatureException(
          "table " + table.name() + " is partitioned; deletes need an unpartitioned one so far");
    }
    Snapshot start = table.currentSnapshot();
    if (start == null) {
      throw nothing();
    }
    List<FileMatch> matches = find(start);
    if (matches.isEmpty()) {
      throw nothing();
    }
    CreatedFiles created = new CreatedFiles(table.io());
    StagedDelete staged = stage(matches, created);
    CreateSnapshotEvent event = commit(staged, start, created);
    return report(staged, event);
  }

  private NothingToDeleteException nothing() {
    return new NothingToDeleteException(
        "no live row of " + table.name() + " matches " + matcher.text());
  }

  private List<FileMatch> find(Snapshot snapshot) throws IOException {
    List<FileScanTask> tasks = new ArrayList<>();
    try (CloseableIterable<FileScanTask> planned =
        table.newScan().useSnapshot(snapshot.snapshotId()).planFiles()) {
      planned.forEach(tasks::add);
    }
    MatchFinder finder = new MatchFinder(table, matcher, allocator);
    return InParallel.map(tasks, finder::find).stream().flatMap(Optional::stream).toList();
  }

  private StagedDelete stage(List<FileMatch> matches, CreatedFiles created) throws IOException {
    DeleteStager stager = new DeleteStager(table, created);
    try {
      return switch (mode) {
        case MERGE_ON_READ -> stager.mergeOnRead(matches);
        case COPY_ON_WRITE -> stager.copyOnWrite(matches);
      };
    } catch (IOException | RuntimeException | Error e) {
      created.takeBack();
      throw e;
    }
  }

  private CreateSnapshotEvent commit(StagedDelete staged, Snapshot start, CreatedFiles created) {
    try {
      return staged.commit(table, start.snapshotId());
    } catch (RuntimeException e) {
      // after any other failure the commit may have landed
      if (e instanceof CleanableFailure) {
        created.takeBack();
      }
      throw e;
    }
  }

  private RowDeleteReport report(StagedDelete staged, CreateSnapshotEvent event) {
    return new RowDeleteReport(
        event.snapshotId(),
        event.operation(),
        staged.deletedRows(),
        staged.removed().size(),
        staged.rewritten().size(),
        staged.added().size(),
        staged.removedDeletes().size(),
        staged.bytes(),
        SnapshotMetadata.bytes(table, event.snapshotId()));
  }
}
