package dev.narwhal.lance.write.insert;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.datafile.FileVersion;
import dev.narwhal.lance.transaction.CommitOptions;
import dev.narwhal.lance.transaction.Transaction;
import dev.narwhal.lance.write.FragmentLimits;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How new rows are written. What cannot be honoured is refused before anything is written.
 *
 * @param dataStorageVersion of the data files, 2.0 to 2.2; empty means the table's, and 2.1 for a
 *     new one. An append cannot change it, an overwrite can
 * @param stableRowIds whether the rows must get ids that survive compaction and updates: a new
 *     table has them then, a table without them is refused
 * @param limits when a data file is full
 * @param config entries that a new table, or an overwrite, sets in the table's configuration
 * @param properties of the transaction
 * @param commit how the version is committed
 * @param dryRun whether the rows are only read and checked, and nothing is written
 */
public record InsertOptions(
    Optional<FileVersion> dataStorageVersion,
    boolean stableRowIds,
    FragmentLimits limits,
    Map<String, String> config,
    Map<String, String> properties,
    CommitOptions commit,
    boolean dryRun) {
  public InsertOptions {
    requireNonNull(dataStorageVersion, "dataStorageVersion");
    requireNonNull(limits, "limits");
    config = Map.copyOf(config);
    properties = Map.copyOf(properties);
    requireNonNull(commit, "commit");
  }

  /** Real Lance's numbers. */
  public static InsertOptions standard() {
    return new InsertOptions(
        Optional.empty(),
        false,
        FragmentLimits.standard(),
        Map.of(),
        Map.of(),
        CommitOptions.standard(),
        false);
  }

  public InsertOptions withDataStorageVersion(FileVersion version) {
    return new InsertOptions(
        Optional.of(version), stableRowIds, limits, config, properties, commit, dryRun);
  }

  /** Has rows get stable row ids. */
  public InsertOptions withStableRowIds() {
    return new InsertOptions(dataStorageVersion, true, limits, config, properties, commit, dryRun);
  }

  public InsertOptions withLimits(FragmentLimits other) {
    return new InsertOptions(
        dataStorageVersion, stableRowIds, other, config, properties, commit, dryRun);
  }

  /** Rows of a data file, {@code [1, 2^31)}. */
  public InsertOptions withMaxRowsPerFile(long rows) {
    return withLimits(limits.withMaxRows(rows));
  }

  /** Bytes of a data file, at least 1; see {@link FragmentLimits}. */
  public InsertOptions withMaxBytesPerFile(long bytes) {
    return withLimits(limits.withMaxBytes(bytes));
  }

  /** Sets an entry of the table's configuration; not for an append. */
  public InsertOptions withConfig(String key, String value) {
    return new InsertOptions(
        dataStorageVersion,
        stableRowIds,
        limits,
        with(config, key, value),
        properties,
        commit,
        dryRun);
  }

  /** Adds a property to the transaction. */
  public InsertOptions withProperty(String key, String value) {
    return new InsertOptions(
        dataStorageVersion,
        stableRowIds,
        limits,
        config,
        with(properties, key, value),
        commit,
        dryRun);
  }

  /** Adds a commit message. */
  public InsertOptions withMessage(String message) {
    return withProperty(Transaction.MESSAGE, message);
  }

  public InsertOptions withCommit(CommitOptions other) {
    return new InsertOptions(
        dataStorageVersion, stableRowIds, limits, config, properties, other, dryRun);
  }

  /** Reads and checks everything, and writes nothing. */
  public InsertOptions asDryRun() {
    return new InsertOptions(
        dataStorageVersion, stableRowIds, limits, config, properties, commit, true);
  }

  private static Map<String, String> with(Map<String, String> map, String key, String value) {
    Map<String, String> more = new HashMap<>(map);
    more.put(key, value);
    return more;
  }
}
