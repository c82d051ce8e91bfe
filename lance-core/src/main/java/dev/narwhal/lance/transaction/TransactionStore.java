package dev.narwhal.lance.transaction;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/** Loads and stores the transactions of a dataset, whose root the store is. Facts 1.5. */
public final class TransactionStore {
  private final ObjectStore store;

  public TransactionStore(ObjectStore store) {
    this.store = requireNonNull(store, "store");
  }

  /**
   * The transaction that made a version: the one in its manifest file, else the one in its
   * transaction file. Empty when it has neither, or the file is gone: then it is not known what the
   * version changed.
   *
   * @throws LanceFormatException when it is damaged
   */
  public Optional<Transaction> read(ManifestFile version) throws IOException {
    Optional<ByteBuffer> inline = version.transaction();
    if (inline.isPresent()) {
      return Optional.of(
          decode(
              inline.get(),
              store.uri()
                  + ": transaction of version "
                  + Long.toUnsignedString(version.manifest().version())));
    }
    Optional<String> name = version.manifest().transactionFile();
    if (name.isEmpty()) {
      return Optional.empty();
    }
    String path = Transaction.DIRECTORY + '/' + name.get();
    try {
      return Optional.of(decode(store.read(path), store.uri() + '/' + path));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Writes a transaction to its file; returns the size of that in bytes. */
  public long write(Transaction transaction) throws IOException {
    ByteBuffer bytes = TransactionCodec.encode(transaction);
    store.put(path(transaction), bytes);
    return bytes.remaining();
  }

  /** Removes the file of a transaction that was not committed. */
  public void delete(Transaction transaction) throws IOException {
    store.delete(path(transaction));
  }

  private static String path(Transaction transaction) {
    return Transaction.DIRECTORY + '/' + transaction.fileName();
  }

  private static Transaction decode(ByteBuffer bytes, String place) {
    try {
      return TransactionCodec.decode(bytes);
    } catch (LanceFormatException e) {
      throw e.in(place);
    }
  }
}
