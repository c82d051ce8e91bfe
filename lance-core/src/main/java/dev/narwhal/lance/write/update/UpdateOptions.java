package dev.narwhal.lance.write.update;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.transaction.CommitOptions;
import dev.narwhal.lance.write.FragmentLimits;
import dev.narwhal.lance.write.LayoutChoice;
import dev.narwhal.lance.write.Retries;

/**
 * How an update is written.
 *
 * @param limits when a new data file is full
 * @param layout form of the deletion files
 * @param dryRun whether only the outcome is worked out, expressions evaluated, and nothing written
 * @param retries how often the update is worked out again on the newest version after a conflict
 * @param commit how its commit is tried
 */
public record UpdateOptions(
    FragmentLimits limits,
    LayoutChoice layout,
    boolean dryRun,
    Retries retries,
    CommitOptions commit) {
  public UpdateOptions {
    requireNonNull(limits, "limits");
    requireNonNull(layout, "layout");
    requireNonNull(retries, "retries");
    requireNonNull(commit, "commit");
  }

  /** Real Lance's numbers. Source: table format sheet 6.1. */
  public static UpdateOptions standard() {
    return new UpdateOptions(
        FragmentLimits.standard(),
        LayoutChoice.lance(),
        false,
        Retries.standard(),
        CommitOptions.standard());
  }

  public UpdateOptions withLimits(FragmentLimits other) {
    return new UpdateOptions(other, layout, dryRun, retries, commit);
  }

  public UpdateOptions withLayout(LayoutChoice other) {
    return new UpdateOptions(limits, other, dryRun, retries, commit);
  }

  /** Works the outcome out and writes nothing. */
  public UpdateOptions asDryRun() {
    return new UpdateOptions(limits, layout, true, retries, commit);
  }

  public UpdateOptions withRetries(Retries other) {
    return new UpdateOptions(limits, layout, dryRun, other, commit);
  }

  public UpdateOptions withCommit(CommitOptions other) {
    return new UpdateOptions(limits, layout, dryRun, retries, other);
  }
}
