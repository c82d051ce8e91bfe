package dev.narwhal.lance.write.insert;

import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.transaction.CommitGuard;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Data files that are to be in a table once: a driver that does not know that its commit succeeded,
 * and commits the same rows again, must not double them.
 */
final class UnknownFiles implements CommitGuard {
  private final String place;
  private final Set<String> paths = new HashSet<>();

  /**
   * @param place the dataset, for messages
   * @param added the fragments that are to be committed
   * @throws IllegalArgumentException when a file is in two of them
   */
  UnknownFiles(String place, List<Fragment> added) {
    this.place = place;
    for (Fragment fragment : added) {
      for (DataFile file : fragment.files()) {
        if (!paths.add(file.path())) {
          throw new IllegalArgumentException(
              place
                  + ": data file "
                  + file.path()
                  + " is in the list twice; give each insert once");
        }
      }
    }
  }

  /**
   * @throws IllegalArgumentException when the version has one of the files
   */
  @Override
  public void check(ManifestFile latest) {
    for (Fragment fragment : latest.manifest().fragments()) {
      for (DataFile file : fragment.files()) {
        if (paths.contains(file.path())) {
          throw new IllegalArgumentException(
              place
                  + ": data file "
                  + file.path()
                  + " is in version "
                  + latest.manifest().version()
                  + " already; these rows were committed before");
        }
      }
    }
  }
}
