package dev.narwhal.iceberg.rowdelete.plan;

import dev.narwhal.iceberg.deletes.ExistingDeletes;
import dev.narwhal.iceberg.rowdelete.equality.EqualityPositions;
import dev.narwhal.iceberg.table.InParallel;
import dev.narwhal.lance.error.PredicateEvaluationException;
import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.io.CloseableIterable;

/**
 * Finds the rows that a condition is about.
 *
 * <p>Iceberg's scan leaves out the files that partition or statistics rule out. Files of which
 * partition or statistics say that every row matches are taken whole, unread. The others are read,
 * one on each processor at a time, a batch at a time. What is kept of a file are its positions,
 * compressed. Delete files are read of files with a match only.
 */
public final class RowDeletePlanner {
  private final Table table;
  private final BufferAllocator allocator;

  /**
   * @param allocator for the matcher's columns, a batch on each processor
   */
  public RowDeletePlanner(Table table, BufferAllocator allocator) {
    this.table = table;
    this.allocator = allocator;
  }

  /**
   * Plans.
   *
   * @param scan picks the snapshot; its filter, if it has one, only leaves files out
   * @throws dev.narwhal.lance.error.UnsupportedFeatureException if a data file that may match is no
   *     Parquet file
   * @throws dev.narwhal.puffin.PuffinFormatException if a vector of such a file is damaged
   * @throws dev.narwhal.lance.error.PredicateEvaluationException if a live row has no result
   */
  public RowDeletePlan plan(TableScan scan, RowMatcher matcher) throws IOException {
    StatisticsScreen screen = new StatisticsScreen(table.schema(), matcher.pruning().mustMatch());
    // Residuals are ignored so that Iceberg leaves out no delete file of a data file that it keeps:
    // those whose keys the condition rules out count when the file is rewritten.
    TableScan filtered = scan.filter(matcher.pruning().mayMatch()).ignoreResiduals();
    return plan(
        screen.wantsStatistics() ? filtered.includeColumnStats(matcher.columns()) : filtered,
        matcher,
        screen);
  }

  /** The rows that are in some partitions of a spec, be their files of that spec or another. */
  public RowDeletePlan plan(TableScan scan, PartitionMatcher matcher) throws IOException {
    return plan(scan.ignoreResiduals(), matcher, matcher);
  }

  private RowDeletePlan plan(TableScan scan, RowMatcher matcher, FileScreen screen)
      throws IOException {
    Snapshot snapshot = scan.snapshot();
    if (snapshot == null) {
      return RowDeletePlan.ofNothing(OptionalLong.empty(), matcher);
    }
    MatchFinder finder = new MatchFinder(table, table.schema(), matcher, allocator);
    Candidates candidates = candidates(scan, screen);
    ExistingDeletes existing = new ExistingDeletes(table);
    List<Optional<RowDelete>> whole =
        InParallel.map(candidates.whole(), task -> all(task, existing.of(task)));
    List<Matched> matched =
        InParallel.map(candidates.partial(), task -> matched(task, finder)).stream()
            .filter(file -> !file.rows().isEmpty() || file.failed())
            .toList();
    Map<String, PositionSet> byEquality =
        new EqualityPositions(table).of(matched.stream().map(Matched::task).toList());
    List<Optional<RowDelete>> partial =
        InParallel.map(matched, file -> some(file, finder, existing.of(file.task()), byEquality));
    List<RowDelete> found = new ArrayList<>();
    whole.forEach(file -> file.ifPresent(found::add));
    partial.forEach(file -> file.ifPresent(found::add));
    return new RowDeletePlan(
        OptionalLong.of(snapshot.snapshotId()), matcher.text(), matcher.pruning(), found);
  }

  /**
   * The same files with the rows left out that equality deletes have taken, where that was left
   * open. Files without a live row are left out.
   */
  public List<RowDelete> withEqualityDeletes(List<RowDelete> files) throws IOException {
    List<FileScanTask> open =
        files.stream().filter(file -> file.liveRows().isEmpty()).map(RowDelete::task).toList();
    Map<String, PositionSet> byEquality = new EqualityPositions(table).of(open);
    List<RowDelete> known = new ArrayList<>();
    for (RowDelete file : files) {
      if (file.liveRows().isPresent()) {
        known.add(file);
        continue;
      }
      PositionSet dead = byEquality.getOrDefault(file.dataFile().location(), PositionSet.empty());
      PositionSet live = file.positions().minus(dead);
      if (!live.isEmpty()) {
        known.add(RowDelete.of(file.task(), live, file.positionDeletes(), dead));
      }
    }
    return known;
  }

  /** Files of which some row may match, by whether every row must. */
  private record Candidates(List<FileScanTask> whole, List<FileScanTask> partial) {}

  private static Candidates candidates(TableScan scan, FileScreen screen) throws IOException {
    Candidates candidates = new Candidates(new ArrayList<>(), new ArrayList<>());
    try (CloseableIterable<FileScanTask> tasks = scan.planFiles()) {
      for (FileScanTask task : tasks) {
        switch (screen.matching(task)) {
          case ALL -> candidates.whole().add(task);
          case SOME -> candidates.partial().add(task);
          case NONE -> {}
        }
      }
    }
    return candidates;
  }

  private static Optional<RowDelete> all(FileScanTask task, PositionSet positionDeletes) {
    return positionDeletes.cardinality() == task.file().recordCount()
        ? Optional.empty()
        : Optional.of(RowDelete.ofAll(task, positionDeletes));
  }

  /**
   * The rows of a file that match, dead or alive.
   *
   * @param failed whether the condition has no result for some row, which may be a dead one
   */
  private record Matched(FileScanTask task, PositionSet rows, boolean failed) {}

  /** What is dead is not yet looked at: of a file without a match no delete file is read. */
  private static Matched matched(FileScanTask task, MatchFinder finder) throws IOException {
    try {
      return new Matched(task, finder.matching(task, PositionSet.empty()), false);
    } catch (PredicateEvaluationException e) {
      return new Matched(task, PositionSet.empty(), true);
    }
  }

  private static Optional<RowDelete> some(
      Matched file,
      MatchFinder finder,
      PositionSet positionDeletes,
      Map<String, PositionSet> byEquality)
      throws IOException {
    FileScanTask task = file.task();
    PositionSet equality = byEquality.getOrDefault(task.file().location(), PositionSet.empty());
    PositionSet dead = positionDeletes.union(equality);
    PositionSet rows = file.failed() ? finder.matching(task, dead) : file.rows().minus(dead);
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(RowDelete.of(task, rows, positionDeletes, equality));
  }
}
