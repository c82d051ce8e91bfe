package dev.narwhal.lance.write.insert;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.datafile.FileVersion;
import dev.narwhal.lance.error.CommitStateUnknownException;
import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.DataFormat;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.transaction.Committed;
import dev.narwhal.lance.transaction.CreateCommit;
import dev.narwhal.lance.transaction.NewTable;
import dev.narwhal.lance.transaction.Transaction;
import dev.narwhal.lance.write.RowSource;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;

/**
 * A dataset that is not there yet. One that cannot be made leaves nothing behind, but perhaps empty
 * directories; when the outcome of the commit is not known, everything stays. One thread.
 */
public final class NewDataset {
  private final ObjectStore store;
  private final InsertOptions options;

  /**
   * @param store whose root will be that of the dataset
   */
  public NewDataset(ObjectStore store) {
    this(store, InsertOptions.standard());
  }

  private NewDataset(ObjectStore store, InsertOptions options) {
    this.store = requireNonNull(store, "store");
    this.options = requireNonNull(options, "options");
  }

  /** The same with other options. */
  public NewDataset withOptions(InsertOptions other) {
    return new NewDataset(store, other);
  }

  /**
   * Makes it, with the schema and the rows of a source. Without rows it is empty.
   *
   * @throws FileAlreadyExistsException when there is a dataset, or another writer makes one
   * @throws IllegalArgumentException when no table can have the schema, see {@link NewSchema}
   * @throws UnsupportedFeatureException for a type that Lance, or this version of its files, has no
   *     columns for
   * @throws CommitStateUnknownException when it cannot be told whether it was made
   */
  public InsertResult write(RowSource source) throws IOException {
    requireFree();
    LanceSchema schema = schemaOf(source);
    try (RowFiles files = RowFiles.write(store, schema, version(), options, source)) {
      if (options.dryRun()) {
        return files.unwritten(0);
      }
      Committed committed =
          files.writer().commit(() -> commit(schema, files.fragments(), options.stableRowIds()));
      return new InsertResult(
          committed.location().version(),
          files.rows(),
          files.fragments().size(),
          files.sizeBytes() + committed.bytesWritten(),
          committed.attempts());
    }
  }

  /**
   * Writes rows for the new dataset, and leaves it to others to make it: {@link #commit} does.
   *
   * @throws FileAlreadyExistsException when there is a dataset
   */
  public UncommittedInsert prepare(RowSource source) throws IOException {
    requireFree();
    if (options.dryRun()) {
      throw new IllegalArgumentException("a dry run prepares nothing that can be committed");
    }
    LanceSchema schema = schemaOf(source);
    try (RowFiles files = RowFiles.write(store, schema, version(), options, source)) {
      files.writer().keep();
      return new UncommittedInsert(
          Transaction.of(0, files.overwrite(schema, options.config()), options.properties()),
          files.rows(),
          files.sizeBytes(),
          options.stableRowIds());
    }
  }

  /**
   * Makes the dataset of the rows of several workers. It keeps stable row ids when these options,
   * or those of a worker, ask for them.
   *
   * @throws IllegalArgumentException when they do not go together, or were not prepared for a new
   *     dataset
   */
  public InsertResult commit(List<UncommittedInsert> inserts) throws IOException {
    InsertParts parts = InsertParts.of(inserts);
    if (parts.readVersion() != 0 || parts.schema().isEmpty()) {
      throw new IllegalArgumentException(
          store.uri() + ": the rows were prepared for a dataset that exists");
    }
    new UnknownFiles(store.uri(), parts.fragments());
    requireFree();
    Committed committed =
        commit(
            parts.schema().get(),
            parts.fragments(),
            options.stableRowIds() || parts.stableRowIds());
    return new InsertResult(
        committed.location().version(),
        parts.rows(),
        parts.fragments().size(),
        parts.bytesWritten() + committed.bytesWritten(),
        committed.attempts());
  }

  private Committed commit(LanceSchema schema, List<Fragment> fragments, boolean stableRowIds)
      throws IOException {
    NewTable table =
        new NewTable(schema, new DataFormat(DataFormat.LANCE, version().toString()), stableRowIds);
    return new CreateCommit(
            store,
            table,
            fragments,
            options.config(),
            options.properties(),
            options.commit().clock())
        .commit();
  }

  private LanceSchema schemaOf(RowSource source) throws IOException {
    try {
      return NewSchema.of(source.schema(), source.dictionaries(), version());
    } catch (UnsupportedFeatureException e) {
      throw e.in(store.uri());
    } catch (IllegalArgumentException e) {
      throw RowFiles.at(store.uri(), e);
    }
  }

  private FileVersion version() {
    return options.dataStorageVersion().orElse(FileVersion.V2_1);
  }

  private void requireFree() throws IOException {
    try {
      new ManifestStore(store).latest();
    } catch (DatasetNotFoundException e) {
      return;
    }
    throw new FileAlreadyExistsException(
        store.uri(), null, "there is a dataset already; append to it, or overwrite it");
  }
}
