package dev.narwhal.lance.deletion;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.schema.UnknownFields;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Reference from a fragment to the file that holds its deleted row offsets. The file is cumulative:
 * it lists every deleted row of the fragment, never a difference to an older file.
 *
 * <p>Source: table format sheet 2.2 and 4.2.
 *
 * @param readVersion table version the deletes were computed against; u64, at least 1 (a detached
 *     version has bit 63 set)
 * @param id random u64 that keeps two writers at one read version apart
 * @param deletedRows number of offsets in the file, {@code 1..2^32-1}; empty when the writer did
 *     not say
 * @param baseId u32 id of one of the manifest's base paths; empty means the dataset root
 * @param unknown what the message held besides
 */
public record DeletionFile(
    Encoding encoding,
    long readVersion,
    long id,
    OptionalLong deletedRows,
    OptionalInt baseId,
    UnknownFields unknown) {

  /** How the offsets are stored; also the file's extension. */
  public enum Encoding {
    /** Arrow IPC file with one uint32 column; facts 4.3. */
    ARRAY("arrow"),
    /** Portable 32-bit Roaring bitmap; facts 4.4. */
    BITMAP("bin");

    private final String extension;

    Encoding(String extension) {
      this.extension = extension;
    }

    /** Without the dot. */
    public String extension() {
      return extension;
    }
  }

  private static final long MAX_DELETED_ROWS = 0xFFFF_FFFFL;

  public DeletionFile {
    requireNonNull(encoding, "encoding");
    requireNonNull(deletedRows, "deletedRows");
    requireNonNull(baseId, "baseId");
    requireNonNull(unknown, "unknown");
    if (readVersion == 0) {
      throw new IllegalArgumentException("readVersion must be at least 1: 0");
    }
    if (deletedRows.isPresent()
        && (deletedRows.getAsLong() < 1 || deletedRows.getAsLong() > MAX_DELETED_ROWS)) {
      throw new IllegalArgumentException(
          "deletedRows must be in [1, 2^32-1]: " + deletedRows.getAsLong());
    }
  }

  /**
   * Path of the file, relative to the dataset root (or to the base path's root): {@code
   * _deletions/FRAGMENT-READVERSION-ID.EXTENSION}, all three numbers unsigned decimal.
   */
  public String relativePath(long fragmentId) {
    return "_deletions/"
        + Long.toUnsignedString(fragmentId)
        + '-'
        + Long.toUnsignedString(readVersion)
        + '-'
        + Long.toUnsignedString(id)
        + '.'
        + encoding.extension();
  }

  /** The same with the number of offsets, counted where the writer did not say. */
  public DeletionFile withDeletedRows(long rows) {
    return new DeletionFile(encoding, readVersion, id, OptionalLong.of(rows), baseId, unknown);
  }

  /** The same under a base path. */
  public DeletionFile withBaseId(int base) {
    return new DeletionFile(encoding, readVersion, id, deletedRows, OptionalInt.of(base), unknown);
  }
}
