package dev.narwhal.lance.transaction;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.fragment.BasePath;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.FeatureFlags;
import dev.narwhal.lance.manifest.IndexMetadata;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestDraft;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.WriterVersion;
import dev.narwhal.lance.rowid.StoredSequence;
import dev.narwhal.lance.schema.UnknownFields;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The first version of a shallow clone or a branch: the source's version under its own number, with
 * every file that lies in the source found through a new base path. Files that the source itself
 * finds through a base path keep it; real Lance 7.0.0 moves those of indices to the new one, where
 * they are not. Pure. Source: table format sheet 1.8, "Clone / branch rule".
 */
final class CloneManifest {
  private final CloneSource source;
  private final int baseId;

  private CloneManifest(CloneSource source) {
    this.source = source;
    this.baseId = nextId(source.file().manifest().basePaths());
  }

  /** What makes it. */
  static Transaction transaction(CloneSource source, Optional<String> newBranch) {
    return Transaction.of(
        source.version(),
        new Operation.Clone(
            true,
            source.branch(),
            source.version(),
            source.store().location(),
            newBranch,
            UnknownFields.none()));
  }

  /**
   * The version.
   *
   * @throws UnsupportedFeatureException when the source's version is not to be written on, or has
   *     files that cannot be found from elsewhere
   */
  static ManifestFile of(
      CloneSource source, Optional<String> newBranch, Transaction transaction, Instant timestamp) {
    return new CloneManifest(source).build(newBranch, transaction, timestamp);
  }

  private ManifestFile build(
      Optional<String> newBranch, Transaction transaction, Instant timestamp) {
    Manifest manifest = source.file().manifest();
    ManifestBuilder.requireWritable(manifest);
    List<Fragment> fragments = new ArrayList<>(manifest.fragments().size());
    for (Fragment fragment : manifest.fragments()) {
      fragments.add(moved(fragment));
    }
    List<IndexMetadata> indices = new ArrayList<>(source.file().indices().size());
    for (IndexMetadata index : source.file().indices()) {
      indices.add(index.baseId().isPresent() ? index : index.withBaseId(baseId));
    }
    List<BasePath> bases = new ArrayList<>(manifest.basePaths());
    bases.add(
        new BasePath(
            baseId, source.branch(), true, source.store().location(), UnknownFields.none()));
    boolean withoutFile = manifest.flags().transactionFileDisabled();
    ManifestDraft draft =
        manifest
            .toDraft()
            .fragments(fragments)
            .basePaths(bases)
            .branch(newBranch)
            .timestamp(timestamp)
            .withoutTag()
            .writerVersion(WriterVersion.NARWHAL)
            .flags(
                FeatureFlags.of(
                    fragments, manifest.config(), bases, manifest.stableRowIds(), withoutFile));
    if (withoutFile) {
      draft.withoutTransactionFile();
    } else {
      draft.transactionFile(transaction.fileName());
    }
    return ManifestFile.of(draft.build(), indices, TransactionCodec.encode(transaction));
  }

  private Fragment moved(Fragment fragment) {
    requireInline(fragment, fragment.rowIds());
    requireInline(fragment, fragment.createdVersions());
    requireInline(fragment, fragment.lastUpdatedVersions());
    List<DataFile> files = new ArrayList<>(fragment.files().size());
    for (DataFile file : fragment.files()) {
      files.add(file.baseId().isPresent() ? file : file.withBaseId(baseId));
    }
    Fragment moved = fragment.withFiles(files);
    return fragment
        .deletionFile()
        .filter(file -> file.baseId().isEmpty())
        .map(file -> moved.withDeletionFile(file.withBaseId(baseId)))
        .orElse(moved);
  }

  /** Such a file has no base path: it would be looked for in the clone. */
  private static void requireInline(Fragment fragment, Optional<StoredSequence> sequence) {
    if (sequence.isPresent() && sequence.get() instanceof StoredSequence.External external) {
      throw new UnsupportedFeatureException(
          "fragment "
              + fragment.id()
              + " has a row id sequence in "
              + external.path()
              + ", which a clone or branch could not find; compact the table with Lance first");
    }
  }

  /** One past the highest, and 0 when there is none. */
  private static int nextId(List<BasePath> bases) {
    long next = 0;
    for (BasePath base : bases) {
      next = Math.max(next, Integer.toUnsignedLong(base.id()) + 1);
    }
    if (next > 0xFFFF_FFFFL) {
      throw new UnsupportedFeatureException("no id is left for a base path");
    }
    return (int) next;
  }
}
