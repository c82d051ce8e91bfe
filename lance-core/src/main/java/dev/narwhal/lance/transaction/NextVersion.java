package dev.narwhal.lance.transaction;

import dev.narwhal.lance.fragment.BasePath;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.DataFormat;
import dev.narwhal.lance.manifest.FeatureFlags;
import dev.narwhal.lance.manifest.IndexMetadata;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestDraft;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.schema.LanceSchema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The state of the next version while an operation is applied to it; it begins as that of the
 * newest one. One thread.
 */
final class NextVersion {
  final Manifest base;
  final long version;
  LanceSchema schema;
  List<Fragment> fragments;
  List<IndexMetadata> indices;
  OptionalLong maxFragmentId;
  long nextRowId;
  DataFormat dataFormat;
  Map<String, String> config;
  Map<String, String> tableMetadata;
  List<BasePath> basePaths;
  boolean stableRowIds;

  NextVersion(ManifestFile latest) {
    this(latest.manifest(), latest.manifest().version() + 1, latest.indices());
  }

  private NextVersion(Manifest base, long version, List<IndexMetadata> indices) {
    this.base = base;
    this.version = version;
    this.schema = base.schema();
    this.fragments = base.fragments();
    this.indices = indices;
    this.maxFragmentId = highestId(base);
    this.nextRowId = base.nextRowId();
    this.dataFormat = base.dataFormat();
    this.config = base.config();
    this.tableMetadata = base.tableMetadata();
    this.basePaths = base.basePaths();
    this.stableRowIds = base.stableRowIds();
  }

  /**
   * The state of a table's first version.
   *
   * @param empty the table without rows, under that version's number
   */
  static NextVersion first(Manifest empty) {
    return new NextVersion(empty, empty.version(), List.of());
  }

  /** The state as a manifest, in fragment order; what a commit adds is left to the caller. */
  ManifestDraft toDraft() {
    List<Fragment> sorted = new ArrayList<>(fragments.size());
    for (Fragment fragment : fragments) {
      sorted.add(withoutReplacedFiles(fragment));
    }
    sorted.sort(Comparator.comparingLong(Fragment::id));
    ManifestDraft draft =
        base.toDraft()
            .version(version)
            .schema(schema)
            .fragments(sorted)
            .nextRowId(nextRowId)
            .dataFormat(dataFormat)
            .config(config)
            .tableMetadata(tableMetadata)
            .basePaths(basePaths)
            .flags(
                FeatureFlags.of(
                    sorted,
                    config,
                    basePaths,
                    stableRowIds,
                    base.flags().transactionFileDisabled()));
    OptionalLong highest = maxFragmentId;
    for (Fragment fragment : sorted) {
      highest = OptionalLong.of(Math.max(highest.orElse(0), fragment.id()));
    }
    highest.ifPresent(draft::maxFragmentId);
    return draft;
  }

  /** A file of which newer files replace every column says nothing any more. */
  private static Fragment withoutReplacedFiles(Fragment fragment) {
    boolean replaced = fragment.files().stream().anyMatch(NextVersion::isReplaced);
    return replaced
        ? fragment.withFiles(fragment.files().stream().filter(file -> !isReplaced(file)).toList())
        : fragment;
  }

  private static boolean isReplaced(DataFile file) {
    return !file.fields().isEmpty()
        && file.fields().stream().allMatch(field -> field == DataFile.REPLACED);
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
