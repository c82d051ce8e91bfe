package dev.narwhal.lance.cleanup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.FileLocation;
import dev.narwhal.lance.manifest.IndexMetadata;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestLocation;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.storage.Stores;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Looks whether every version that is there has all its files. */
final class WholeVersions {
  private final ObjectStore store;
  private final Stores stores;

  private WholeVersions(ObjectStore store, Stores stores) {
    this.store = store;
    this.stores = stores;
  }

  /** Checks all versions of a branch, whose numbers it returns. */
  static List<Long> of(ObjectStore store, Stores stores, String label) throws IOException {
    WholeVersions check = new WholeVersions(store, stores);
    ManifestStore manifests = new ManifestStore(store);
    List<Long> versions = new ArrayList<>();
    for (ManifestLocation location : manifests.list()) {
      check.version(manifests.read(location), label + ", version " + location.version());
      versions.add(location.version());
    }
    return versions;
  }

  private void version(ManifestFile file, String label) throws IOException {
    Manifest manifest = file.manifest();
    for (Fragment fragment : manifest.fragments()) {
      for (DataFile data : fragment.files()) {
        file(manifest.locate(data), label);
      }
      if (fragment.deletionFile().isPresent()) {
        file(manifest.locate(fragment.id(), fragment.deletionFile().get()), label);
      }
    }
    for (IndexMetadata index : file.indices()) {
      if (index.isSystem()) {
        // its content may be in the manifest
        continue;
      }
      FileLocation location = manifest.locate(index);
      assertThat(at(location).list(location.path())).as(label + ": " + location).isNotEmpty();
    }
    if (manifest.transactionFile().isPresent()) {
      String path = "_transactions/" + manifest.transactionFile().get();
      assertThat(store.exists(path)).as(label + ": " + path).isTrue();
    }
  }

  private void file(FileLocation location, String label) throws IOException {
    assertThat(at(location).exists(location.path())).as(label + ": " + location).isTrue();
  }

  private ObjectStore at(FileLocation location) {
    return location.base().isEmpty() ? store : stores.at(location.base().get().path());
  }
}
