package dev.narwhal.lance.write.merge;

import dev.narwhal.lance.transaction.CommitGuard;
import dev.narwhal.lance.write.Retries;
import dev.narwhal.lance.write.WriteContext;
import java.io.IOException;

/**
 * One try of a merge: matches the source with a version, writes the new rows, and commits. What it
 * wrote is removed when it fails. One thread.
 */
final class MergeAttempt {
  private final MergeStep step;

  /**
   * @throws IllegalArgumentException when the source does not fit the version's columns
   */
  MergeAttempt(
      Retries.Attempt attempt, MergeClauses clauses, MergeOptions options, MergeSource source) {
    SourceColumns columns =
        SourceColumns.of(attempt.context().manifest().schema(), source.schema());
    if (clauses.inserts()) {
      columns.requireInsertable();
    }
    this.step = new MergeStep(attempt, clauses, options, source, columns);
  }

  MergeResult run() throws IOException {
    WriteContext context = step.context();
    MergeSource source = step.source();
    MergeOptions options = step.options();
    try (SpillFolder folder = new SpillFolder(options.spillDirectory())) {
      PairRuns matches;
      try (TableKeys table =
          new TableKeys(context, context.manifest().fragments(), source.encoder())) {
        matches = source.keys().match(table, folder);
      }
      RowActions actions =
          new RowActions(
              context.store().uri(),
              source.encoder().columns(),
              source.rows(),
              matches,
              options.duplicates(),
              step.clauses().deletesBySource());
      if (options.dryRun()) {
        return step.dryRun(actions);
      }
      CommitGuard guard =
          options.checksInsertedKeys()
              ? new InsertedKeysGuard(context, source, matches, folder)
              : CommitGuard.none();
      return step.clauses().inPlace()
          ? new InPlaceMerge(step).run(actions, guard)
          : new MovingMerge(step).run(actions, guard);
    }
  }
}
