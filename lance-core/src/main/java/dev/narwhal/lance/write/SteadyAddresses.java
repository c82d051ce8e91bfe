package dev.narwhal.lance.write;

import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.transaction.History;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.transaction.Transaction;
import java.io.IOException;
import java.util.Optional;

/**
 * How long row addresses of a version go on meaning the same rows. They do as long as commits only
 * add rows, mark rows as deleted, or leave rows alone; a commit that may move a row or give its
 * address to another one ends that for good. One thread.
 */
final class SteadyAddresses {
  private WriteContext version;
  private boolean ended;

  /**
   * @param first the version that the addresses are of
   */
  SteadyAddresses(WriteContext first) {
    version = first;
  }

  /** The newest version, of those looked at, on which they mean the same rows. */
  WriteContext version() {
    return version;
  }

  /** Whether they mean the same rows on a newer version; looks at all in between. */
  boolean hold(WriteContext newer) throws IOException {
    if (version.version() == newer.version()) {
      return true;
    }
    if (ended) {
      return false;
    }
    ManifestStore manifests = new ManifestStore(version.store());
    ManifestFile last = version.base();
    for (long number = version.version() + 1; number < newer.version() && !ended; number++) {
      try {
        ManifestFile next = manifests.read(number);
        ended = !keepsAddresses(next);
        last = ended ? last : next;
      } catch (DatasetNotFoundException e) {
        // cleaned up: nobody can tell what it did
        ended = true;
      }
    }
    ended |= !keepsAddresses(newer.base());
    if (!ended) {
      version = newer;
    } else if (last.manifest().version() != version.version()) {
      version = version.at(last);
    }
    return !ended;
  }

  /** A version that a delete of ours made; tells nothing about others that were in between. */
  void deleted(WriteContext newer) {
    if (!ended && newer.version() == version.version() + 1) {
      version = newer;
    }
  }

  private boolean keepsAddresses(ManifestFile file) throws IOException {
    Optional<Transaction> made = History.transaction(version.store(), file);
    return made.isPresent() && keepsAddresses(made.get().operation());
  }

  private static boolean keepsAddresses(Operation operation) {
    return operation instanceof Operation.Append
        || operation instanceof Operation.Delete
        || operation instanceof Operation.CreateIndex
        || operation instanceof Operation.ReserveFragments
        || operation instanceof Operation.UpdateConfig
        || operation instanceof Operation.UpdateBases;
  }
}
