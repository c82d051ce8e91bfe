package dev.narwhal.lance.cleanup;

import dev.narwhal.lance.deletion.DeletionFile;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.fragment.BasePath;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.IndexMetadata;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.rowid.StoredSequence;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.schema.UnknownFieldsCodec;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The files that versions name, by key: the last name in the path of a data, deletion or
 * transaction file, the uuid of an index. Keys are drawn at random, so that one stands for one
 * file, wherever it lies. Where it lies is not asked on purpose: a branch finds the files of its
 * parent through a path that was right when it was made, and the dataset may have been moved, or
 * opened through a link, since.
 */
final class NamedFiles {
  private final Set<String> keys = new HashSet<>();

  boolean contains(String key) {
    return keys.contains(key);
  }

  void addAll(Set<String> others) {
    keys.addAll(others);
  }

  Set<String> keys() {
    return keys;
  }

  /** Adds all files that a version names. */
  void add(ManifestFile version) {
    for (Fragment fragment : version.manifest().fragments()) {
      add(fragment);
    }
    for (IndexMetadata index : version.indices()) {
      keys.add(index.uuid().toString());
    }
    version.manifest().transactionFile().ifPresent(keys::add);
  }

  /** Adds the files that a version names in its own root, and not through a base path. */
  void addOwn(ManifestFile version) {
    for (Fragment fragment : version.manifest().fragments()) {
      for (DataFile file : fragment.files()) {
        if (file.baseId().isEmpty()) {
          keys.add(lastName(file.path()));
        }
      }
      fragment
          .deletionFile()
          .filter(file -> file.baseId().isEmpty())
          .ifPresent(file -> keys.add(lastName(file.relativePath(fragment.id()))));
    }
    for (IndexMetadata index : version.indices()) {
      if (index.baseId().isEmpty()) {
        keys.add(index.uuid().toString());
      }
    }
    version.manifest().transactionFile().ifPresent(keys::add);
  }

  private void add(Fragment fragment) {
    for (DataFile file : fragment.files()) {
      keys.add(lastName(file.path()));
    }
    fragment.deletionFile().ifPresent(file -> keys.add(lastName(file.relativePath(fragment.id()))));
    add(fragment.rowIds());
    add(fragment.createdVersions());
    add(fragment.lastUpdatedVersions());
  }

  private void add(Optional<StoredSequence> sequence) {
    if (sequence.isPresent() && sequence.get() instanceof StoredSequence.External external) {
      keys.add(lastName(external.path()));
    }
  }

  /**
   * Throws when a version says something that we do not know where files are named: it may name
   * files of a kind that we do not know.
   *
   * @throws UnsupportedFeatureException names the place, and the numbers of the fields
   */
  static void requireKnown(ManifestFile version) {
    Manifest manifest = version.manifest();
    manifest.flags().requireWritable();
    requireNothing(manifest.unknown(), "the manifest");
    for (BasePath base : manifest.basePaths()) {
      requireNothing(base.unknown(), "base path " + Integer.toUnsignedString(base.id()));
    }
    for (Fragment fragment : manifest.fragments()) {
      String place = "fragment " + fragment.id();
      requireNothing(fragment.unknown(), place);
      for (DataFile file : fragment.files()) {
        requireNothing(file.unknown(), place + ", data file " + file.path());
      }
      Optional<DeletionFile> deletions = fragment.deletionFile();
      if (deletions.isPresent()) {
        requireNothing(deletions.get().unknown(), place + ", its deletion file");
      }
    }
    for (IndexMetadata index : version.indices()) {
      requireNothing(index.unknown(), "index " + index.name());
      index.files().forEach(file -> requireNothing(file.unknown(), "a file of " + index.name()));
    }
  }

  private static void requireNothing(UnknownFields unknown, String place) {
    if (!unknown.equals(UnknownFields.none())) {
      throw new UnsupportedFeatureException(
          place
              + " has fields "
              + UnknownFieldsCodec.numbers(unknown)
              + ", which are not known here and may name files; nothing is removed, clean up with"
              + " the Lance that wrote them");
    }
  }

  private static String lastName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
