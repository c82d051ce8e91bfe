package dev.narwhal.lance.transaction;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.CommitStateUnknownException;
import dev.narwhal.lance.error.IncompatibleConflictException;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.storage.Stores;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Commits transactions to a dataset, or to a branch, whose root the store is: first the transaction
 * file, then the manifest, which must not be there yet, then the version hint. The manifest's
 * appearance is the commit. Before every attempt all that others committed since is checked, and
 * where the rules allow it the transaction is rebased. Safe for use by many threads and processes.
 * Source: table format sheet 1.5, 1.6, 5.4 and 8.
 */
public final class Committer {
  private final ObjectStore store;
  private final TableReads reads;

  /** For tables whose base paths, if any, are local. */
  public Committer(ObjectStore store) {
    this(store, Stores.local());
  }

  /**
   * @param stores finds the places of base paths
   */
  public Committer(ObjectStore store, Stores stores) {
    this.store = requireNonNull(store, "store");
    this.reads = new TableReads(store, stores);
  }

  /** Commits with the standard options. */
  public Committed commit(Transaction transaction, ManifestFile base) throws IOException {
    return commit(transaction, base, CommitOptions.standard());
  }

  /**
   * Makes a version of the transaction, the next after the newest.
   *
   * @param base the version that it read
   * @throws RetryableConflictException when another commit came first with which it does not go
   *     together, or when each attempt lost the race; what was written here is removed, other files
   *     of the operation are the caller's
   * @throws IncompatibleConflictException when it cannot be committed any more
   * @throws CommitStateUnknownException when it cannot be told whether the version is ours; nothing
   *     is removed, and the caller must not remove anything either
   * @throws UnsupportedFeatureException before anything is written, when the table or the operation
   *     asks for more than we can do
   * @throws IllegalArgumentException when the transaction does not fit the version it read
   * @throws IOException when storage failed and the version was not made
   */
  public Committed commit(Transaction transaction, ManifestFile base, CommitOptions options)
      throws IOException {
    return commit(transaction, base, options, CommitGuard.none());
  }

  /**
   * The same with a look at what others committed, beyond what the conflict rules know of.
   *
   * @throws RetryableConflictException also when the guard says so
   */
  public Committed commit(
      Transaction transaction, ManifestFile base, CommitOptions options, CommitGuard guard)
      throws IOException {
    PendingCommit pending = new PendingCommit(store, reads, transaction, base, options, guard);
    try {
      return commit(pending, transaction, options);
    } catch (CommitStateUnknownException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      pending.takeBack();
      throw e;
    }
  }

  /** Returns whether it is over. */
  private boolean attempt(PendingCommit pending) throws IOException {
    return CommitTurns.inTurn(
        store.uri(), () -> !pending.catchUp() || !pending.write() || pending.put());
  }

  /** The phases one by one. */
  PendingCommit begin(Transaction transaction, ManifestFile base, CommitOptions options) {
    return new PendingCommit(store, reads, transaction, base, options);
  }

  private Committed commit(PendingCommit pending, Transaction transaction, CommitOptions options)
      throws IOException {
    long start = System.nanoTime();
    long limitMillis = options.timeout().toMillis();
    long shortest = Long.MAX_VALUE;
    int attempts = 0;
    boolean again = true;
    while (again) {
      attempts++;
      long begun = System.nanoTime();
      if (attempt(pending)) {
        return pending.result(attempts);
      }
      long millis = millisSince(start);
      shortest = Math.min(shortest, millisSince(begun));
      again = attempts < options.attempts() && millis < limitMillis;
      if (again) {
        options.pacing().pause(attempts, shortest, limitMillis - millis);
        again = millisSince(start) < limitMillis;
      }
    }
    throw new RetryableConflictException(
        store.uri()
            + ": "
            + transaction.operation().name()
            + " on version "
            + Long.toUnsignedString(transaction.readVersion())
            + " lost the race in each of "
            + attempts
            + (attempts == 1 ? " attempt" : " attempts")
            + "; run it again on the newest version");
  }

  private static long millisSince(long start) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }
}
