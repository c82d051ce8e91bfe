package dev.narwhal.iceberg.export;

import dev.narwhal.iceberg.mapping.TableMapping;
import dev.narwhal.iceberg.source.SourceDataset;
import dev.narwhal.iceberg.table.CreatedFiles;
import dev.narwhal.iceberg.table.SnapshotMetadata;
import dev.narwhal.iceberg.table.TableNotEmptyException;
import dev.narwhal.iceberg.table.TableTarget;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.ValidationException;

/**
 * A whole version of a dataset into a new or empty Iceberg table, in one commit.
 *
 * <p>The table gets one snapshot, also for a dataset without rows; its properties {@link
 * dev.narwhal.iceberg.mapping.SourceProperties} say what the snapshot equals. Fragments are written
 * side by side, one on each processor; memory is bounded by a batch and a Parquet row group for
 * each of them.
 *
 * <p>An export that fails leaves no table where there was none, an empty table as it was, and none
 * of the files it wrote. Only where the outcome of the commit is not known ({@link
 * CommitStateUnknownException}) everything stays.
 */
public final class DatasetExport {
  private final SourceDataset source;
  private final TableTarget target;
  private final ExportOptions options;
  private final TableMapping mapping;

  private DatasetExport(SourceDataset source, TableTarget target, ExportOptions options) {
    this.source = source;
    this.target = target;
    this.options = options;
    this.mapping = TableMapping.of(source.columns(), options.rules());
  }

  /**
   * Exports.
   *
   * @throws dev.narwhal.lance.error.UnsupportedFeatureException if a column has no Iceberg type and
   *     the policy is to fail
   * @throws dev.narwhal.iceberg.mapping.UnmappableValueException if a value has no Iceberg value
   * @throws dev.narwhal.iceberg.table.TableNotEmptyException if the table holds rows
   * @throws dev.narwhal.iceberg.table.IncompatibleTableException if there is an empty table that
   *     was made for other columns, partitioning or format version
   */
  public static ExportReport run(SourceDataset source, TableTarget target, ExportOptions options)
      throws IOException {
    return new DatasetExport(source, target, options).run();
  }

  /**
   * Checks all that can be checked without reading a row: what {@link #run} would refuse because of
   * types or of the target is refused here, with the same exceptions, and nothing is written.
   *
   * @return what would become of the columns
   */
  public static TableMapping check(
      SourceDataset source, TableTarget target, ExportOptions options) {
    DatasetExport export = new DatasetExport(source, target, options);
    export.usableTable();
    return export.mapping;
  }

  /** The table that is there already, if there is one. */
  private Optional<Table> usableTable() {
    Optional<Table> existing = target.load();
    existing.ifPresent(
        table -> EmptyTable.check(table, target.name(), mapping.schema(), options.formatVersion()));
    return existing;
  }

  private ExportReport run() throws IOException {
    Optional<Table> existing = usableTable();
    if (existing.isPresent()) {
      Snapshot empty = existing.get().currentSnapshot();
      return export(
          existing.get().newTransaction(),
          empty == null ? OptionalLong.empty() : OptionalLong.of(empty.snapshotId()));
    }
    try {
      return export(
          target.newTable(mapping.schema(), TableSettings.ofNewTable(options)),
          OptionalLong.empty());
    } catch (CommitStateUnknownException e) {
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      abandon(e);
      throw e;
    }
  }

  private void abandon(Throwable cause) {
    try {
      target.abandon();
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  private ExportReport export(Transaction transaction, OptionalLong start) throws IOException {
    TableSettings.apply(transaction, source, mapping, options);
    CreatedFiles created = new CreatedFiles(transaction.table().io());
    ExportedFiles files;
    long snapshotId;
    try {
      files =
          new FragmentExport(transaction.table(), mapping, created, options.strategy())
              .write(source.fragments());
      snapshotId = files.stage(transaction, start);
    } catch (IOException | RuntimeException | Error e) {
      created.takeBack();
      throw e;
    }
    commit(transaction, snapshotId, created);
    return report(files, snapshotId);
  }

  private void commit(Transaction transaction, long snapshotId, CreatedFiles created) {
    try {
      transaction.commitTransaction();
    } catch (CommitStateUnknownException e) {
      throw e;
    } catch (ValidationException e) {
      created.takeBack();
      throw new TableNotEmptyException(
          "table " + target.name() + " got rows meanwhile; nothing of ours was committed", e);
    } catch (RuntimeException e) {
      if (!mayBeCommitted(snapshotId, e)) {
        created.takeBack();
      }
      throw e;
    }
  }

  /** Not every failure of a commit means that nothing was committed. */
  private boolean mayBeCommitted(long snapshotId, RuntimeException cause) {
    try {
      return target.load().map(table -> table.snapshot(snapshotId)).isPresent();
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
      return true;
    }
  }

  private ExportReport report(ExportedFiles files, long snapshotId) {
    Table table = target.load().orElseThrow();
    return new ExportReport(
        options.strategy(),
        options.formatVersion(),
        snapshotId,
        files.dataFiles().size(),
        files.deleteFiles().size(),
        files.bytes(),
        SnapshotMetadata.bytes(table, snapshotId),
        files.physicalRows(),
        files.liveRows(),
        mapping.dropped(),
        mapping.rendered());
  }
}
