package dev.narwhal.lance.transaction;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestLocation;
import dev.narwhal.lance.manifest.ManifestNaming;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;

/**
 * Finds what was committed after a version. A listing may be behind, so that the names after the
 * newest that it shows are tried too: a version that exists is never taken for free. One thread.
 */
final class NewerVersions {
  private final ObjectStore store;
  private final ManifestStore manifests;
  private final TransactionStore transactions;
  private ManifestNaming naming = ManifestNaming.V2;

  NewerVersions(ObjectStore store) {
    this.store = requireNonNull(store, "store");
    this.manifests = new ManifestStore(store);
    this.transactions = new TransactionStore(store);
  }

  /** How the dataset names its manifests, as the last listing showed. */
  ManifestNaming naming() {
    return naming;
  }

  /**
   * The number of the newest version there is, which may be the given one.
   *
   * @throws DatasetNotFoundException when even that one is gone, and no newer one is there
   */
  long newestAfter(long version) throws IOException {
    ManifestLocation newest = manifests.latest();
    naming = newest.naming();
    if (newest.version() < version
        && !store.exists(new ManifestLocation(version, newest.naming()).path())) {
      throw new DatasetNotFoundException(
          store.uri()
              + ": version "
              + version
              + ", which the commit builds on, is gone; the newest is "
              + newest.version());
    }
    long last = Math.max(version, newest.version());
    while (store.exists(new ManifestLocation(last + 1, newest.naming()).path())) {
      last++;
    }
    return last;
  }

  /**
   * A newer version. They are read one at a time: a writer that is far behind need not hold the
   * manifests of all.
   *
   * @throws DatasetNotFoundException when it is gone, so that it cannot be told what it changed
   */
  CommittedVersion read(long number) throws IOException {
    ManifestLocation location = new ManifestLocation(number, naming);
    ManifestFile file = manifests.read(location);
    return new CommittedVersion(location, file, transactions.read(file));
  }
}
