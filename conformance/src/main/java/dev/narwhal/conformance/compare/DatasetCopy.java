package dev.narwhal.conformance.compare;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.FileLocation;
import dev.narwhal.lance.storage.LocalObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** One version of a dataset as a dataset of its own, with the files that the version names. */
final class DatasetCopy {
  private DatasetCopy() {}

  /**
   * Copies.
   *
   * @param target does not exist yet
   * @throws UnsupportedFeatureException when the version is one of a branch, or of a clone: its
   *     files lie in several places
   */
  static void of(Dataset source, Path target) throws IOException {
    if (!source.manifest().basePaths().isEmpty() || source.manifest().branch().isPresent()) {
      throw new UnsupportedFeatureException(
          source.uri()
              + ": version "
              + source.version()
              + " belongs to a branch or a clone; compare takes datasets whose files lie in one "
              + "place");
    }
    Path root = LocalObjectStore.at(source.uri()).root();
    copy(root, target, source.location().path());
    for (Fragment fragment : source.fragments()) {
      for (DataFile file : fragment.files()) {
        copy(root, target, source.manifest().locate(file));
      }
      if (fragment.deletionFile().isPresent()) {
        copy(root, target, source.manifest().locate(fragment.id(), fragment.deletionFile().get()));
      }
    }
  }

  private static void copy(Path root, Path target, FileLocation location) throws IOException {
    copy(root, target, location.path());
  }

  private static void copy(Path root, Path target, String path) throws IOException {
    Path file = target.resolve(path);
    Files.createDirectories(file.getParent());
    Files.copy(root.resolve(path), file);
  }
}
