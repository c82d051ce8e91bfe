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
import java.util.List;

/**
 * Makes the first version in a store that has none yet. As in any commit the transaction file comes
 * first, and the manifest's appearance is the commit. One thread.
 */
final class FirstVersion {
  private final ObjectStore target;
  private final Transaction transaction;
  private final ManifestFile file;
  private final ManifestLocation location;
  private boolean created;

  /**
   * @param target whose root will be that of the dataset, or of the branch
   * @param file what the version will be, made of the transaction
   */
  FirstVersion(ObjectStore target, Transaction transaction, ManifestFile file) {
    this.target = requireNonNull(target, "target");
    this.transaction = requireNonNull(transaction, "transaction");
    this.file = requireNonNull(file, "file");
    this.location = new ManifestLocation(file.manifest().version(), ManifestNaming.V2);
  }

  /**
   * Throws when the store has versions.
   *
   * @throws FileAlreadyExistsException names them
   */
  void requireFree() throws IOException {
    List<ManifestLocation> versions = versions();
    if (!versions.isEmpty()) {
      throw taken(versions);
    }
  }

  /**
   * Makes the first version.
   *
   * @throws FileAlreadyExistsException when the store has versions, or another writer makes this
   *     one; nothing of ours is left then
   * @throws CommitStateUnknownException when it cannot be told whether the version is ours; nothing
   *     is removed
   */
  Committed commit() throws IOException {
    return commit(false);
  }

  /**
   * The same where others may begin with versions of other numbers, so that the put alone does not
   * tell who is first: it must be the only version afterwards.
   */
  Committed commitAlone() throws IOException {
    return commit(true);
  }

  private Committed commit(boolean alone) throws IOException {
    requireFree();
    ByteBuffer bytes = encode();
    try {
      long written = bytes.remaining();
      if (file.manifest().transactionFile().isPresent()) {
        written += new TransactionStore(target).write(transaction);
      }
      created = new ManifestPut(target, location, transaction).create(bytes);
      if (!created) {
        throw taken(versions());
      }
      if (alone) {
        requireAlone();
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
  void takeBack(Exception cause) {
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
      target.prune(ManifestLocation.DIRECTORY);
      target.prune(Transaction.DIRECTORY);
    } catch (IOException | RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  /** Somebody else may have begun here from another version: a store must not be both. */
  private void requireAlone() throws IOException {
    List<ManifestLocation> versions = versions();
    if (versions.size() > 1) {
      throw taken(versions);
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
