package dev.narwhal.lance.transaction;

import dev.narwhal.lance.error.CommitStateUnknownException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Clock;
import java.util.Optional;

/** Begins a shallow clone or a branch in a store that has no version yet. One thread. */
public final class CloneCommit {
  private final FirstVersion first;

  /**
   * @param target whose root will be that of the clone, or of the branch
   * @param newBranch name of the branch; empty for a clone
   * @throws UnsupportedFeatureException when the version must not be written on, or cannot be
   *     cloned
   */
  public CloneCommit(
      ObjectStore target, CloneSource source, Optional<String> newBranch, Clock clock) {
    Transaction transaction = CloneManifest.transaction(source, newBranch);
    ManifestFile file;
    try {
      file = CloneManifest.of(source, newBranch, transaction, clock.instant());
    } catch (UnsupportedFeatureException e) {
      throw e.in(source.store().uri());
    }
    this.first = new FirstVersion(target, transaction, file);
  }

  /**
   * Throws when the store has versions.
   *
   * @throws FileAlreadyExistsException names them
   */
  public void requireFree() throws IOException {
    first.requireFree();
  }

  /**
   * Makes the first version.
   *
   * @throws FileAlreadyExistsException when the store has versions, or another writer begins there
   *     too; nothing of ours is left then
   * @throws CommitStateUnknownException when it cannot be told whether the version is ours; nothing
   *     is removed
   */
  public Committed commit() throws IOException {
    return first.commitAlone();
  }

  /**
   * Removes what {@link #commit} wrote, the version first.
   *
   * @param cause is told of what could not be removed
   */
  public void takeBack(Exception cause) {
    first.takeBack(cause);
  }
}
