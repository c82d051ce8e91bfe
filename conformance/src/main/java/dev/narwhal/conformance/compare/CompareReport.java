package dev.narwhal.conformance.compare;

import static java.util.Objects.requireNonNull;

import dev.narwhal.conformance.compare.StrategyResult.Figures;
import java.time.Instant;
import java.util.List;

/**
 * One delete, done by every strategy on the same data.
 *
 * @param dataset where the source is, as the user named it
 * @param version version of the source
 * @param where the predicate of the delete
 * @param rows live rows before the delete
 * @param deletedRows rows that the predicate matched
 * @param deletedBytes bytes of those rows in the source, the unit of the write amplification
 * @param strategies in the order of {@link Strategy}
 * @param createdAt when the comparison ran
 * @param environment JVM, processors and operating system, for the reader of the figures
 * @param command the command line that does it again
 */
public record CompareReport(
    String dataset,
    long version,
    String where,
    long rows,
    long deletedRows,
    long deletedBytes,
    List<StrategyResult> strategies,
    Instant createdAt,
    String environment,
    String command) {
  public CompareReport {
    requireNonNull(dataset, "dataset");
    requireNonNull(where, "where");
    requireNonNull(createdAt, "createdAt");
    requireNonNull(environment, "environment");
    requireNonNull(command, "command");
    strategies = List.copyOf(strategies);
  }

  /**
   * Whether all strategies that ran left the same live rows, as many as there must be, at least one
   * of them having run.
   */
  public boolean equal() {
    List<Figures> measured =
        strategies.stream().flatMap(result -> result.figures().stream()).toList();
    return !measured.isEmpty()
        && measured.stream().map(Figures::rowsHash).distinct().count() == 1
        && measured.stream().allMatch(figures -> figures.liveRows() == rows - deletedRows);
  }
}
