package dev.narwhal.lance.transaction;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.CommitStateUnknownException;
import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.manifest.ManifestCodec;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestLocation;
import dev.narwhal.lance.manifest.ManifestNaming;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/**
 * Begins a shallow clone or a branch in a store that has no version yet. As in any commit the
 * transaction file comes first, and the manifest's appearance is the commit. One thread.
 */
public final class CloneCommit {
  private final ObjectStore target;
  private final Transaction transaction;
  private final ManifestFile file;
  private final ManifestLocation location;
  private boolean created;

  /**
   * @param target whose root will be that of the clone, or of the branch
   * @param newBranch name of the branch; empty for a clone
   * @throws UnsupportedFeatureException when the version must not be written on, or cannot be
   *     cloned
   */
  public CloneCommit(
      ObjectStore target, CloneSource source, Optional<String> newBranch, Clock clock) {
    this.target = requireNonNull(target, "target");
    this.transaction = CloneManifest.transaction(source, newBranch);
    try {
      this.file = CloneManifest.of(source, newBranch, transaction, clock.instant());
    } catch (UnsupportedFeatureException e) {
      throw e.in(source.store().uri());
    }
    this.location = new ManifestLocation(source.version(), ManifestNaming.V2);
  }

  /**
   * Throws when the store has versions.
   *
   * @throws FileAlreadyExistsException names them
   */
  public void requireFree() throws IOException {
    List<ManifestLocation> versions = versions();
    if (!versions.isEmpty()) {
      throw taken(versions);
    }
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
    requireFree();
    ByteBuffer bytes = encode();
    try {
      long written = bytes.remaining();
      if (file.manifest().transactionFile().isPresent()) {
        written += new TransactionStore(target).write(transaction);
      }
      created = new ManifestPut(target, location, transaction).create(bytes);
      List<ManifestLocation> versions = versions();
      if (!created || versions.size() > 1) {
        // somebody else begins here, from another version perhaps: a store must not be both
        throw taken(versions);
      }
      new ManifestStore(target).writeHint(location.version());
      return new Committed(location, file, transaction, true, written, 1, AffectedRows.none());
    } catch (CommitStateUnknownException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      takeBack(e);
      throw e;
    }
  }

  /**
   * Removes what {@link #commit} wrote, the version first.
   *
   * @param cause is told of what could not be removed
   */
  public void takeBack(Exception cause) {
    try {
      if (created) {
        target.delete(location.path());
        created = false;
        if (versions().isEmpty()) {
          new ManifestStore(target).removeHint();
        }
      }
      if (file.manifest().transactionFile().isPresent()) {
        new TransactionStore(target).delete(transaction);
      }
      target.prune(Transaction.DIRECTORY);
    } catch (IOException | RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  private ByteBuffer encode() {
    try {
      return ManifestCodec.encode(file);
    } catch (UnsupportedFeatureException e) {
      throw e.in(target.uri());
    }
  }

  private List<ManifestLocation> versions() throws IOException {
    try {
      return new ManifestStore(target).list();
    } catch (DatasetNotFoundException e) {
      return List.of();
    }
  }

  private FileAlreadyExistsException taken(List<ManifestLocation> versions) {
    return new FileAlreadyExistsException(
        target.uri(),
        null,
        versions.isEmpty()
            ? "another writer begins there"
            : "it holds versions "
                + Long.toUnsignedString(versions.get(0).version())
                + " to "
                + Long.toUnsignedString(versions.get(versions.size() - 1).version()));
  }
}
