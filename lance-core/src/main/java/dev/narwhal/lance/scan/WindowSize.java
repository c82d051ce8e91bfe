package dev.narwhal.lance.scan;

import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.schema.LanceSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * How many rows of a fragment are decoded together: as many as fill about {@link
 * Windows#TARGET_BYTES} of Arrow memory, or as many as the caller wants. What columns of one width
 * take follows from the schema; pages tell of the others, so that few bytes of a file that stand
 * for many make small windows. Immutable.
 */
final class WindowSize {
  private final OptionalInt wanted;
  private final boolean blobs;
  private final long fixedRowBytes;
  private final List<String> varying;

  private WindowSize(OptionalInt wanted, boolean blobs, long fixedRowBytes, List<String> varying) {
    this.wanted = wanted;
    this.blobs = blobs;
    this.fixedRowBytes = fixedRowBytes;
    this.varying = List.copyOf(varying);
  }

  /**
   * For windows of some columns.
   *
   * @param names those that are read, system columns among them
   */
  static WindowSize of(
      LanceSchema table, ScanColumns columns, List<String> names, ScanOptions options) {
    TableFields fields = new TableFields(table);
    boolean blobs = false;
    List<Field> fixed = new ArrayList<>();
    List<String> varying = new ArrayList<>();
    for (Field field : columns.schemaOf(names, table).getFields()) {
      String name = field.getName();
      blobs |=
          !SystemColumns.contains(name)
              && ScanColumns.readsBlobs(fields.get(name), options.blobs());
      if (Windows.varies(field)) {
        varying.add(name);
      } else {
        fixed.add(field);
      }
    }
    return new WindowSize(options.batchRows(), blobs, Windows.fixedBytes(fixed), varying);
  }

  /** Whether a fragment must be open before its windows are known. */
  boolean needsFiles() {
    return wanted.isEmpty() && !varying.isEmpty();
  }

  /**
   * Most rows that a window of a fragment may have.
   *
   * @param rows of the fragment, if its manifest does not tell
   */
  int most(Fragment fragment, long rows) {
    if (wanted.isPresent()) {
      return wanted.getAsInt();
    }
    if (!blobs) {
      return Windows.rows(fixedRowBytes);
    }
    long bytes = 0;
    for (DataFile file : fragment.files()) {
      bytes += file.sizeBytes().orElse(0);
    }
    return Windows.blobRows(bytes / Math.max(1, fragment.physicalRows().orElse(rows)));
  }

  /**
   * Rows of the window that starts at a row.
   *
   * @param done rows of the fragment's windows before
   * @param left rows that there are
   * @param most from {@link #most}
   */
  int rows(
      OpenFragment fragment, long start, long done, long left, int most, BufferAllocator allocator)
      throws IOException {
    if (!needsFiles()) {
      return (int) Math.min(most, left);
    }
    // after smaller windows larger ones start again where they would have without them
    int rows = (int) (done == 0 ? most : Math.min(most, Long.lowestOneBit(done)));
    while (rows > 1) {
      int count = (int) Math.min(rows, left);
      long bytes = fixedRowBytes * count + varyingBytes(fragment, start, count, allocator);
      if (bytes <= Windows.TARGET_BYTES) {
        break;
      }
      rows = Windows.fewer(rows, count, bytes);
    }
    return (int) Math.min(rows, left);
  }

  private long varyingBytes(OpenFragment fragment, long start, int count, BufferAllocator allocator)
      throws IOException {
    double bytes = 0;
    for (String name : varying) {
      bytes += fragment.decodedBytes(name, start, count, allocator);
    }
    return (long) bytes;
  }
}
