package dev.narwhal.lance.transaction;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.CommitStateUnknownException;
import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestCodec;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestLocation;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits transactions to a dataset, or to a branch, whose root the store is: first the transaction
 * file, then the manifest, which must not be there yet, then the version hint. The manifest's
 * appearance is the commit. Safe for use by many threads and processes. Source: table format sheet
 * 1.5, 1.6 and 5.4.
 *
 * <p>A store must not let a put take effect after it has thrown; one that is lost half-way has
 * happened by then, or never will.
 */
public final class Committer {
  private static final Logger LOG = LoggerFactory.getLogger(Committer.class);

  private final ObjectStore store;
  private final Clock clock;
  private final ManifestStore manifests;
  private final TransactionStore transactions;

  public Committer(ObjectStore store) {
    this(store, Clock.systemUTC());
  }

  /**
   * @param clock stamps the versions
   */
  public Committer(ObjectStore store, Clock clock) {
    this.store = requireNonNull(store, "store");
    this.clock = requireNonNull(clock, "clock");
    this.manifests = new ManifestStore(store);
    this.transactions = new TransactionStore(store);
  }

  /**
   * Makes the version after the one that the transaction read.
   *
   * @param base that version
   * @throws RetryableConflictException when another commit came first; our transaction file is
   *     removed, other files of the operation are the caller's
   * @throws CommitStateUnknownException when it cannot be told whether the version is ours; nothing
   *     is removed, and the caller must not remove anything either
   * @throws UnsupportedFeatureException before anything is written, when the table or the operation
   *     asks for more than we can do
   * @throws IOException when storage failed and the version was not made
   */
  public Committed commit(Transaction transaction, ManifestFile base) throws IOException {
    Manifest read = base.manifest();
    if (transaction.readVersion() != read.version()) {
      throw new IllegalArgumentException(
          "the transaction read version "
              + Long.toUnsignedString(transaction.readVersion())
              + ", not "
              + Long.toUnsignedString(read.version()));
    }
    ManifestFile next;
    ByteBuffer bytes;
    try {
      next = ManifestBuilder.build(base, transaction, clock.instant());
      bytes = ManifestCodec.encode(next);
    } catch (UnsupportedFeatureException e) {
      throw e.in(store.uri());
    }
    ManifestLocation target = target(transaction);
    long written = bytes.remaining();
    if (next.manifest().transactionFile().isPresent()) {
      written += writeTransactionFile(transaction);
    }
    if (!create(target, bytes, transaction)) {
      discard(transaction);
      throw conflict(transaction, target);
    }
    manifests.writeHint(target.version());
    return new Committed(target, next, written);
  }

  /** The next version's place, in the dataset's own naming, if nobody has taken it yet. */
  private ManifestLocation target(Transaction transaction) throws IOException {
    List<ManifestLocation> versions = manifests.list();
    ManifestLocation newest = versions.get(versions.size() - 1);
    long read = transaction.readVersion();
    if (newest.version() < read) {
      throw new DatasetNotFoundException(
          store.uri()
              + ": version "
              + read
              + ", which the commit builds on, is gone; the newest is "
              + newest.version());
    }
    ManifestLocation next = new ManifestLocation(read + 1, newest.naming());
    if (newest.version() > read) {
      throw conflict(transaction, versions.contains(next) ? next : newest);
    }
    return next;
  }

  private long writeTransactionFile(Transaction transaction) throws IOException {
    try {
      return transactions.write(transaction);
    } catch (IOException e) {
      discard(transaction);
      throw e;
    }
  }

  /** Returns whether the version is ours; asks the store again when the reply was lost. */
  private boolean create(ManifestLocation target, ByteBuffer bytes, Transaction transaction)
      throws IOException {
    boolean created;
    try {
      created = store.putIfAbsent(target.path(), bytes);
    } catch (IOException e) {
      return settle(target, transaction, e);
    }
    return created || isOursAfterAll(target, transaction);
  }

  private boolean settle(ManifestLocation target, Transaction transaction, IOException failure)
      throws IOException {
    // an interrupt may be why the put failed, and would fail the reading too
    boolean interrupted = Thread.interrupted();
    try {
      return isOurs(target, transaction);
    } catch (NoSuchFileException e) {
      discard(transaction);
      throw failure;
    } catch (IOException | LanceFormatException | UnsupportedFeatureException e) {
      failure.addSuppressed(e);
      throw unknown(target, transaction, failure);
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
  private boolean isOursAfterAll(ManifestLocation target, Transaction transaction) {
    boolean interrupted = Thread.interrupted();
    try {
      return isOurs(target, transaction);
    } catch (LanceFormatException | UnsupportedFeatureException e) {
      LOG.debug("{}: cannot read {}, which came first", store.uri(), target.path(), e);
      return false;
    } catch (IOException e) {
      throw unknown(target, transaction, e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private CommitStateUnknownException unknown(
      ManifestLocation target, Transaction transaction, IOException cause) {
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

  private boolean isOurs(ManifestLocation target, Transaction transaction) throws IOException {
    // every manifest that we write has its transaction inline
    Optional<ByteBuffer> winner = ManifestCodec.decode(store.read(target.path())).transaction();
    return winner.isPresent()
        && TransactionCodec.decode(winner.get()).uuid().equals(transaction.uuid());
  }

  private RetryableConflictException conflict(Transaction ours, ManifestLocation theirs) {
    String winner = "a commit that cannot be read";
    try {
      winner =
          transactions
              .read(manifests.read(theirs))
              .map(transaction -> transaction.operation().name())
              .orElse("a commit without a transaction");
    } catch (IOException
        | LanceFormatException
        | UnsupportedFeatureException
        | DatasetNotFoundException e) {
      LOG.debug("{}: cannot read {}, which came first", store.uri(), theirs.path(), e);
    }
    return new RetryableConflictException(
        store.uri()
            + ": "
            + ours.operation().name()
            + " on version "
            + ours.readVersion()
            + " lost to "
            + winner
            + ", which made version "
            + theirs.version()
            + "; run it again on the newest version");
  }

  /** Best effort: a transaction file that no manifest names is garbage that clean-up knows. */
  private void discard(Transaction transaction) {
    try {
      transactions.delete(transaction);
    } catch (IOException e) {
      LOG.debug("{}: could not remove {}", store.uri(), transaction.fileName(), e);
    }
  }
}
