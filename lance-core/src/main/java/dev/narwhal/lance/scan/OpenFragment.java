package dev.narwhal.lance.scan;

import dev.narwhal.lance.datafile.ColumnReader;
import dev.narwhal.lance.datafile.LanceFile;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.FieldTree;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
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
  private final Map<String, Optional<ColumnReader>> columns;
  private final LanceSchema schema;

  private OpenFragment(
      Fragment fragment,
      LanceSchema schema,
      long physicalRows,
      DeletionVector deletions,
      SystemColumnReader systemColumns,
      Map<DataFile, LanceFile> files,
      Map<String, Optional<ColumnReader>> columns) {
    this.fragment = fragment;
    this.schema = schema;
    this.physicalRows = physicalRows;
    this.deletions = deletions;
    this.systemColumns = systemColumns;
    this.files = files;
    this.columns = columns;
  }

  /**
   * Opens what a scan needs.
   *
   * @param names table columns and system columns
   * @param liveRowsBefore live rows of the table's fragments before this one
   */
  static OpenFragment open(
      Fragment fragment,
      LanceSchema schema,
      List<String> names,
      long liveRowsBefore,
      FragmentFiles source)
      throws IOException {
    Map<DataFile, LanceFile> files = new HashMap<>();
    try {
      Map<String, Optional<ColumnReader>> columns = new HashMap<>();
      for (String name : names) {
        if (!SystemColumns.contains(name)) {
          LanceField field = ScanColumns.topLevel(schema, name);
          columns.put(name, column(fragment, schema, field, files, source));
        }
      }
      long physicalRows = physicalRows(fragment, files, source);
      DeletionVector deletions = source.deletions(fragment, physicalRows);
      SystemColumnReader systemColumns =
          SystemColumnReader.open(fragment, names, liveRowsBefore, physicalRows, deletions, source);
      return new OpenFragment(
          fragment, schema, physicalRows, deletions, systemColumns, files, columns);
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
    Optional<ColumnReader> column = columns.getOrDefault(name, Optional.empty());
    return column.isPresent()
        ? column.get().read(start, count, allocator)
        : nulls(name, count, allocator);
  }

  /** A column, or a system column, of rows {@code start + offsets[i]}. */
  FieldVector take(String name, long start, int[] offsets, BufferAllocator allocator)
      throws IOException {
    if (SystemColumns.contains(name)) {
      return systemColumns.take(name, start, offsets, allocator);
    }
    Optional<ColumnReader> column = columns.getOrDefault(name, Optional.empty());
    return column.isPresent()
        ? column.get().take(start, offsets, allocator)
        : nulls(name, offsets.length, allocator);
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (LanceFile file : files.values()) {
      try {
        file.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** A column of nulls, of the table's type. */
  private FieldVector nulls(String name, int count, BufferAllocator allocator) {
    LanceField field = ScanColumns.topLevel(schema, name);
    FieldVector vector = ArrowTypes.toArrow(schema, field).createVector(allocator);
    try {
      vector.setInitialCapacity(count);
      vector.allocateNew();
      vector.setValueCount(count);
      return vector;
    } catch (RuntimeException e) {
      vector.close();
      throw e;
    }
  }

  private static Optional<ColumnReader> column(
      Fragment fragment,
      LanceSchema schema,
      LanceField field,
      Map<DataFile, LanceFile> files,
      FragmentFiles source)
      throws IOException {
    for (LanceField part : ScanColumns.withDescendants(schema, field)) {
      for (DataFile file : fragment.files()) {
        if (file.isLegacy() && file.fields().contains(part.id())) {
          source.open(file).close(); // refuses, and says why
        }
        OptionalInt column = file.columnOf(part.id());
        if (column.isPresent()) {
          LanceFile open = opened(file, files, source);
          requireColumn(fragment, field, file, open, column.getAsInt());
          return Optional.of(
              open.column(FieldTree.of(schema, field), id -> file.columnOf(id).orElse(-1)));
        }
      }
    }
    if (!field.nullable()) {
      throw new LanceFormatException(
          "fragment "
              + fragment.id()
              + ": no data file holds column '"
              + field.name()
              + "' (id "
              + field.id()
              + "), which cannot be null");
    }
    return Optional.empty();
  }

  private static void requireColumn(
      Fragment fragment, LanceField field, DataFile file, LanceFile open, int column) {
    if (column >= open.columnCount()) {
      throw new LanceFormatException(
          "fragment "
              + fragment.id()
              + ": the manifest puts '"
              + field.name()
              + "' in column "
              + column
              + " of data file "
              + file.path()
              + ", which has "
              + open.columnCount());
    }
  }

  private static LanceFile opened(
      DataFile file, Map<DataFile, LanceFile> files, FragmentFiles source) throws IOException {
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
