package dev.narwhal.lance.deletion;

import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Loads and stores deletion files.
 *
 * <p>Source: table format sheet 4.2 and 4.5.
 */
public final class DeletionFiles {
  private static final long MAX_ROWS = 1L << 32;

  private DeletionFiles() {}

  /**
   * The deleted rows of a fragment. A file that is missing, damaged, or not the one that the
   * manifest describes is an error, never "no deletions".
   *
   * @param store root that the file's path is relative to: the dataset's, or its base path's
   * @param physicalRows rows of the fragment, in [0, 2^32]
   * @throws LanceFormatException naming the path: bytes that are no deletion file of that encoding,
   *     an offset past the fragment, another number of offsets than the manifest says
   */
  public static DeletionVector read(
      ObjectStore store, long fragmentId, long physicalRows, DeletionFile file) throws IOException {
    if (physicalRows < 0 || physicalRows > MAX_ROWS) {
      throw new IllegalArgumentException("physical rows must be in [0, 2^32]: " + physicalRows);
    }
    String path = file.relativePath(fragmentId);
    ByteBuffer bytes = store.read(path);
    try {
      DeletionVector vector =
          switch (file.encoding()) {
            case ARRAY -> ArrayCodec.decode(bytes, physicalRows);
            case BITMAP -> BitmapCodec.decode(bytes, physicalRows);
          };
      if (file.deletedRows().isPresent()
          && vector.cardinality() != file.deletedRows().getAsLong()) {
        throw new LanceFormatException(
            vector.cardinality()
                + " deleted rows, the manifest says "
                + file.deletedRows().getAsLong());
      }
      return vector;
    } catch (LanceFormatException e) {
      throw e.in(store.uri() + '/' + path);
    }
  }

  /**
   * The bytes of a bitmap file as they are stored: portable Roaring, unchecked. Whoever frames them
   * for another format checks their structure there, in one pass.
   *
   * @throws IllegalArgumentException for an array file
   */
  public static ByteBuffer readBitmapBytes(ObjectStore store, long fragmentId, DeletionFile file)
      throws IOException {
    if (file.encoding() != DeletionFile.Encoding.BITMAP) {
      throw new IllegalArgumentException(file.relativePath(fragmentId) + " is no bitmap");
    }
    return store.read(file.relativePath(fragmentId));
  }

  /**
   * Stores the deleted rows of a fragment as a new file.
   *
   * @param store root of the dataset
   * @param readVersion table version that the deletes were computed against, u64, at least 1
   * @param id random u64
   * @param deletions all deleted rows of the fragment
   * @return the reference for the manifest
   * @throws FileAlreadyExistsException when there is a file of that name; it is left as it is
   */
  public static DeletionFile write(
      ObjectStore store, long fragmentId, long readVersion, long id, EncodedDeletions deletions)
      throws IOException {
    DeletionFile file =
        new DeletionFile(
            deletions.encoding(),
            readVersion,
            id,
            OptionalLong.of(deletions.rows()),
            OptionalInt.empty(),
            UnknownFields.none());
    String path = file.relativePath(fragmentId);
    boolean created;
    try {
      created = store.putIfAbsent(path, deletions.bytes());
    } catch (IOException e) {
      // the reply may be all that was lost; nobody else has a file of this random name
      try {
        store.delete(path);
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
    if (!created) {
      throw new FileAlreadyExistsException(store.uri() + '/' + path);
    }
    return file;
  }
}
