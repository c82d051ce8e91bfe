package dev.narwhal.puffin;

import static java.util.Objects.requireNonNull;

/**
 * One deletion vector in a Puffin file, as the footer lists it and as a table's metadata must refer
 * to it.
 *
 * @param referencedDataFile location of the data file whose rows it deletes
 * @param offset of the blob's first byte ({@code content_offset}), at least 4
 * @param length of the blob in bytes ({@code content_size_in_bytes}), at least 1
 * @param cardinality number of positions ({@code record_count}), at least 0
 */
public record DvEntry(String referencedDataFile, long offset, long length, long cardinality) {
  public DvEntry {
    requireNonNull(referencedDataFile, "referencedDataFile");
    if (offset < 4 || length < 1 || cardinality < 0) {
      throw new IllegalArgumentException(
          "offset must be at least 4, length 1, cardinality 0: "
              + offset
              + ", "
              + length
              + ", "
              + cardinality);
    }
  }
}
