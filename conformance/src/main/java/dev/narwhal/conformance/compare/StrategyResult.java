package dev.narwhal.conformance.compare;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * What one strategy did.
 *
 * @param outcome its figures, or why the data's types rule the strategy out
 */
public record StrategyResult(Strategy strategy, Outcome outcome) {
  public StrategyResult {
    requireNonNull(strategy, "strategy");
    requireNonNull(outcome, "outcome");
  }

  public static StrategyResult measured(Strategy strategy, Figures figures) {
    return new StrategyResult(strategy, figures);
  }

  public static StrategyResult refused(Strategy strategy, String reason) {
    return new StrategyResult(strategy, new Refused(reason));
  }

  /** The figures, unless the strategy was refused. */
  public Optional<Figures> figures() {
    return outcome instanceof Figures figures ? Optional.of(figures) : Optional.empty();
  }

  /** Why the strategy was refused, if it was. */
  public Optional<String> refusedReason() {
    return outcome instanceof Refused refused ? Optional.of(refused.reason()) : Optional.empty();
  }

  /** Either figures or a reason. */
  public sealed interface Outcome permits Figures, Refused {}

  /**
   * The types of the data rule the strategy out.
   *
   * @param reason names the column and its type
   */
  public record Refused(String reason) implements Outcome {
    public Refused {
      requireNonNull(reason, "reason");
    }
  }

  /**
   * Measured values.
   *
   * @param deleteMs wall time of the delete, commit included, in milliseconds
   * @param readMs wall time of reading all live rows back, in milliseconds
   * @param bytesWritten bytes of all files that the delete added, metadata included
   * @param bytesRead bytes of the data and delete files that the read back needed
   * @param filesWritten number of files that the delete added
   * @param writeAmplification {@code bytesWritten} over the bytes of the deleted rows in the
   *     source; 0 when no row was deleted
   * @param liveRows rows read back
   * @param rowsHash 128-bit digest of the live rows as a multiset, in hex
   */
  public record Figures(
      double deleteMs,
      double readMs,
      long bytesWritten,
      long bytesRead,
      long filesWritten,
      double writeAmplification,
      long liveRows,
      String rowsHash)
      implements Outcome {
    public Figures {
      requireNonNull(rowsHash, "rowsHash");
    }
  }
}
