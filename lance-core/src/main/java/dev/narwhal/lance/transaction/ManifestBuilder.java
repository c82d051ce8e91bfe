package dev.narwhal.lance.transaction;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.FeatureFlags;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestDraft;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.WriterVersion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Works out the next version from the newest one and a transaction. Pure: nothing is read or
 * written. Source: table format sheet 9.1 and 9.2.
 */
public final class ManifestBuilder {
  private ManifestBuilder() {}

  /**
   * The version after {@code latest}. Whatever the operation does not touch stays as it is, fields
   * that we do not know included.
   *
   * @param timestamp when the commit is made
   * @throws UnsupportedFeatureException when the table, or the operation, asks for more than we can
   *     do
   * @throws IllegalArgumentException when the operation would bring deleted rows back
   */
  public static ManifestFile build(
      ManifestFile latest, Transaction transaction, Instant timestamp) {
    Manifest base = latest.manifest();
    base.flags().requireWritable();
    if (base.isDetached() || Manifest.isDetached(base.version() + 1)) {
      throw new UnsupportedFeatureException(
          "commits on the detached version "
              + Long.toUnsignedString(base.version())
              + " are not supported; commit on a version of the table's history");
    }
    if (!(transaction.operation() instanceof Operation.Delete delete)) {
      throw new UnsupportedFeatureException(
          "operation " + transaction.operation().name() + " cannot be committed, Delete can");
    }
    List<Fragment> fragments = apply(delete, base.fragments());
    ManifestDraft draft =
        base.toDraft()
            .version(base.version() + 1)
            .fragments(fragments)
            .timestamp(timestamp)
            .writerVersion(WriterVersion.NARWHAL)
            .flags(
                FeatureFlags.of(
                    fragments,
                    base.config(),
                    base.basePaths(),
                    base.stableRowIds(),
                    base.flags().transactionFileDisabled()));
    transaction.tag().ifPresentOrElse(draft::tag, draft::withoutTag);
    highestId(base).ifPresent(draft::maxFragmentId);
    if (base.flags().transactionFileDisabled()) {
      draft.withoutTransactionFile();
    } else {
      draft.transactionFile(transaction.fileName());
    }
    return ManifestFile.of(draft.build(), latest.indices(), TransactionCodec.encode(transaction));
  }

  /** An id in both lists ends up removed; an updated one that is not there is passed over. */
  private static List<Fragment> apply(Operation.Delete delete, List<Fragment> fragments) {
    Set<Long> removed = new HashSet<>(delete.deletedFragmentIds());
    Map<Long, Fragment> updated = new HashMap<>();
    for (Fragment fragment : delete.updatedFragments()) {
      updated.put(fragment.id(), fragment);
    }
    List<Fragment> result = new ArrayList<>(fragments.size());
    for (Fragment fragment : fragments) {
      if (!removed.contains(fragment.id())) {
        Fragment replacement = updated.getOrDefault(fragment.id(), fragment);
        requireNoRowBack(fragment, replacement);
        result.add(replacement);
      }
    }
    result.sort(Comparator.comparingLong(Fragment::id));
    return result;
  }

  /** Deletion files are cumulative: a delete can only add rows to what is deleted. */
  private static void requireNoRowBack(Fragment old, Fragment replacement) {
    OptionalLong before = old.deletedRows();
    OptionalLong after = replacement.deletedRows();
    if (before.isPresent() && after.isPresent() && after.getAsLong() < before.getAsLong()) {
      throw new IllegalArgumentException(
          "fragment "
              + old.id()
              + " has "
              + before.getAsLong()
              + " deleted rows, the delete would leave "
              + after.getAsLong());
    }
  }

  /** Old writers did not store a highest id of 0. */
  private static OptionalLong highestId(Manifest base) {
    OptionalLong highest = base.maxFragmentId();
    for (Fragment fragment : base.fragments()) {
      if (highest.isEmpty() || fragment.id() > highest.getAsLong()) {
        highest = OptionalLong.of(fragment.id());
      }
    }
    return highest;
  }
}
