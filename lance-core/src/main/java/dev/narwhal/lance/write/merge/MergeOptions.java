package dev.narwhal.lance.write.merge;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.transaction.CommitOptions;
import dev.narwhal.lance.write.FragmentLimits;
import dev.narwhal.lance.write.LayoutChoice;
import dev.narwhal.lance.write.Retries;
import java.nio.file.Path;

/**
 * How a merge insert is done.
 *
 * @param duplicates what happens when several rows of the source would update one row
 * @param memoryBytes of the source's rows, keys and matches held in memory, at least {@link
 *     #MIN_MEMORY_BYTES}; what is more goes to temporary files. Pages that are read and written
 *     come on top, whose number follows the threads and columns
 * @param spillDirectory where temporary files are made
 * @param checksInsertedKeys whether rows that another commit added meanwhile are searched for the
 *     keys that this one inserts; if one is there the merge is done again on the newest version,
 *     and the key is not inserted twice
 * @param dryRun whether only the outcome is worked out, and nothing is written
 * @param commitEmpty whether a merge that changes nothing makes a version all the same, as in real
 *     Lance
 * @param retries how often the merge is worked out again on the newest version after a conflict
 * @param commitAttempts how often a commit is tried when others win the race, at least 1
 * @param limits of the new data files
 * @param layout form of the deletion files
 */
public record MergeOptions(
    DuplicateRows duplicates,
    long memoryBytes,
    Path spillDirectory,
    boolean checksInsertedKeys,
    boolean dryRun,
    boolean commitEmpty,
    Retries retries,
    int commitAttempts,
    FragmentLimits limits,
    LayoutChoice layout) {
  /** 256 MiB. */
  public static final long DEFAULT_MEMORY_BYTES = 256L << 20;

  /** 64 KiB. */
  public static final long MIN_MEMORY_BYTES = 64L << 10;

  public MergeOptions {
    requireNonNull(duplicates, "duplicates");
    requireNonNull(spillDirectory, "spillDirectory");
    requireNonNull(retries, "retries");
    requireNonNull(limits, "limits");
    requireNonNull(layout, "layout");
    if (memoryBytes < MIN_MEMORY_BYTES) {
      throw new IllegalArgumentException(
          "memoryBytes must be at least " + MIN_MEMORY_BYTES + ": " + memoryBytes);
    }
    if (commitAttempts < 1) {
      throw new IllegalArgumentException("commitAttempts must be at least 1: " + commitAttempts);
    }
  }

  /**
   * Real Lance's numbers, 256 MiB, temporary files where Java has them; a key is not inserted
   * twice, and a merge that changes nothing makes no version.
   */
  public static MergeOptions standard() {
    return new MergeOptions(
        DuplicateRows.FAIL,
        DEFAULT_MEMORY_BYTES,
        Path.of(System.getProperty("java.io.tmpdir")),
        true,
        false,
        false,
        Retries.standard(),
        CommitOptions.LANCE_ATTEMPTS,
        FragmentLimits.standard(),
        LayoutChoice.lance());
  }

  public MergeOptions withDuplicates(DuplicateRows other) {
    return new MergeOptions(
        other,
        memoryBytes,
        spillDirectory,
        checksInsertedKeys,
        dryRun,
        commitEmpty,
        retries,
        commitAttempts,
        limits,
        layout);
  }

  /** Bounds memory, and says where temporary files are made. */
  public MergeOptions withMemory(long bytes, Path directory) {
    return new MergeOptions(
        duplicates,
        bytes,
        directory,
        checksInsertedKeys,
        dryRun,
        commitEmpty,
        retries,
        commitAttempts,
        limits,
        layout);
  }

  /** Inserts keys whatever other commits inserted meanwhile, as real Lance does. */
  public MergeOptions withoutInsertedKeysCheck() {
    return new MergeOptions(
        duplicates,
        memoryBytes,
        spillDirectory,
        false,
        dryRun,
        commitEmpty,
        retries,
        commitAttempts,
        limits,
        layout);
  }

  /** Works the outcome out and writes nothing. */
  public MergeOptions asDryRun() {
    return new MergeOptions(
        duplicates,
        memoryBytes,
        spillDirectory,
        checksInsertedKeys,
        true,
        commitEmpty,
        retries,
        commitAttempts,
        limits,
        layout);
  }

  /** Makes a version even when nothing changes. */
  public MergeOptions withEmptyCommits() {
    return new MergeOptions(
        duplicates,
        memoryBytes,
        spillDirectory,
        checksInsertedKeys,
        dryRun,
        true,
        retries,
        commitAttempts,
        limits,
        layout);
  }

  /** Work that is done again, and commits that are tried again. */
  public MergeOptions withRetries(Retries other, int attempts) {
    return new MergeOptions(
        duplicates,
        memoryBytes,
        spillDirectory,
        checksInsertedKeys,
        dryRun,
        commitEmpty,
        other,
        attempts,
        limits,
        layout);
  }

  public MergeOptions withLimits(FragmentLimits other) {
    return new MergeOptions(
        duplicates,
        memoryBytes,
        spillDirectory,
        checksInsertedKeys,
        dryRun,
        commitEmpty,
        retries,
        commitAttempts,
        other,
        layout);
  }

  CommitOptions commitOptions() {
    return CommitOptions.standard().withAttempts(commitAttempts).withPacing(retries.pacing());
  }
}
