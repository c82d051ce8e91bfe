package dev.narwhal.conformance.compare;

import static java.util.Objects.requireNonNull;

import dev.narwhal.conformance.compare.StrategyResult.Figures;
import dev.narwhal.iceberg.export.ExportOptions;
import dev.narwhal.iceberg.mapping.MappingRules;
import dev.narwhal.iceberg.mapping.Unsupported;
import dev.narwhal.iceberg.rowdelete.RowDeletes;
import dev.narwhal.iceberg.rowdelete.commit.PreparedChange;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.rowdelete.plan.RowMatcher;
import dev.narwhal.iceberg.verify.RowsDigest;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Does the same delete by every strategy, each on a copy of its own, and measures it. The given
 * dataset is only read.
 *
 * <p>Small datasets are gone through twice and only the second time counts, so that no strategy
 * pays for classes that the JVM loads and compiles for the first time.
 */
public final class Comparison {
  /** Up to so many live rows there is a round that is not measured. */
  public static final long WARM_UP_ROWS = 1_000_000;

  private static final int OLDEST_VERSION = 2;
  private static final int NEWEST_VERSION = 3;
  private static final String GRANULARITY = "write.delete.granularity";

  private final CompareRequest request;
  private final BufferAllocator allocator;
  private final Consumer<String> progress;

  private Comparison(CompareRequest request, BufferAllocator allocator, Consumer<String> progress) {
    this.request = request;
    this.allocator = allocator;
    this.progress = progress;
  }

  /**
   * Compares.
   *
   * @param progress is told each step; see {@link #steps}
   * @throws UnsupportedFeatureException when not even one Iceberg strategy can hold the data
   * @throws dev.narwhal.lance.error.InvalidPredicateException when the predicate does not fit the
   *     dataset
   */
  public static CompareReport run(
      CompareRequest request, BufferAllocator allocator, Consumer<String> progress)
      throws IOException {
    return new Comparison(
            requireNonNull(request, "request"),
            requireNonNull(allocator, "allocator"),
            requireNonNull(progress, "progress"))
        .run();
  }

  /** How many steps there will be at most. */
  public static int steps() {
    return 2 * Strategy.values().length;
  }

  private CompareReport run() throws IOException {
    Dataset source = Dataset.open(request.dataset(), request.selector(), allocator);
    DeletedShare share = DeletedShare.of(source, source.predicate(request.where()), allocator);
    WorkFolder work = WorkFolder.renew(request.folder());
    List<StrategyResult> results = new ArrayList<>();
    if (share.liveRows() <= WARM_UP_ROWS) {
      for (Strategy strategy : Strategy.values()) {
        progress.accept("warm-up: " + strategy.id());
        measure(source, strategy, share, work.folder("warm-up-" + strategy.id()));
      }
      work.remove("warm-up-");
    }
    for (Strategy strategy : Strategy.values()) {
      progress.accept(strategy.id());
      results.add(measure(source, strategy, share, work.folder(strategy.id())));
    }
    if (results.stream().allMatch(result -> result.figures().isEmpty())) {
      throw new UnsupportedFeatureException(
          "no strategy can hold this data: " + results.get(0).refusedReason().orElse(""));
    }
    return new CompareReport(
        request.dataset(),
        source.version(),
        request.where(),
        share.liveRows(),
        share.deletedRows(),
        share.deletedBytes(),
        results,
        Instant.now(),
        environment(),
        request.command());
  }

  private StrategyResult measure(Dataset source, Strategy strategy, DeletedShare share, Path folder)
      throws IOException {
    Contender contender = contender(source, strategy);
    try {
      contender.prepare(folder);
      FolderFiles before = FolderFiles.of(folder);
      long start = System.nanoTime();
      contender.delete(request.where());
      long deleted = System.nanoTime();
      FolderFiles added = FolderFiles.of(folder).since(before);
      long readStart = System.nanoTime();
      RowsDigest digest = contender.read();
      long read = System.nanoTime();
      return StrategyResult.measured(
          strategy,
          new Figures(
              millis(deleted - start),
              millis(read - readStart),
              added.bytes(),
              contender.bytesRead(),
              added.count(),
              share.amplification(added.bytes()),
              digest.rows(),
              digest.hash()));
    } catch (UnsupportedFeatureException e) {
      return StrategyResult.refused(strategy, String.valueOf(e.getMessage()));
    }
  }

  private Contender contender(Dataset source, Strategy strategy) {
    return switch (strategy) {
      case LANCE_DELETION_FILE -> new LanceContender(source, rules(NEWEST_VERSION), allocator);
      case ICEBERG_DELETION_VECTORS ->
          new IcebergContender(
              source,
              options(dev.narwhal.iceberg.export.Strategy.DELETION_VECTORS, NEWEST_VERSION),
              Comparison::mergeOnRead,
              allocator);
      case ICEBERG_POSITION_DELETES_FILE -> positionDeletes(source, "file");
      case ICEBERG_POSITION_DELETES_PARTITION -> positionDeletes(source, "partition");
      case ICEBERG_COPY_ON_WRITE ->
          new IcebergContender(
              source,
              options(dev.narwhal.iceberg.export.Strategy.COPY_ON_WRITE, OLDEST_VERSION),
              Comparison::copyOnWrite,
              allocator);
      case ICEBERG_EQUALITY_DELETES ->
          new IcebergContender(
              source,
              options(dev.narwhal.iceberg.export.Strategy.COPY_ON_WRITE, OLDEST_VERSION),
              RowDeletes::prepareEqualityDelete,
              allocator);
    };
  }

  private static PreparedChange mergeOnRead(RowDeletes deletes, RowMatcher matcher)
      throws IOException {
    return deletes.prepareDelete(matcher, DeleteMode.MERGE_ON_READ);
  }

  private static PreparedChange copyOnWrite(RowDeletes deletes, RowMatcher matcher)
      throws IOException {
    return deletes.prepareDelete(matcher, DeleteMode.COPY_ON_WRITE);
  }

  private Contender positionDeletes(Dataset source, String granularity) {
    return new IcebergContender(
        source,
        options(dev.narwhal.iceberg.export.Strategy.POSITION_DELETES, OLDEST_VERSION)
            .withTableProperties(Map.of(GRANULARITY, granularity)),
        Comparison::mergeOnRead,
        allocator);
  }

  private ExportOptions options(dev.narwhal.iceberg.export.Strategy strategy, int formatVersion) {
    return ExportOptions.of(strategy, formatVersion).withRules(rules(formatVersion));
  }

  /**
   * With a policy for them, the columns that the oldest version lacks become the same everywhere,
   * so that the rows of all strategies are comparable. Without, strategies that lack them are
   * refused.
   */
  private MappingRules rules(int formatVersion) {
    return request.unsupported() == Unsupported.FAIL
        ? MappingRules.ofVersion(formatVersion)
        : new MappingRules(OLDEST_VERSION, request.unsupported());
  }

  private static double millis(long nanos) {
    return nanos / 1e6;
  }

  private static String environment() {
    return "JVM "
        + System.getProperty("java.vm.version")
        + ", "
        + Runtime.getRuntime().availableProcessors()
        + " processors, "
        + System.getProperty("os.name")
        + ' '
        + System.getProperty("os.arch");
  }
}
