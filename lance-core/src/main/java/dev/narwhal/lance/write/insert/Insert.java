package dev.narwhal.lance.write.insert;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.datafile.FileVersion;
import dev.narwhal.lance.error.CommitStateUnknownException;
import dev.narwhal.lance.error.IncompatibleConflictException;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.transaction.Committed;
import dev.narwhal.lance.transaction.Committer;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.transaction.Transaction;
import dev.narwhal.lance.write.RowSource;
import dev.narwhal.lance.write.WriteContext;
import java.io.IOException;
import java.util.List;

/**
 * New rows for a table that is there: added to it, or in place of all that it has. Other commits
 * may come between, a conflict or not by the rules of the format: an append goes together with
 * everything but an overwrite, a restore and the merge of a write-ahead log.
 *
 * <p>An insert that fails leaves nothing behind; when the outcome of the commit is not known,
 * everything stays. A source is read once and not closed. One thread.
 */
public final class Insert {
  private final WriteContext context;
  private final InsertOptions options;

  /**
   * @param context the version that the rows are meant for
   */
  public Insert(WriteContext context) {
    this(context, InsertOptions.standard());
  }

  private Insert(WriteContext context, InsertOptions options) {
    this.context = requireNonNull(context, "context");
    this.options = requireNonNull(options, "options");
  }

  /** The same with other options. */
  public Insert withOptions(InsertOptions other) {
    return new Insert(context, other);
  }

  /**
   * Adds rows. Without any, no version is made.
   *
   * @throws IllegalArgumentException when the source does not fit the table, see {@link
   *     SourceFields}, or an option cannot be honoured
   * @throws UnsupportedFeatureException when the table has data files that we do not write
   * @throws IncompatibleConflictException when another commit replaced the table meanwhile
   * @throws RetryableConflictException when other commits won the race in each attempt
   */
  public InsertResult append(RowSource source) throws IOException {
    try (RowFiles files = appended(source)) {
      if (files.rows() == 0 || options.dryRun()) {
        return files.unwritten(context.version());
      }
      Transaction transaction = transaction(files.append());
      return result(files, files.writer().commit(() -> commit(transaction, context.base())));
    }
  }

  /**
   * Replaces all rows, and the schema by that of the source, whose fields get ids from 0 on. The
   * configuration stays, indices do not. Row ids of a table that keeps stable ones go on, none is
   * used twice. Without rows the table is empty afterwards.
   *
   * @throws IllegalArgumentException when no table can have the schema, see {@link NewSchema}, or
   *     an option cannot be honoured
   * @throws RetryableConflictException when another commit replaced the table meanwhile, or others
   *     won the race in each attempt
   */
  public InsertResult overwrite(RowSource source) throws IOException {
    LanceSchema schema = schemaOf(source);
    try (RowFiles files = overwritten(schema, source)) {
      if (options.dryRun()) {
        return files.unwritten(context.version());
      }
      Transaction transaction = transaction(files.overwrite(schema, options.config()));
      return result(files, files.writer().commit(() -> commit(transaction, context.base())));
    }
  }

  /**
   * Writes rows to append, and leaves it to others to commit them: {@link #commit} does. What is
   * never committed, a clean-up removes.
   */
  public UncommittedInsert prepareAppend(RowSource source) throws IOException {
    try (RowFiles files = appended(source)) {
      return handOver(files, files.append());
    }
  }

  /** The same for rows that replace all others. */
  public UncommittedInsert prepareOverwrite(RowSource source) throws IOException {
    LanceSchema schema = schemaOf(source);
    try (RowFiles files = overwritten(schema, source)) {
      return handOver(files, files.overwrite(schema, options.config()));
    }
  }

  /**
   * Commits rows of several workers as one version, in the order of the list. After a failure their
   * files are still there, and may be committed again.
   *
   * @param inserts all to be appended, or all to replace the others
   * @throws IllegalArgumentException when they do not go together, or one of them was committed
   *     before
   */
  public InsertResult commit(List<UncommittedInsert> inserts) throws IOException {
    InsertParts parts = InsertParts.of(inserts);
    requireStableRowIds(parts.stableRowIds());
    long rows = parts.rows();
    if (parts.schema().isEmpty() && parts.fragments().isEmpty()) {
      return new InsertResult(context.version(), 0, 0, 0, 0);
    }
    Operation operation =
        parts.schema().isEmpty()
            ? new Operation.Append(parts.fragments(), UnknownFields.none())
            : new Operation.Overwrite(
                parts.fragments(),
                parts.schema().get(),
                options.config(),
                List.of(),
                UnknownFields.none());
    long version = parts.readVersion();
    ManifestFile base =
        version == context.version()
            ? context.base()
            : new ManifestStore(context.store()).read(version);
    UnknownFiles unknown = new UnknownFiles(context.store().uri(), parts.fragments());
    unknown.check(base);
    Transaction transaction = Transaction.of(version, operation, options.properties());
    Committed committed =
        new Committer(context.store(), context.stores())
            .commit(transaction, base, options.commit(), unknown);
    return new InsertResult(
        committed.location().version(),
        rows,
        parts.fragments().size(),
        parts.bytesWritten() + committed.bytesWritten(),
        committed.attempts());
  }

  private RowFiles appended(RowSource source) throws IOException {
    requireStableRowIds(options.stableRowIds());
    FileVersion version = version();
    options
        .dataStorageVersion()
        .filter(asked -> asked != version)
        .ifPresent(
            asked -> {
              throw new IllegalArgumentException(
                  "%s: data files of the table have version %s, and cannot be appended as %s"
                      .formatted(context.store().uri(), version, asked));
            });
    if (!options.config().isEmpty()) {
      throw new IllegalArgumentException(
          context.store().uri() + ": an append cannot set the configuration of the table");
    }
    LanceSchema fields;
    try {
      fields = SourceFields.of(context.manifest().schema(), source.schema());
    } catch (IllegalArgumentException e) {
      throw RowFiles.at(context.store().uri(), e);
    }
    return RowFiles.write(context.store(), fields, version, options, source);
  }

  private RowFiles overwritten(LanceSchema schema, RowSource source) throws IOException {
    requireStableRowIds(options.stableRowIds());
    FileVersion version = options.dataStorageVersion().orElseGet(this::version);
    RowFiles files = RowFiles.write(context.store(), schema, version, options, source);
    if (files.rows() == 0
        && !version.toString().equals(context.manifest().dataFormat().version())) {
      // the version is that of the files, and there are none
      files.close();
      throw new IllegalArgumentException(
          "%s: without rows the data storage version stays %s, and cannot become %s"
              .formatted(
                  context.store().uri(), context.manifest().dataFormat().version(), version));
    }
    return files;
  }

  private LanceSchema schemaOf(RowSource source) throws IOException {
    FileVersion version = options.dataStorageVersion().orElseGet(this::version);
    try {
      return NewSchema.of(source.schema(), source.dictionaries(), version);
    } catch (UnsupportedFeatureException e) {
      throw e.in(context.store().uri());
    } catch (IllegalArgumentException e) {
      throw RowFiles.at(context.store().uri(), e);
    }
  }

  /** Of the table's data files. */
  private FileVersion version() {
    try {
      return FileVersion.named(context.manifest().dataFormat().version());
    } catch (UnsupportedFeatureException e) {
      throw e.in(context.store().uri());
    }
  }

  private void requireStableRowIds(boolean asked) {
    if (asked && !context.manifest().stableRowIds()) {
      throw new IllegalArgumentException(
          context.store().uri()
              + ": the table keeps no stable row ids, and cannot begin to; they are chosen when a"
              + " table is created");
    }
  }

  private UncommittedInsert handOver(RowFiles files, Operation operation) {
    if (options.dryRun()) {
      throw new IllegalArgumentException("a dry run prepares nothing that can be committed");
    }
    files.writer().keep();
    return new UncommittedInsert(
        transaction(operation), files.rows(), files.sizeBytes(), options.stableRowIds());
  }

  private Transaction transaction(Operation operation) {
    return Transaction.of(context.version(), operation, options.properties());
  }

  /**
   * @throws CommitStateUnknownException when the outcome is not known
   */
  private Committed commit(Transaction transaction, ManifestFile base) throws IOException {
    return new Committer(context.store(), context.stores())
        .commit(transaction, base, options.commit());
  }

  private static InsertResult result(RowFiles files, Committed committed) {
    return new InsertResult(
        committed.location().version(),
        files.rows(),
        files.fragments().size(),
        files.sizeBytes() + committed.bytesWritten(),
        committed.attempts());
  }
}
