package dev.narwhal.lance.datafile.blob;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.storage.ObjectReader;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;

/** The files beside a data file that hold the larger ones of its blobs. */
public interface BlobFiles {
  /**
   * Opens a file. The caller closes it.
   *
   * @param blobId u32, from the file
   */
  ObjectReader open(int blobId) throws IOException;

  /** For a data file whose surroundings nobody knows: there is none. */
  static BlobFiles none() {
    return blobId -> {
      throw new UnsupportedFeatureException(
          "blob file "
              + Integer.toUnsignedString(blobId)
              + " beside a data file that was opened alone; open it by its store and path");
    };
  }

  /**
   * The files in the folder that has the data file's name without {@code .lance}. Their names are
   * made of numbers only: the 32 binary digits of the id, the lowest first. Source: file format
   * sheet 7.2.
   */
  static BlobFiles beside(ObjectStore store, String dataFile) {
    String stem =
        dataFile.endsWith(".lance")
            ? dataFile.substring(0, dataFile.length() - ".lance".length())
            : dataFile;
    return blobId -> store.open(stem + '/' + name(blobId));
  }

  private static String name(int blobId) {
    String digits = Integer.toBinaryString(Integer.reverse(blobId));
    return "0".repeat(Integer.SIZE - digits.length()) + digits + ".blob";
  }
}
