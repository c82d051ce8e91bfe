package dev.narwhal.lance.manifest;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.fragment.BasePath;
import dev.narwhal.lance.fragment.Fragment;
import java.util.List;
import java.util.Map;

/**
 * What a reader, and a writer, of a version must know; two u64 masks. A bit that we do not know
 * means: keep off. Source: table format sheet 3.
 */
public record FeatureFlags(long reader, long writer) {
  /** Some fragment has deleted rows; in both masks. */
  public static final long DELETION_FILES = 1;

  /** Rows have ids that survive compaction and updates; in both masks. */
  public static final long STABLE_ROW_IDS = 2;

  /** Old tables with data files of version 2; means nothing any more. */
  public static final long V2_FORMAT_DEPRECATED = 4;

  /** The config map is not empty; for writers. */
  public static final long TABLE_CONFIG = 8;

  /** Files may lie under base paths; in both masks. */
  public static final long BASE_PATHS = 16;

  /** No transaction files are written; for writers. */
  public static final long TRANSACTION_FILE_DISABLED = 32;

  private static final long FIRST_UNKNOWN = 64;

  /** Neither reader nor writer needs to know anything. */
  public static final FeatureFlags NONE = new FeatureFlags(0, 0);

  /** The masks of a new version, from what it holds; nothing is taken over from older masks. */
  public static FeatureFlags of(
      List<Fragment> fragments,
      Map<String, String> config,
      List<BasePath> basePaths,
      boolean stableRowIds,
      boolean transactionFileDisabled) {
    boolean anyDeletions = false;
    boolean anyRowIds = stableRowIds;
    for (Fragment fragment : fragments) {
      anyDeletions |= fragment.deletionFile().isPresent();
      anyRowIds |= fragment.rowIds().isPresent();
    }
    long both =
        (anyDeletions ? DELETION_FILES : 0)
            | (anyRowIds ? STABLE_ROW_IDS : 0)
            | (basePaths.isEmpty() ? 0 : BASE_PATHS);
    long writer =
        (config.isEmpty() ? 0 : TABLE_CONFIG)
            | (transactionFileDisabled ? TRANSACTION_FILE_DISABLED : 0);
    return new FeatureFlags(both, both | writer);
  }

  /** Whether {@code _rowid} is an id of its own, not the row's address. */
  public boolean stableRowIds() {
    return (reader & STABLE_ROW_IDS) != 0;
  }

  /** Whether commits leave the transaction file out. */
  public boolean transactionFileDisabled() {
    return (writer & TRANSACTION_FILE_DISABLED) != 0;
  }

  /** Throws when a version may only be read by those who know more. */
  public void requireReadable() {
    requireKnown("read", reader);
  }

  /** Throws when a version may only be written on by those who know more. */
  public void requireWritable() {
    requireKnown("write", writer);
  }

  private static void requireKnown(String verb, long mask) {
    if (Long.compareUnsigned(mask, FIRST_UNKNOWN) >= 0) {
      throw new UnsupportedFeatureException(
          "to "
              + verb
              + " it needs feature flags 0x"
              + Long.toHexString(mask & -FIRST_UNKNOWN)
              + ", which are not known here: a newer Lance wrote it");
    }
  }
}
