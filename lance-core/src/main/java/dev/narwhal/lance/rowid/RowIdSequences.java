package dev.narwhal.lance.rowid;

import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.storage.ObjectReader;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Function;

/** Loads what a fragment keeps for each of its rows, wherever it is kept. */
public final class RowIdSequences {
  private RowIdSequences() {}

  /**
   * Reads the ids of a fragment.
   *
   * @param store the dataset's root
   * @param physicalRows rows of the fragment, deleted ones included
   * @throws LanceFormatException when the sequence is damaged, or has another length
   */
  public static RowIdSequence read(ObjectStore store, StoredSequence stored, long physicalRows)
      throws IOException {
    return read(store, stored, bytes -> RowIdSequenceCodec.decode(bytes, physicalRows));
  }

  /**
   * Reads the versions of a fragment's rows.
   *
   * @param store the dataset's root
   * @param physicalRows rows of the fragment, deleted ones included
   * @throws LanceFormatException when the sequence is damaged, or has another length
   */
  public static RowVersions readVersions(
      ObjectStore store, StoredSequence stored, long physicalRows) throws IOException {
    return read(store, stored, bytes -> RowVersionSequenceCodec.decode(bytes, physicalRows));
  }

  private static <T> T read(
      ObjectStore store, StoredSequence stored, Function<ByteBuffer, T> decode) throws IOException {
    if (stored instanceof StoredSequence.Inline inline) {
      return decode.apply(inline.bytes());
    }
    StoredSequence.External external = (StoredSequence.External) stored;
    try (ObjectReader reader = store.open(external.path())) {
      if (external.offset() + external.sizeBytes() > reader.sizeBytes()
          || external.sizeBytes() > Integer.MAX_VALUE - 8) {
        throw new LanceFormatException(
            "sequence of "
                + external.sizeBytes()
                + " bytes at "
                + external.offset()
                + " does not lie in its "
                + reader.sizeBytes()
                + " bytes");
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) external.sizeBytes());
      reader.readFully(external.offset(), bytes);
      return decode.apply(bytes.flip());
    } catch (LanceFormatException e) {
      throw e.in(external.path());
    }
  }
}
