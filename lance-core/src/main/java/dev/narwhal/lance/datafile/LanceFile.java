package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.ColumnMetadata.Page;
import dev.narwhal.lance.datafile.array.ArrayPages;
import dev.narwhal.lance.datafile.layout.LayoutPages;
import dev.narwhal.lance.datafile.page.ByteRange;
import dev.narwhal.lance.datafile.page.PageBuffers;
import dev.narwhal.lance.datafile.page.PageSource;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.storage.ObjectReader;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.arrow.vector.types.pojo.Field;

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
  private final Map<Integer, ColumnMetadata> metadata = new ConcurrentHashMap<>();

  private LanceFile(FileTail tail, FileSchemaCodec.Description description, FieldColumns columns) {
    this.tail = tail;
    this.description = description;
    this.columns = columns;
  }

  /** Opens a file. Takes ownership of the reader, also when it throws. */
  public static LanceFile open(ObjectReader reader) throws IOException {
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
      return new LanceFile(tail, description, columns);
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
   * A reader of one field stored in one column.
   *
   * @param columnIndex from the manifest, or from {@link #columnIndexOf}
   * @throws IllegalArgumentException if there is no such column
   */
  public ColumnReader column(LanceField field, int columnIndex) throws IOException {
    if (columnIndex < 0 || columnIndex >= columnCount()) {
      throw new IllegalArgumentException(
          "column " + columnIndex + " is not in [0, " + columnCount() + ")");
    }
    String place = tail.path() + ": column '" + field.name() + "'";
    try {
      return open(place, field, metadata(columnIndex));
    } catch (LanceFormatException e) {
      throw e.in(place);
    } catch (UnsupportedFeatureException e) {
      throw e.in(place);
    }
  }

  /** What the pages of a column are made of. */
  public List<PageInfo> pages(int columnIndex) throws IOException {
    try {
      List<PageInfo> pages = new ArrayList<>();
      for (Page page : metadata(columnIndex).pages()) {
        long sizeBytes = page.buffers().stream().mapToLong(ByteRange::sizeBytes).sum();
        String layout = version().hasArrayPages() ? "array" : LayoutPages.layout(page.encoding());
        pages.add(new PageInfo(page.rows(), layout, describe(page), sizeBytes));
      }
      return List.copyOf(pages);
    } catch (LanceFormatException e) {
      throw e.in(tail.path() + ": column " + columnIndex);
    }
  }

  @Override
  public void close() throws IOException {
    tail.close();
  }

  private ColumnReader open(String place, LanceField field, ColumnMetadata column) {
    refuseStructure(field, column);
    Field arrowField = ArrowTypes.toArrow(schema(), field);
    ValueShape shape = ValueShape.of(arrowField);
    List<PageSlot> slots = new ArrayList<>();
    long rows = 0;
    for (int i = 0; i < column.pages().size(); i++) {
      Page page = column.pages().get(i);
      rows += page.rows();
      if (rows < 0 || rows > rows()) {
        break;
      }
      if (page.rows() > 0) {
        PageBuffers buffers = tail.buffers(page.buffers());
        slots.add(
            new PageSlot(
                version(), i, new PageSource(field, shape, page.rows(), buffers, page.encoding())));
      }
    }
    if (rows != rows()) {
      throw new LanceFormatException(
          "pages of " + Long.toUnsignedString(rows) + " rows or more in a file of " + rows());
    }
    return new PagedColumn(place, arrowField, shape, slots);
  }

  /** Fields that are more than one leaf column, or whose values are elsewhere. */
  private void refuseStructure(LanceField field, ColumnMetadata column) {
    String type = field.logicalType();
    boolean blob = FieldColumns.isBlob(field) || column.kind() == ColumnMetadata.Kind.BLOB;
    boolean nested =
        type.equals("struct")
            || type.equals("map")
            || type.startsWith("list")
            || type.startsWith("large_list")
            || type.startsWith("fixed_size_list:struct");
    boolean dictionary = type.startsWith("dict:");
    if (blob || nested || dictionary) {
      throw new UnsupportedFeatureException(
          (blob ? "blob of type " : "type ")
              + type
              + " is not supported yet (stored as "
              + (column.pages().isEmpty() ? "no page" : describe(column.pages().get(0)))
              + ")");
    }
  }

  private String describe(Page page) {
    return version().hasArrayPages()
        ? ArrayPages.describe(page.encoding())
        : LayoutPages.describe(page.encoding());
  }

  private ColumnMetadata metadata(int column) throws IOException {
    ColumnMetadata known = metadata.get(column);
    if (known == null) {
      known = tail.column(column);
      metadata.put(column, known);
    }
    return known;
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
