package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.ColumnMetadata.Page;
import dev.narwhal.lance.datafile.array.ArrayPages;
import dev.narwhal.lance.datafile.array.OffsetsPage;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.FieldTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Makes the readers of 2.0 fields with children. Every node of the schema has a column of its own
 * there: structs a header without bytes, lists their offsets; and the columns below a list have as
 * many rows as it has items. Source: file format sheet 1.8, 2.3, 2.6.
 */
final class ArrayColumns {
  private final ColumnSources sources;
  private final String place;
  private final IntUnaryOperator columnOf;
  private final BlobMode blobs;
  private final long rows;

  /**
   * @param place file and column, for messages
   * @param columnOf column of a field id, -1 or a column of the file
   * @param blobs what is read of blobs
   * @param rows that the field's columns must have
   */
  ArrayColumns(
      ColumnSources sources, String place, IntUnaryOperator columnOf, BlobMode blobs, long rows) {
    this.sources = sources;
    this.place = place;
    this.columnOf = columnOf;
    this.blobs = blobs;
    this.rows = rows;
  }

  /** The reader of a struct, a list or a large list. */
  ColumnReader open(FieldTree tree) throws IOException {
    Field arrowField = ArrowTypes.toArrow(tree, blobs);
    return switch (arrowField.getType().getTypeID()) {
      case Struct -> struct(tree, arrowField);
      case List, LargeList -> list(tree, arrowField);
      default ->
          throw new UnsupportedFeatureException(
              "type " + tree.field().logicalType() + " in a data file of version 2.0");
    };
  }

  private ColumnReader struct(FieldTree tree, Field arrowField) throws IOException {
    int column = columnOf.applyAsInt(tree.field().id());
    // without the header there are the children, and the header says nothing that they do not
    for (Page page : column < 0 ? List.<Page>of() : pages(column)) {
      ArrayPages.requireStruct(page.encoding());
    }
    List<ColumnReader> children = new ArrayList<>();
    for (FieldTree child : tree.children()) {
      children.add(child(child, rows));
    }
    return new StructColumn(arrowField, children, rows);
  }

  private ColumnReader list(FieldTree tree, Field arrowField) throws IOException {
    int column = columnOf.applyAsInt(tree.field().id());
    if (column < 0) {
      throw new LanceFormatException("the file has the items of lists, but not the lists");
    }
    List<OffsetsPage> pages = new ArrayList<>();
    long items = 0;
    for (Page page : pages(column)) {
      OffsetsPage offsets = OffsetsPage.open(page.encoding(), page.rows(), sources.buffers(page));
      items += offsets.itemCount();
      if (items < 0) {
        throw new LanceFormatException("lists of 2^63 items or more");
      }
      pages.add(offsets);
    }
    ColumnReader item = child(tree.children().get(0), items);
    return new ListColumn(place, arrowField, pages, item, new ItemBudget(sources.fileBytes()));
  }

  private ColumnReader child(FieldTree child, long childRows) throws IOException {
    String name = child.field().name();
    if (!isStored(child)) {
      if (!child.field().nullable()) {
        throw new LanceFormatException(
            "the file does not hold '" + name + "', which cannot be null");
      }
      return new NullColumn(ArrowTypes.toArrow(child, blobs), childRows);
    }
    try {
      return new ColumnFactory(sources, place + "." + name, columnOf, blobs, childRows).open(child);
    } catch (LanceFormatException e) {
      throw e.in("child '" + name + "'");
    } catch (UnsupportedFeatureException e) {
      throw e.in("child '" + name + "'");
    }
  }

  private boolean isStored(FieldTree tree) {
    return columnOf.applyAsInt(tree.field().id()) >= 0
        || tree.children().stream().anyMatch(this::isStored);
  }

  /** The pages of a column that has the rows it must have. */
  private List<Page> pages(int index) throws IOException {
    ColumnMetadata column = sources.metadata(index);
    column.requireRows(rows);
    return column.pages();
  }
}
