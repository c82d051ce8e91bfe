package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.ColumnMetadata.Page;
import dev.narwhal.lance.datafile.blob.BlobFiles;
import dev.narwhal.lance.datafile.layout.LayoutPages;
import dev.narwhal.lance.datafile.page.ByteRange;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.FieldTree;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.storage.ObjectReader;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.storage.SharedReader;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * One Lance data file, open for reading. Opening reads the tail: footer, tables and schema; the
 * metadata of a column is read when the column is first asked for, and kept. Safe for use by many
 * threads.
 *
 * <p>Every failure names the file: bytes that break the format are a {@link LanceFormatException},
 * valid constructs that are not supported an {@link UnsupportedFeatureException}, storage failures
 * come as they are.
 */
public final class LanceFile implements Closeable {
  private final FileTail tail;
  private final FileSchemaCodec.Description description;
  private final FieldColumns columns;
  private final ColumnSources sources;

  private LanceFile(
      FileTail tail,
      FileSchemaCodec.Description description,
      FieldColumns columns,
      BlobFiles blobFiles) {
    this.tail = tail;
    this.description = description;
    this.columns = columns;
    this.sources = new ColumnSources(tail, description.rows(), tail.blobs(blobFiles));
  }

  /**
   * Opens a file by itself: of blobs that lie in files beside it only descriptors can be read.
   * Takes ownership of the reader, also when it throws.
   */
  public static LanceFile open(ObjectReader reader) throws IOException {
    return open(reader, BlobFiles.none());
  }

  /** Opens a file where it lies, with the files beside it that hold its larger blobs. */
  public static LanceFile open(ObjectStore store, String path) throws IOException {
    return open(SharedReader.open(store, path), BlobFiles.beside(store, path));
  }

  private static LanceFile open(ObjectReader reader, BlobFiles blobFiles) throws IOException {
    try {
      FileTail tail = FileTail.read(reader);
      FileSchemaCodec.Description description = FileSchemaCodec.decode(tail.schema());
      FieldColumns columns = new FieldColumns(description.schema(), tail.version());
      if (columns.count() > tail.columnCount()) {
        throw new LanceFormatException(
            "schema with "
                + columns.count()
                + " columns in a file with "
                + tail.columnCount()
                + " columns");
      }
      return new LanceFile(tail, description, columns, blobFiles);
    } catch (LanceFormatException e) {
      throw closing(reader, e.in(reader.path()));
    } catch (UnsupportedFeatureException e) {
      throw closing(reader, e.in(reader.path()));
    } catch (IOException e) {
      throw closing(reader, e);
    } catch (RuntimeException e) {
      throw closing(reader, e);
    }
  }

  /**
   * Gives the file, with the metadata that was read of it, to one more user, who closes it too;
   * also after all others closed it, and then the next read opens it again.
   *
   * @throws IllegalStateException if the file was not opened from a store
   */
  public void lease() {
    tail.lease();
  }

  public FileVersion version() {
    return tail.version();
  }

  public long rows() {
    return description.rows();
  }

  /**
   * The file's own schema. Descriptor children of blob fields, which files write with id and parent
   * -1, have the blob as their parent here.
   */
  public LanceSchema schema() {
    return description.schema();
  }

  public int columnCount() {
    return tail.columnCount();
  }

  /**
   * The column of a field of the file's own schema, for files without a manifest.
   *
   * @return the field's own column; the first of its descendants' when it has none of its own
   * @throws IllegalArgumentException if the field is not of this file or shares a parent's column
   */
  public int columnIndexOf(LanceField field) {
    int column = columns.firstColumn(field);
    if (column < 0) {
      throw new IllegalArgumentException(
          "field '" + field.name() + "' (id " + field.id() + ") has no column in this file");
    }
    return column;
  }

  /**
   * A reader of a field of the file's own schema, for files without a manifest; blobs as
   * descriptors.
   *
   * @throws IllegalArgumentException if the field is not of this file
   */
  public ColumnReader column(LanceField field) throws IOException {
    return column(field, BlobMode.DESCRIPTORS);
  }

  /**
   * A reader of a field of the file's own schema, for files without a manifest.
   *
   * @throws IllegalArgumentException if the field is not of this file
   */
  public ColumnReader column(LanceField field, BlobMode blobs) throws IOException {
    columnIndexOf(field);
    return column(FieldTree.of(schema(), field), columns::ownColumn, blobs);
  }

  /** A reader of a field with everything below it; blobs as descriptors. */
  public ColumnReader column(FieldTree tree, IntUnaryOperator columnOf) throws IOException {
    return column(tree, columnOf, BlobMode.DESCRIPTORS);
  }

  /**
   * A reader of a field with everything below it. A child that the file does not hold is null in
   * every row.
   *
   * @param tree a field of the table, which knows better than the file what is below it
   * @param columnOf gives for a field id its column in this file, as the manifest has it; -1 when
   *     the field has no column of its own here
   * @throws IllegalArgumentException if there is no such column, or no column at all
   */
  public ColumnReader column(FieldTree tree, IntUnaryOperator columnOf, BlobMode blobs)
      throws IOException {
    String place = tail.path() + ": column '" + tree.field().name() + "'";
    try {
      return new ColumnFactory(sources, place, checked(columnOf), blobs, rows()).open(tree);
    } catch (LanceFormatException e) {
      throw e.in(place);
    } catch (UnsupportedFeatureException e) {
      throw e.in(place);
    }
  }

  /** The columns of the file's own schema, in their order, for people. */
  public List<ColumnInfo> columns() throws IOException {
    List<ColumnInfo> found = new ArrayList<>();
    Map<Integer, String> names = new HashMap<>();
    for (LanceField field : schema().fields()) {
      String parent = names.get(field.parentId());
      String name = parent == null ? field.name() : parent + '.' + field.name();
      // fields with the id -1 are below a blob, which has their column
      if (field.id() >= 0) {
        names.put(field.id(), name);
        int column = columns.ownColumn(field.id());
        if (column >= 0) {
          found.add(new ColumnInfo(column, field.id(), name, field.logicalType(), pages(column)));
        }
      }
    }
    return List.copyOf(found);
  }

  /** What the pages of a column are made of. */
  public List<PageInfo> pages(int columnIndex) throws IOException {
    try {
      List<PageInfo> pages = new ArrayList<>();
      for (Page page : sources.metadata(columnIndex).pages()) {
        long sizeBytes = page.buffers().stream().mapToLong(ByteRange::sizeBytes).sum();
        String layout = version().hasArrayPages() ? "array" : LayoutPages.layout(page.encoding());
        pages.add(new PageInfo(page.rows(), layout, sources.describe(page), sizeBytes));
      }
      return List.copyOf(pages);
    } catch (LanceFormatException e) {
      throw e.in(tail.path() + ": column " + columnIndex);
    } catch (UnsupportedFeatureException e) {
      throw e.in(tail.path() + ": column " + columnIndex);
    }
  }

  @Override
  public void close() throws IOException {
    tail.close();
  }

  private IntUnaryOperator checked(IntUnaryOperator columnOf) {
    return id -> {
      int column = columnOf.applyAsInt(id);
      if (column < -1 || column >= columnCount()) {
        throw new IllegalArgumentException(
            "column " + column + " of field " + id + " is not in [0, " + columnCount() + ")");
      }
      return column;
    };
  }

  /** Closes the reader of a file that did not open; a second failure stays with the first. */
  private static <T extends Throwable> T closing(ObjectReader reader, T failure) {
    try {
      reader.close();
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }
}
