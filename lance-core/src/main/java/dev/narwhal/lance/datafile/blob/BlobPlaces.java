package dev.narwhal.lance.datafile.blob;

import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.complex.StructVector;

/**
 * Where the blobs of some rows are, from their descriptors. Source: file format sheet 2.7, 7.1,
 * 7.2.
 */
final class BlobPlaces {
  /** The data file itself. */
  static final int INLINE = 0;

  private static final int PACKED = 1;
  private static final int DEDICATED = 2;
  private static final int EXTERNAL = 3;

  private final int count;
  private final boolean[] nulls;
  private final int[] files;
  private final long[] positions;
  private final long[] sizes;

  private BlobPlaces(int count) {
    this.count = count;
    this.nulls = new boolean[count];
    this.files = new int[count];
    this.positions = new long[count];
    this.sizes = new long[count];
  }

  /**
   * @param descriptors structs as {@link dev.narwhal.lance.schema.BlobMode#DESCRIPTORS} has them
   */
  static BlobPlaces of(StructVector descriptors) {
    BlobPlaces places = new BlobPlaces(descriptors.getValueCount());
    UInt8Vector positions = child(descriptors, "position", UInt8Vector.class);
    UInt8Vector sizes = child(descriptors, "size", UInt8Vector.class);
    boolean second = descriptors.getChild("kind") != null;
    for (int row = 0; row < places.count; row++) {
      places.nulls[row] = descriptors.isNull(row);
      if (!places.nulls[row]) {
        places.positions[row] = positions.get(row);
        places.sizes[row] = sizes.get(row);
        if (places.sizes[row] == 0) {
          // in the first kind, a size of 0 at a place is how a null is written
          places.nulls[row] = !second && places.positions[row] != 0;
        } else if (second) {
          places.files[row] = file(descriptors, row);
        }
        check(row, places.positions[row], places.sizes[row]);
      }
    }
    return places;
  }

  int count() {
    return count;
  }

  boolean isNull(int row) {
    return nulls[row];
  }

  /** {@link #INLINE}, or the id of a file beside the data file. */
  int file(int row) {
    return files[row];
  }

  /** At least 0. */
  long position(int row) {
    return positions[row];
  }

  /** Bytes, at least 0; 0 for null rows. */
  long size(int row) {
    return nulls[row] ? 0 : sizes[row];
  }

  /** At least 0: {@link #of} checks that it does not overflow. */
  long end(int row) {
    return positions[row] + sizes[row];
  }

  private static int file(StructVector descriptors, int row) {
    int kind = child(descriptors, "kind", UInt1Vector.class).get(row) & 0xFF;
    int id = child(descriptors, "blob_id", UInt4Vector.class).get(row);
    switch (kind) {
      case INLINE -> {
        return INLINE;
      }
      case PACKED, DEDICATED -> {
        if (id == INLINE) {
          throw new LanceFormatException("blob " + row + " in a file beside this one with id 0");
        }
        return id;
      }
      case EXTERNAL ->
          throw new UnsupportedFeatureException(
              "blob "
                  + row
                  + " is outside the dataset, at '"
                  + child(descriptors, "blob_uri", FieldVector.class).getObject(row)
                  + "', and is not followed; read the column as descriptors");
      default ->
          throw new UnsupportedFeatureException(
              "blob " + row + " of storage kind " + kind + ", known are 0 to 3");
    }
  }

  private static void check(int row, long position, long size) {
    if (size < 0 || position < 0 || position + size < 0) {
      throw new LanceFormatException(
          "blob "
              + row
              + " of "
              + Long.toUnsignedString(size)
              + " bytes at "
              + Long.toUnsignedString(position)
              + ", which is in no file");
    }
  }

  private static <T> T child(StructVector descriptors, String name, Class<T> type) {
    return type.cast(descriptors.getChild(name));
  }
}
