package dev.narwhal.lance.transaction;

import dev.narwhal.lance.error.CommitConflict;
import dev.narwhal.lance.error.CommitStateUnknownException;
import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.error.IncompatibleConflictException;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestCodec;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestLocation;
import dev.narwhal.lance.manifest.ManifestNaming;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A commit under way. An attempt has three phases, each a call: {@link #catchUp} loads and checks
 * what others committed, {@link #write} writes everything but the manifest, {@link #put} tries to
 * make the version. After a lost race it begins again with the first; only what is new is checked
 * then. One thread; between two calls others may do whatever they like. Source: table format sheet
 * 5.4.
 */
final class PendingCommit {
  private static final Logger LOG = LoggerFactory.getLogger(PendingCommit.class);

  private final ObjectStore store;
  private final TableReads reads;
  private final CommitOptions options;
  private final CommitGuard guard;
  private final Transaction original;
  private final Manifest read;
  private final NewerVersions newer;
  private final TransactionStore transactions;
  private final RebaseFiles files;
  private final Optional<Rebase> rebase;

  private ManifestFile latest;
  private ManifestLocation location;
  private Transaction transaction;
  private long transactionBytes;
  private @Nullable ManifestFile next;
  private @Nullable ByteBuffer bytes;
  private @Nullable Transaction stored;
  private @Nullable Committed committed;

  /** Without a guard. */
  PendingCommit(
      ObjectStore store,
      TableReads reads,
      Transaction transaction,
      ManifestFile base,
      CommitOptions options) {
    this(store, reads, transaction, base, options, CommitGuard.none());
  }

  /**
   * @param base the version that the transaction read
   * @throws IllegalArgumentException when it read another one, or names fragments that are not
   *     there
   * @throws UnsupportedFeatureException when we must not write on it
   */
  PendingCommit(
      ObjectStore store,
      TableReads reads,
      Transaction transaction,
      ManifestFile base,
      CommitOptions options,
      CommitGuard guard) {
    this.store = store;
    this.guard = guard;
    this.reads = reads;
    this.options = options;
    this.original = transaction;
    this.transaction = transaction;
    this.read = base.manifest();
    this.latest = base;
    this.newer = new NewerVersions(store);
    this.transactions = new TransactionStore(store);
    this.files = new RebaseFiles(store);
    if (transaction.readVersion() != read.version()) {
      throw new IllegalArgumentException(
          "the transaction read version "
              + Long.toUnsignedString(transaction.readVersion())
              + ", not "
              + Long.toUnsignedString(read.version()));
    }
    requireWritable();
    boolean rebases =
        transaction.operation() instanceof Operation.Delete
            || transaction.operation() instanceof Operation.Update;
    this.rebase =
        rebases
            ? Optional.of(
                new Rebase(
                    store.uri(),
                    transaction,
                    read,
                    options.affectedRows(),
                    options.strictRowConflicts()))
            : Optional.empty();
    this.location = new ManifestLocation(read.version(), ManifestNaming.V2);
  }

  /**
   * Loads the versions that were committed since, and checks them one by one.
   *
   * @return whether there is still something to commit: one of them may be our own, from an attempt
   *     whose reply was lost
   * @throws RetryableConflictException when the operation must be run again on the newest version
   * @throws IncompatibleConflictException when it cannot be committed any more
   */
  boolean catchUp() throws IOException {
    long since = latest.manifest().version();
    long newest = newer.newestAfter(since);
    for (long number = since + 1; number <= newest; number++) {
      CommittedVersion version = read(number);
      if (version.transaction().map(Transaction::uuid).equals(Optional.of(original.uuid()))) {
        settled(version.location(), version.file());
        return false;
      }
      check(version);
      latest = version.file();
    }
    location = new ManifestLocation(latest.manifest().version() + 1, newer.naming());
    requireWritable();
    if (latest.manifest().version() != since) {
      guard.check(latest);
    }
    return true;
  }

  private CommittedVersion read(long number) throws IOException {
    try {
      return newer.read(number);
    } catch (DatasetNotFoundException e) {
      throw new RetryableConflictException(
          store.uri(), conflict(number, "a commit that was cleaned up since"));
    }
  }

  /** What is not known to go together has to be worked out again, which asks nothing of history. */
  private void check(CommittedVersion version) throws IOException {
    if (version.transaction().isEmpty()) {
      throw new RetryableConflictException(
          store.uri(), conflict(version.version(), "a commit whose transaction is gone"));
    }
    Operation theirs = version.transaction().get().operation();
    boolean rowsKnown = !options.affectedRows().fragments().isEmpty();
    switch (ConflictRules.judge(transaction.operation(), rowsKnown, theirs)) {
      case COMPATIBLE -> {}
      case REBASABLE -> {
        if (rebase.isPresent()) {
          rebase.get().check(latest.manifest(), version, theirs, reads);
        }
      }
      case RETRYABLE ->
          throw new RetryableConflictException(
              store.uri(), conflict(version.version(), theirs.name()));
      case INCOMPATIBLE ->
          throw new IncompatibleConflictException(
              store.uri(), conflict(version.version(), theirs.name()));
    }
  }

  /**
   * Writes united deletion files and the transaction file.
   *
   * @return whether there is something to commit: others may have deleted all that we would
   */
  boolean write() throws IOException {
    boolean moved = latest.manifest().version() != read.version();
    if (rebase.isPresent() && moved) {
      Operation rebased = rebase.get().onto(latest.manifest(), reads, files);
      files.keepOnly(rebased);
      transaction =
          new Transaction(
              latest.manifest().version(),
              original.uuid(),
              original.tag(),
              original.properties(),
              rebased,
              original.unknown());
      if (isNothing(rebased) && !isNothing(original.operation())) {
        return false;
      }
    } else if (original.operation() instanceof Operation.CreateIndex create && moved) {
      transaction = original.withOperation(NewIndices.onto(create, read, latest.manifest()));
    }
    ManifestFile built = build();
    ByteBuffer encoded = encode(built);
    next = built;
    bytes = encoded;
    storeTransaction(built);
    return true;
  }

  /** The transaction file has the read version in its name, which a rebase changes. */
  private void storeTransaction(ManifestFile built) throws IOException {
    if (built.manifest().transactionFile().isEmpty()) {
      return;
    }
    Transaction before = stored;
    if (before != null && before.equals(transaction)) {
      return;
    }
    stored = transaction;
    transactionBytes = transactions.write(transaction);
    if (before != null && !before.fileName().equals(transaction.fileName())) {
      discard(before);
    }
  }

  private ManifestFile build() throws IOException {
    Instant now = options.clock().instant();
    try {
      if (original.operation() instanceof Operation.Restore restore) {
        ManifestFile restored = new ManifestStore(store).read(restore.version());
        return ManifestBuilder.restore(latest, restored, transaction, now);
      }
      ManifestFile built =
          ManifestBuilder.build(latest, transaction, now, options.inlineTransactionBytes());
      return Migration.complete(built, latest, transaction.operation(), reads);
    } catch (UnsupportedFeatureException e) {
      throw e.in(store.uri());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(store.uri() + ": " + e.getMessage(), e);
    }
  }

  private ByteBuffer encode(ManifestFile built) {
    try {
      return ManifestCodec.encode(built);
    } catch (UnsupportedFeatureException e) {
      throw e.in(store.uri());
    }
  }

  /**
   * Tries to make the version.
   *
   * @return whether it is ours; else another commit came first
   * @throws DatasetNotFoundException when it was to bring back a version that is gone by now
   * @throws CommitStateUnknownException when that cannot be told
   */
  boolean put() throws IOException {
    ManifestFile file = next;
    ByteBuffer content = bytes;
    if (file == null || content == null) {
      throw new IllegalStateException("nothing was written yet");
    }
    requireRestoredThere();
    if (!new ManifestPut(store, location, transaction).create(content)) {
      return false;
    }
    settled(location, file);
    // the next one in the queue is about to write a newer hint, and an old one does no harm
    if (!CommitTurns.othersWait(store.uri())) {
      new ManifestStore(store).writeHint(location.version());
    }
    return true;
  }

  /**
   * A clean-up may have removed the version that a Restore brings back since its manifest was read,
   * and is about to remove its files. It looks for newer versions before it does so; the time
   * between this look and the put is what is left of the danger.
   */
  private void requireRestoredThere() throws IOException {
    if (original.operation() instanceof Operation.Restore restore) {
      new ManifestStore(store).locate(restore.version());
    }
  }

  private void settled(ManifestLocation where, ManifestFile file) {
    ByteBuffer content = bytes;
    committed =
        new Committed(
            where,
            file,
            transaction,
            true,
            (content == null ? 0 : content.remaining()) + transactionBytes + files.sizeBytes(),
            1,
            rebase.map(Rebase::alreadyGone).orElse(AffectedRows.none()));
  }

  /**
   * What came of it, when a phase said that it is over.
   *
   * @param attempts how often it was tried
   */
  Committed result(int attempts) {
    Committed done = committed;
    if (done == null) {
      takeBack();
      ManifestLocation newest =
          new ManifestLocation(latest.manifest().version(), location.naming());
      return new Committed(
          newest,
          latest,
          transaction,
          false,
          0,
          attempts,
          rebase.map(Rebase::alreadyGone).orElse(AffectedRows.none()));
    }
    return new Committed(
        done.location(),
        done.file(),
        done.transaction(),
        true,
        done.bytesWritten(),
        attempts,
        done.rowsAlreadyGone());
  }

  /** Removes what was written, unless it was committed after all. */
  void takeBack() {
    if (committed != null) {
      return;
    }
    files.takeBack();
    Transaction written = stored;
    if (written != null) {
      discard(written);
      stored = null;
    }
  }

  private void requireWritable() {
    try {
      ManifestBuilder.requireWritable(latest.manifest());
    } catch (UnsupportedFeatureException e) {
      throw e.in(store.uri());
    }
  }

  private CommitConflict conflict(long version, String theirs) {
    return new CommitConflict(
        original.operation().name(), original.readVersion(), theirs, version, List.of());
  }

  private static boolean isNothing(Operation operation) {
    return operation instanceof Operation.Delete delete
        && delete.updatedFragments().isEmpty()
        && delete.deletedFragmentIds().isEmpty();
  }

  /** Best effort: a transaction file that no manifest names is garbage that clean-up knows. */
  private void discard(Transaction unused) {
    try {
      transactions.delete(unused);
    } catch (IOException e) {
      LOG.debug("{}: could not remove {}", store.uri(), unused.fileName(), e);
    }
  }
}
