package dev.narwhal.iceberg.rowdelete.commit;

import java.util.Optional;
import java.util.function.Predicate;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.IsolationLevel;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Evaluator;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.InclusiveMetricsEvaluator;
import org.apache.iceberg.expressions.Projections;

/**
 * What a change asks of the commits that came between.
 *
 * @param what the operation and its condition, for messages
 * @param isolation serializable: no row was added for which the condition may be true
 * @param mayMatch whether a data file may hold a row that the condition is about
 */
public record Validation(String what, IsolationLevel isolation, Predicate<DataFile> mayMatch) {

  /** For a condition: a file is ruled out by its partition or its statistics. */
  public static Validation of(
      Table table, String what, IsolationLevel isolation, Expression condition) {
    return new Validation(what, isolation, file -> mayMatch(table, condition, file));
  }

  private static boolean mayMatch(Table table, Expression condition, DataFile file) {
    PartitionSpec spec = Optional.ofNullable(table.specs().get(file.specId())).orElseThrow();
    Expression partitions = Projections.inclusive(spec, true).project(condition);
    return new Evaluator(spec.partitionType(), partitions, true).eval(file.partition())
        && new InclusiveMetricsEvaluator(table.schema(), condition).eval(file);
  }
}
