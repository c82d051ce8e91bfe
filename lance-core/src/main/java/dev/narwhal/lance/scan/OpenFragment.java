package dev.narwhal.lance.scan;

import dev.narwhal.lance.datafile.ColumnReader;
import dev.narwhal.lance.datafile.LanceFile;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.FieldTree;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.storage.Closing;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * A fragment with the files of the asked columns open. Safe for use by many threads.
 *
 * <p>A column that none of the files holds was added after the fragment was written, and is null.
 */
final class OpenFragment implements Closeable {
  private static final long MAX_ROWS = 1L << 32;

  private final Fragment fragment;
  private final long physicalRows;
  private final DeletionVector deletions;
  private final SystemColumnReader systemColumns;
  private final Map<DataFile, LanceFile> files;
  private final Map<String, ColumnReader> columns;

  /** Columns whose blobs are read as bytes, with descriptors in their place. */
  private final Map<String, ColumnReader> described;

  private OpenFragment(
      Fragment fragment,
      long physicalRows,
      DeletionVector deletions,
      SystemColumnReader systemColumns,
      Map<DataFile, LanceFile> files,
      Map<String, ColumnReader> columns,
      Map<String, ColumnReader> described) {
    this.fragment = fragment;
    this.physicalRows = physicalRows;
    this.deletions = deletions;
    this.systemColumns = systemColumns;
    this.files = files;
    this.columns = columns;
    this.described = described;
  }

  /**
   * Opens what a scan needs.
   *
   * @param names table columns and system columns
   * @param liveRowsBefore live rows of the table's fragments before this one
   * @param blobs what is read of blob columns, other than for predicates
   */
  static OpenFragment open(
      Fragment fragment,
      LanceSchema schema,
      List<String> names,
      long liveRowsBefore,
      FragmentFiles source,
      BlobMode blobs)
      throws IOException {
    Map<DataFile, LanceFile> files = new HashMap<>();
    try {
      Map<String, ColumnReader> columns = new HashMap<>();
      Map<String, ColumnReader> described = new HashMap<>();
      if (!names.stream().allMatch(SystemColumns::contains)) {
        TableFields fields = new TableFields(schema);
        FragmentColumns found = new FragmentColumns(fragment, source, files);
        for (String name : names) {
          if (!SystemColumns.contains(name)) {
            FieldTree tree = fields.get(name);
            columns.put(name, found.open(tree, blobs));
            if (ScanColumns.readsBlobs(tree, blobs)) {
              described.put(name, found.open(tree, BlobMode.DESCRIPTORS));
            }
          }
        }
      }
      long physicalRows = physicalRows(fragment, files, source);
      DeletionVector deletions = source.deletions(fragment, physicalRows);
      SystemColumnReader systemColumns =
          SystemColumnReader.open(fragment, names, liveRowsBefore, physicalRows, deletions, source);
      return new OpenFragment(
          fragment, physicalRows, deletions, systemColumns, files, columns, described);
    } catch (IOException | RuntimeException e) {
      for (LanceFile file : files.values()) {
        try {
          file.close();
        } catch (IOException suppressed) {
          e.addSuppressed(suppressed);
        }
      }
      throw e;
    }
  }

  Fragment fragment() {
    return fragment;
  }

  long physicalRows() {
    return physicalRows;
  }

  DeletionVector deletions() {
    return deletions;
  }

  /** A column, or a system column, of rows {@code [start, start + count)}. */
  FieldVector read(String name, long start, int count, BufferAllocator allocator)
      throws IOException {
    if (SystemColumns.contains(name)) {
      return systemColumns.read(name, start, count, allocator);
    }
    return column(name).read(start, count, allocator);
  }

  /** The same for predicates, which see descriptors of blobs whatever is read of them else. */
  FieldVector readForFilter(String name, long start, int count, BufferAllocator allocator)
      throws IOException {
    ColumnReader descriptors = described.get(name);
    return descriptors == null
        ? read(name, start, count, allocator)
        : descriptors.read(start, count, allocator);
  }

  /**
   * About how many bytes a table column takes in rows {@code [start, start + count)}; of blobs
   * their descriptors.
   */
  long decodedBytes(String name, long start, int count, BufferAllocator allocator)
      throws IOException {
    return column(name).decodedBytes(start, count, allocator);
  }

  /** Whether a column costs a read of its own for each row. */
  boolean readsBlobs(String name) {
    return described.containsKey(name);
  }

  /** A column, or a system column, of rows {@code start + offsets[i]}. */
  FieldVector take(String name, long start, int[] offsets, BufferAllocator allocator)
      throws IOException {
    if (SystemColumns.contains(name)) {
      return systemColumns.take(name, start, offsets, allocator);
    }
    return column(name).take(start, offsets, allocator);
  }

  /** Gives the fragment to one more user, who closes it too; also after all others closed it. */
  void lease() {
    files.values().forEach(LanceFile::lease);
  }

  @Override
  public void close() throws IOException {
    Closing.all(files.values());
  }

  private ColumnReader column(String name) {
    ColumnReader column = columns.get(name);
    if (column == null) {
      throw new IllegalArgumentException("column '" + name + "' was not opened");
    }
    return column;
  }

  /** The open file, which is opened and kept for the others when it is not. */
  static LanceFile opened(DataFile file, Map<DataFile, LanceFile> files, FragmentFiles source)
      throws IOException {
    LanceFile open = files.get(file);
    if (open == null) {
      open = source.open(file);
      files.put(file, open);
    }
    return open;
  }

  /** The manifest's count, which every open file must share; the first file's where it has none. */
  private static long physicalRows(
      Fragment fragment, Map<DataFile, LanceFile> files, FragmentFiles source) throws IOException {
    if (fragment.physicalRows().isEmpty() && files.isEmpty()) {
      if (fragment.files().isEmpty()) {
        throw new LanceFormatException(
            "fragment " + fragment.id() + " has no data file and no number of rows");
      }
      opened(fragment.files().get(0), files, source);
    }
    long rows = fragment.physicalRows().orElse(-1);
    for (Map.Entry<DataFile, LanceFile> file : files.entrySet()) {
      long found = file.getValue().rows();
      if (rows == -1) {
        rows = found;
      } else if (rows != found) {
        throw new LanceFormatException(
            "fragment "
                + fragment.id()
                + ": data file "
                + file.getKey().path()
                + " has "
                + found
                + " rows, expected "
                + rows);
      }
    }
    if (rows > MAX_ROWS) {
      throw new LanceFormatException(
          "fragment "
              + fragment.id()
              + ": "
              + rows
              + " rows, more than the 2^32 that row offsets can tell apart");
    }
    return rows;
  }
}
