package dev.narwhal.lance.fragment;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.deletion.DeletionFile;
import dev.narwhal.lance.rowid.StoredSequence;
import dev.narwhal.lance.schema.UnknownFields;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Some rows of a table, all columns: a column lies in one of the files, or is null throughout.
 * Source: table format sheet 2.2.
 *
 * @param id in {@code [0, 2^32)}; in a transaction 0 also means that the commit will assign one
 * @param deletionFile present iff some rows are deleted
 * @param physicalRows rows in the files, deleted ones included, {@code 1..2^32}; empty when the
 *     writer did not say, or is known to have said wrong: then a data file tells
 * @param rowIds stable row ids of the physical rows, on tables that have them
 * @param lastUpdatedVersions for each physical row the version that wrote it last
 * @param createdVersions for each physical row the version that made it
 * @param unknown what the message held besides
 */
public record Fragment(
    long id,
    List<DataFile> files,
    Optional<DeletionFile> deletionFile,
    OptionalLong physicalRows,
    Optional<StoredSequence> rowIds,
    Optional<StoredSequence> lastUpdatedVersions,
    Optional<StoredSequence> createdVersions,
    UnknownFields unknown) {

  private static final long MAX_ROWS = 1L << 32;

  public Fragment {
    files = List.copyOf(files);
    requireNonNull(deletionFile, "deletionFile");
    requireNonNull(physicalRows, "physicalRows");
    requireNonNull(rowIds, "rowIds");
    requireNonNull(lastUpdatedVersions, "lastUpdatedVersions");
    requireNonNull(createdVersions, "createdVersions");
    requireNonNull(unknown, "unknown");
    if (id < 0 || id > 0xFFFF_FFFFL) {
      throw new IllegalArgumentException(
          "fragment id must be in [0, 2^32): " + Long.toUnsignedString(id));
    }
    if (physicalRows.isPresent()
        && (physicalRows.getAsLong() < 1 || physicalRows.getAsLong() > MAX_ROWS)) {
      throw new IllegalArgumentException(
          "fragment "
              + id
              + ": physical rows must be in [1, 2^32]: "
              + Long.toUnsignedString(physicalRows.getAsLong()));
    }
    OptionalLong deleted = deletionFile.map(DeletionFile::deletedRows).orElse(OptionalLong.empty());
    if (deleted.isPresent()
        && physicalRows.isPresent()
        && deleted.getAsLong() > physicalRows.getAsLong()) {
      throw new IllegalArgumentException(
          "fragment "
              + id
              + ": "
              + deleted.getAsLong()
              + " deleted rows of "
              + physicalRows.getAsLong()
              + " physical rows");
    }
  }

  /** Deleted rows; empty when there is a deletion file whose count the writer did not give. */
  public OptionalLong deletedRows() {
    return deletionFile.map(DeletionFile::deletedRows).orElse(OptionalLong.of(0));
  }

  /** Physical rows without the deleted ones; empty when the manifest does not tell. */
  public OptionalLong liveRows() {
    OptionalLong deleted = deletedRows();
    return physicalRows.isPresent() && deleted.isPresent()
        ? OptionalLong.of(physicalRows.getAsLong() - deleted.getAsLong())
        : OptionalLong.empty();
  }

  /** The same with another deletion file. */
  public Fragment withDeletionFile(DeletionFile file) {
    return new Fragment(
        id,
        files,
        Optional.of(file),
        physicalRows,
        rowIds,
        lastUpdatedVersions,
        createdVersions,
        unknown);
  }

  /** The same with all rows alive. */
  public Fragment withoutDeletionFile() {
    return new Fragment(
        id,
        files,
        Optional.empty(),
        physicalRows,
        rowIds,
        lastUpdatedVersions,
        createdVersions,
        unknown);
  }

  /** The same with another id. */
  public Fragment withId(long newId) {
    return new Fragment(
        newId,
        files,
        deletionFile,
        physicalRows,
        rowIds,
        lastUpdatedVersions,
        createdVersions,
        unknown);
  }

  /** The same with other data files. */
  public Fragment withFiles(List<DataFile> newFiles) {
    return new Fragment(
        id,
        newFiles,
        deletionFile,
        physicalRows,
        rowIds,
        lastUpdatedVersions,
        createdVersions,
        unknown);
  }

  /** The same with other row ids. */
  public Fragment withRowIds(StoredSequence ids) {
    return new Fragment(
        id,
        files,
        deletionFile,
        physicalRows,
        Optional.of(ids),
        lastUpdatedVersions,
        createdVersions,
        unknown);
  }

  /**
   * The same with other row versions.
   *
   * @param lastUpdated for each physical row the version that wrote it last
   * @param created for each physical row the version that made it
   */
  public Fragment withVersions(
      Optional<StoredSequence> lastUpdated, Optional<StoredSequence> created) {
    return new Fragment(
        id, files, deletionFile, physicalRows, rowIds, lastUpdated, created, unknown);
  }

  /** The same with the number of physical rows, counted where the manifest did not tell. */
  public Fragment withPhysicalRows(long rows) {
    return new Fragment(
        id,
        files,
        deletionFile,
        OptionalLong.of(rows),
        rowIds,
        lastUpdatedVersions,
        createdVersions,
        unknown);
  }
}
