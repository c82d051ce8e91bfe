package dev.narwhal.lance.transaction;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestLocation;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The versions of a dataset, or of a branch, and what made each. */
public final class History {
  /** What is told of a version whose transaction is gone. */
  public static final String UNKNOWN = "unknown";

  private History() {}

  /**
   * One version.
   *
   * @param version u64, at least 1
   * @param timestamp when it was committed
   * @param operation name of the operation, {@link #UNKNOWN} when nothing tells
   * @param transaction what made it; empty when nothing tells
   */
  public record Entry(
      long version, Instant timestamp, String operation, Optional<Transaction> transaction) {
    public Entry {
      requireNonNull(timestamp, "timestamp");
      requireNonNull(operation, "operation");
      requireNonNull(transaction, "transaction");
    }
  }

  /**
   * What made a version; empty when nothing tells.
   *
   * @param store whose root is that of the dataset, or of the branch
   * @throws dev.narwhal.lance.error.DatasetNotFoundException when there is no such version
   */
  public static Optional<Transaction> transaction(ObjectStore store, long version)
      throws IOException {
    return new TransactionStore(store).read(new ManifestStore(store).read(version));
  }

  /** The same of a version that was read already. */
  public static Optional<Transaction> transaction(ObjectStore store, ManifestFile version)
      throws IOException {
    return new TransactionStore(store).read(version);
  }

  /**
   * All versions, oldest first.
   *
   * @param store whose root is that of the dataset, or of the branch
   */
  public static List<Entry> of(ObjectStore store) throws IOException {
    ManifestStore manifests = new ManifestStore(store);
    TransactionStore transactions = new TransactionStore(store);
    List<Entry> entries = new ArrayList<>();
    for (ManifestLocation location : manifests.list()) {
      ManifestFile file = manifests.read(location);
      Optional<Transaction> transaction = readable(transactions, file);
      entries.add(
          new Entry(
              location.version(),
              file.manifest().timestamp(),
              transaction.map(made -> made.operation().name()).orElse(UNKNOWN),
              transaction));
    }
    return entries;
  }

  private static Optional<Transaction> readable(TransactionStore transactions, ManifestFile file)
      throws IOException {
    try {
      return transactions.read(file);
    } catch (UnsupportedFeatureException e) {
      return Optional.empty();
    }
  }
}
