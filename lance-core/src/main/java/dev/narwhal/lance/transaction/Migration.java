package dev.narwhal.lance.transaction;

import dev.narwhal.lance.deletion.DeletionFile;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.FragmentBitmap;
import dev.narwhal.lance.manifest.IndexMetadata;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.WriterVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.roaringbitmap.RoaringBitmap;

/**
 * Fills in what old writers left out or got wrong, at the first commit on their tables. Source:
 * table format sheet 15.1 and 15.2.
 *
 * <p>Where the contents of an index would have to be read, its coverage becomes unknown: then it is
 * not relied on. Row counts that only files of the legacy format could tell stay unknown too.
 */
final class Migration {
  private Migration() {}

  /**
   * The new version with counts and sizes filled in.
   *
   * @param built as the operation makes it
   * @param base the version it is built on
   * @param operation what it is made by
   */
  static ManifestFile complete(
      ManifestFile built, ManifestFile base, Operation operation, TableReads reads)
      throws IOException {
    List<IndexMetadata> indices =
        withHonestBitmaps(built.indices(), base.manifest(), added(operation, base));
    Manifest manifest = built.manifest();
    if (base.manifest().writerVersion().isEmpty() || lacksCounts(manifest)) {
      manifest = withCounts(manifest, reads);
    }
    if (manifest.equals(built.manifest()) && indices.equals(built.indices())) {
      return built;
    }
    return built.transaction().isPresent()
        ? ManifestFile.of(manifest, indices, built.transaction().get())
        : ManifestFile.of(manifest, indices);
  }

  private static boolean lacksCounts(Manifest manifest) {
    for (Fragment fragment : manifest.fragments()) {
      if (fragment.liveRows().orElse(0) == 0
          || fragment.files().stream().anyMatch(file -> file.sizeBytes().isEmpty())) {
        return true;
      }
    }
    return false;
  }

  private static Manifest withCounts(Manifest manifest, TableReads reads) throws IOException {
    List<Fragment> fragments = new ArrayList<>(manifest.fragments().size());
    for (Fragment fragment : manifest.fragments()) {
      Fragment counted = withCounts(manifest, fragment, reads);
      if (counted.liveRows().orElse(1) > 0) {
        fragments.add(counted);
      }
    }
    return manifest.toDraft().fragments(fragments).build();
  }

  private static Fragment withCounts(Manifest manifest, Fragment fragment, TableReads reads)
      throws IOException {
    Fragment counted = fragment;
    try {
      counted = fragment.withPhysicalRows(reads.physicalRows(manifest, fragment));
      Optional<DeletionFile> deletions = counted.deletionFile();
      if (deletions.isPresent() && deletions.get().deletedRows().isEmpty()) {
        counted =
            counted.withDeletionFile(
                deletions.get().withDeletedRows(reads.deletions(manifest, counted).cardinality()));
      }
    } catch (UnsupportedFeatureException e) {
      // legacy files: unknown is what their own writers left, and every reader copes
      counted = fragment;
    }
    List<DataFile> files = new ArrayList<>(counted.files().size());
    for (DataFile file : counted.files()) {
      files.add(
          file.sizeBytes().isPresent()
              ? file
              : file.withSizeBytes(OptionalLong.of(reads.sizeBytes(manifest, file))));
    }
    return counted.withFiles(files);
  }

  /** Indices that the operation itself brings: whoever made them knows what they hold. */
  private static Set<UUID> added(Operation operation, ManifestFile base) {
    Set<UUID> added = new HashSet<>();
    if (operation instanceof Operation.CreateIndex create) {
      create.newIndices().forEach(index -> added.add(index.uuid()));
      base.indices().forEach(index -> added.remove(index.uuid()));
    }
    return added;
  }

  private static List<IndexMetadata> withHonestBitmaps(
      List<IndexMetadata> indices, Manifest base, Set<UUID> added) {
    boolean untrusted = base.writerVersion().map(Migration::hadWrongBitmaps).orElse(true);
    Set<String> overlapping = overlapping(indices);
    List<IndexMetadata> honest = new ArrayList<>(indices.size());
    for (IndexMetadata index : indices) {
      boolean wrong =
          !index.isSystem()
              && !added.contains(index.uuid())
              && (untrusted || overlapping.contains(index.name()));
      Optional<FragmentBitmap> bitmap = wrong ? Optional.empty() : index.fragmentBitmap();
      honest.add(bitmap.equals(index.fragmentBitmap()) ? index : index.withFragmentBitmap(bitmap));
    }
    return honest;
  }

  /** Names of indices of which two segments claim one fragment. */
  private static Set<String> overlapping(List<IndexMetadata> indices) {
    Map<String, List<IndexMetadata>> byName = new HashMap<>();
    for (IndexMetadata index : indices) {
      byName.computeIfAbsent(index.name(), name -> new ArrayList<>()).add(index);
    }
    Set<String> overlapping = new HashSet<>();
    byName.forEach(
        (name, segments) -> {
          if (segments.size() > 1 && overlap(segments)) {
            overlapping.add(name);
          }
        });
    return overlapping;
  }

  private static boolean overlap(List<IndexMetadata> segments) {
    RoaringBitmap all = new RoaringBitmap();
    long claimed = 0;
    for (IndexMetadata segment : segments) {
      if (segment.fragmentBitmap().isPresent()) {
        segment.fragmentBitmap().get().forEach(id -> all.add((int) id));
        claimed += segment.fragmentBitmap().get().cardinality();
      }
    }
    return all.getLongCardinality() < claimed;
  }

  /** Real Lance before 0.8.15; other libraries never had the fault. */
  private static boolean hadWrongBitmaps(WriterVersion writer) {
    if (!writer.library().equals("lance")) {
      return false;
    }
    String[] parts = writer.version().split("\\.", -1);
    int[] fixed = {0, 8, 15};
    for (int i = 0; i < fixed.length; i++) {
      int part = 0;
      try {
        part = i < parts.length ? Integer.parseInt(parts[i]) : 0;
      } catch (NumberFormatException e) {
        return true;
      }
      if (part != fixed[i]) {
        return part < fixed[i];
      }
    }
    return false;
  }
}
