package dev.narwhal.lance.datafile.blob;

import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.datafile.page.VariableValues;
import dev.narwhal.lance.datafile.page.VectorBuilder;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.storage.Closing;
import dev.narwhal.lance.storage.ObjectReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Reads the bytes of blobs, of the wanted rows only. Blobs that follow one another in a file take
 * one read. Safe for use by many threads.
 */
public final class BlobReader {
  /** Bytes that are cheaper to read than to skip; blobs are padded to 64. */
  private static final long MAX_GAP_BYTES = 16 << 10;

  /** A read ends here, unless one blob alone is larger. */
  private static final long MAX_READ_BYTES = 8 << 20;

  /** Files beside the data file that a call keeps open. */
  private static final int MAX_OPEN_FILES = 16;

  private static final int MAX_BLOB_BYTES = Integer.MAX_VALUE - 64;

  private final ObjectReader dataFile;
  private final BlobFiles others;

  /**
   * @param dataFile not closed by this class
   */
  public BlobReader(ObjectReader dataFile, BlobFiles others) {
    this.dataFile = dataFile;
    this.others = others;
  }

  /**
   * The values that descriptors stand for, one a row. The caller closes the vector.
   *
   * @param field of large binary
   * @throws LanceFormatException if a blob is not inside its file, or if blobs overlap: those of
   *     one call are larger than their file
   */
  public FieldVector read(StructVector descriptors, Field field, BufferAllocator allocator)
      throws IOException {
    BlobPlaces places = BlobPlaces.of(descriptors);
    try (OpenFiles files = new OpenFiles();
        Scratch scratch = new Scratch(allocator);
        VectorBuilder out =
            VectorBuilder.of(new ValueShape.Variable(Long.SIZE), places.count(), allocator)) {
      for (int row = 0; row < places.count(); ) {
        int end = runEnd(places, row);
        append(places, row, end, files, out, scratch);
        row = end;
      }
      return out.build(field, allocator);
    }
  }

  /** How far one read goes: rows without bytes are passed over. */
  private static int runEnd(BlobPlaces places, int from) {
    int last = -1;
    int first = -1;
    int row = from;
    for (; row < places.count(); row++) {
      if (places.size(row) == 0) {
        continue;
      }
      if (first < 0) {
        first = row;
      } else if (places.file(row) != places.file(first)
          || places.position(row) < places.end(last)
          || places.position(row) - places.end(last) > MAX_GAP_BYTES
          || places.end(row) - places.position(first) > MAX_READ_BYTES) {
        break;
      }
      last = row;
    }
    return row;
  }

  private static void append(
      BlobPlaces places, int from, int to, OpenFiles files, VectorBuilder out, Scratch scratch)
      throws IOException {
    scratch.reset();
    long start = -1;
    long end = -1;
    int file = BlobPlaces.INLINE;
    long total = 0;
    for (int row = from; row < to; row++) {
      if (places.size(row) > 0) {
        start = start < 0 ? places.position(row) : start;
        end = places.end(row);
        file = places.file(row);
        total += places.size(row);
      }
    }
    ByteBuffer bytes =
        start < 0 ? ByteBuffer.allocate(0) : files.read(file, start, end - start, total, scratch);
    int count = to - from;
    // every other value is what lies between two blobs
    int[] offsets = scratch.ints(2 * count + 1);
    int[] picked = scratch.ints(count);
    offsets[0] = 0;
    for (int i = 0; i < count; i++) {
      int row = from + i;
      boolean some = places.size(row) > 0;
      offsets[2 * i + 1] = some ? (int) (places.position(row) - start) : offsets[2 * i];
      offsets[2 * i + 2] = some ? (int) (places.end(row) - start) : offsets[2 * i];
      picked[i] = some ? 2 * i + 1 : -1;
      if (places.isNull(row)) {
        out.validity().setNull(out.rows() + i, 1);
      }
    }
    out.gather(new VariableValues(bytes, offsets, 2 * count), picked, 0, count);
  }

  /** The files of one call, each opened when it is first needed. */
  private final class OpenFiles implements Closeable {
    private final Map<Integer, ObjectReader> opened = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Integer, Long> bytesRead = new HashMap<>();

    /**
     * @param blobBytes of the range that are blobs
     */
    ByteBuffer read(int file, long position, long sizeBytes, long blobBytes, Scratch scratch)
        throws IOException {
      ObjectReader reader = file == BlobPlaces.INLINE ? dataFile : opened(file);
      if (position > reader.sizeBytes() - sizeBytes) {
        throw new LanceFormatException(
            "blobs in [%d, %d) of %s, which has %d bytes"
                .formatted(position, position + sizeBytes, reader.path(), reader.sizeBytes()));
      }
      long total = bytesRead.merge(file, blobBytes, Long::sum);
      if (total > reader.sizeBytes()) {
        throw new LanceFormatException(
            "blobs of %d bytes or more in %s, which has %d bytes: they overlap"
                .formatted(total, reader.path(), reader.sizeBytes()));
      }
      if (sizeBytes > MAX_BLOB_BYTES) {
        throw new UnsupportedFeatureException(
            "a blob of " + sizeBytes + " bytes in " + reader.path() + "; 2 GiB is the limit");
      }
      ByteBuffer target = scratch.direct((int) sizeBytes);
      reader.readFully(position, target);
      return target.flip();
    }

    private ObjectReader opened(int file) throws IOException {
      ObjectReader known = opened.get(file);
      if (known == null) {
        if (opened.size() == MAX_OPEN_FILES) {
          Iterator<ObjectReader> oldest = opened.values().iterator();
          ObjectReader closed = oldest.next();
          oldest.remove();
          closed.close();
        }
        known = others.open(file);
        opened.put(file, known);
      }
      return known;
    }

    @Override
    public void close() throws IOException {
      Closing.all(opened.values());
    }
  }
}
