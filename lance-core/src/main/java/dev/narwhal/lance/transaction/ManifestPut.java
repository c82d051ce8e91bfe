package dev.narwhal.lance.transaction;

import dev.narwhal.lance.error.CommitStateUnknownException;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.manifest.ManifestCodec;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestLocation;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The put that is the commit: creates a manifest that must not be there yet, and finds out whether
 * it did, also when the store's reply was lost or the store repeated the put on its own.
 *
 * <p>A store must not let a put take effect after it has thrown; one that is lost half-way has
 * happened by then, or never will.
 */
final class ManifestPut {
  private static final Logger LOG = LoggerFactory.getLogger(ManifestPut.class);

  private final ObjectStore store;
  private final ManifestLocation target;
  private final Transaction transaction;

  ManifestPut(ObjectStore store, ManifestLocation target, Transaction transaction) {
    this.store = store;
    this.target = target;
    this.transaction = transaction;
  }

  /**
   * Returns whether the version is ours.
   *
   * @throws CommitStateUnknownException when it cannot be told
   * @throws IOException when storage failed and the version was not made
   */
  boolean create(ByteBuffer bytes) throws IOException {
    boolean created;
    try {
      created = store.putIfAbsent(target.path(), bytes);
    } catch (IOException e) {
      return settle(e);
    } catch (RuntimeException e) {
      return settle(e);
    }
    return created || isOursAfterAll();
  }

  /** A store may throw anything, also after the put took effect. */
  private <E extends Exception> boolean settle(E failure) throws E {
    // an interrupt may be why the put failed, and would fail the reading too
    boolean interrupted = Thread.interrupted();
    try {
      return isOurs();
    } catch (NoSuchFileException e) {
      throw failure;
    } catch (IOException | RuntimeException e) {
      // a client may throw one object again and again, which cannot suppress itself
      if (!e.equals(failure)) {
        failure.addSuppressed(e);
      }
      throw unknown(failure);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * A store may have repeated a put whose first reply it lost, and then found our own file. Bytes
   * that break the format are not ours; a file that cannot be read may be, so nothing is cleaned
   * up.
   */
  private boolean isOursAfterAll() {
    boolean interrupted = Thread.interrupted();
    try {
      return isOurs();
    } catch (LanceFormatException | UnsupportedFeatureException e) {
      LOG.debug("{}: cannot read {}, which came first", store.uri(), target.path(), e);
      return false;
    } catch (IOException | RuntimeException e) {
      throw unknown(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private CommitStateUnknownException unknown(Exception cause) {
    return new CommitStateUnknownException(
        store.uri()
            + ": the outcome of the commit of version "
            + target.version()
            + " is not known, since "
            + target.path()
            + " cannot be read; look whether it holds transaction "
            + transaction.uuid()
            + ", nothing was cleaned up",
        cause);
  }

  /** By the transaction's uuid, which is in the name of its file, and in the file itself. */
  private boolean isOurs() throws IOException {
    ManifestFile winner = ManifestCodec.decode(store.read(target.path()));
    Optional<ByteBuffer> inline = winner.transaction();
    return inline.isPresent()
        ? TransactionCodec.decode(inline.get()).uuid().equals(transaction.uuid())
        : winner.manifest().transactionFile().equals(Optional.of(transaction.fileName()));
  }
}
