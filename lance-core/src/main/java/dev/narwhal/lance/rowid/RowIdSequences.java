package dev.narwhal.lance.rowid;

import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.storage.ObjectReader;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Loads the row ids of a fragment, wherever they are kept. */
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
    if (stored instanceof StoredSequence.Inline inline) {
      return RowIdSequenceCodec.decode(inline.bytes(), physicalRows);
    }
    StoredSequence.External external = (StoredSequence.External) stored;
    try (ObjectReader reader = store.open(external.path())) {
      if (external.offset() + external.sizeBytes() > reader.sizeBytes()
          || external.sizeBytes() > Integer.MAX_VALUE - 8) {
        throw new LanceFormatException(
            "row ids of "
                + external.sizeBytes()
                + " bytes at "
                + external.offset()
                + " do not lie in its "
                + reader.sizeBytes()
                + " bytes");
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) external.sizeBytes());
      reader.readFully(external.offset(), bytes);
      return RowIdSequenceCodec.decode(bytes.flip(), physicalRows);
    } catch (LanceFormatException e) {
      throw e.in(external.path());
    }
  }
}
