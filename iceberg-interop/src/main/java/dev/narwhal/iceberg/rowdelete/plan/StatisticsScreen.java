package dev.narwhal.iceberg.rowdelete.plan;

import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.ResidualEvaluator;
import org.apache.iceberg.expressions.StrictMetricsEvaluator;

/**
 * Tells the data files of which every row must match, by their partition or their statistics. Files
 * of which none may match were left out by the scan. For one thread.
 */
final class StatisticsScreen implements FileScreen {
  private final Expression mustMatch;
  private final StrictMetricsEvaluator metrics;
  private final Map<Integer, ResidualEvaluator> residuals = new HashMap<>();

  StatisticsScreen(Schema schema, Expression mustMatch) {
    this.mustMatch = mustMatch;
    this.metrics = new StrictMetricsEvaluator(schema, mustMatch);
  }

  /** Whether statistics could tell, so that they are worth keeping. */
  boolean wantsStatistics() {
    return mustMatch.op() != Expression.Operation.FALSE
        && mustMatch.op() != Expression.Operation.TRUE;
  }

  @Override
  public Matching matching(FileScanTask task) {
    return everyRowMatches(task) ? Matching.ALL : Matching.SOME;
  }

  private boolean everyRowMatches(FileScanTask task) {
    if (mustMatch.op() == Expression.Operation.FALSE) {
      return false;
    }
    ResidualEvaluator residual =
        residuals.computeIfAbsent(
            task.spec().specId(), spec -> ResidualEvaluator.of(task.spec(), mustMatch, true));
    return residual.residualFor(task.file().partition()).op() == Expression.Operation.TRUE
        || metrics.eval(task.file());
  }
}
