package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.blob.BlobReader;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * The bytes of a blob column: descriptors of the wanted rows first, then what they point at.
 *
 * @param place file and column, for messages
 * @param descriptors reads structs
 */
record BlobColumn(String place, Field arrowField, ColumnReader descriptors, BlobReader blobs)
    implements ColumnReader {
  @Override
  public FieldVector read(long firstRow, int count, BufferAllocator allocator) throws IOException {
    try (FieldVector found = descriptors.read(firstRow, count, allocator)) {
      return bytes(found, allocator);
    }
  }

  @Override
  public FieldVector take(long firstRow, int[] offsets, BufferAllocator allocator)
      throws IOException {
    try (FieldVector found = descriptors.take(firstRow, offsets, allocator)) {
      return bytes(found, allocator);
    }
  }

  /** Of the descriptors: what they point at is bounded by the number of rows. */
  @Override
  public long decodedBytes(long firstRow, long count, BufferAllocator allocator)
      throws IOException {
    return descriptors.decodedBytes(firstRow, count, allocator);
  }

  private FieldVector bytes(FieldVector found, BufferAllocator allocator) throws IOException {
    try {
      return blobs.read((StructVector) found, arrowField, allocator);
    } catch (LanceFormatException e) {
      throw e.in(place);
    } catch (UnsupportedFeatureException e) {
      throw e.in(place);
    }
  }
}
