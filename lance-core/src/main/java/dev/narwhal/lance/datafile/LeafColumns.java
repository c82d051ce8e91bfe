package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.ColumnMetadata.Page;
import dev.narwhal.lance.datafile.page.PageSource;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.FieldTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.apache.arrow.vector.types.pojo.Field;

/** Makes readers of fields that are one leaf column. */
final class LeafColumns {
  private LeafColumns() {}

  /**
   * A reader, of blobs' descriptors.
   *
   * @param rows that the column must have
   */
  static ColumnReader open(
      ColumnSources sources, String place, FieldTree tree, IntUnaryOperator columnOf, long rows)
      throws IOException {
    int index = columnOf.applyAsInt(tree.field().id());
    if (index < 0) {
      throw new IllegalArgumentException(place + ": the file has no column of this field");
    }
    ColumnMetadata column = sources.metadata(index);
    if (column.kind() == ColumnMetadata.Kind.BLOB && !tree.field().isBlob()) {
      throw new UnsupportedFeatureException(
          "a column of blobs for a field of type "
              + tree.field().logicalType()
              + ", which is not marked as one, is not supported");
    }
    column.requireRows(rows);
    Field arrowField = ArrowTypes.toArrow(tree);
    ValueShape shape = ValueShape.of(tree, arrowField);
    return new PagedColumn(place, arrowField, shape, slots(sources, tree, shape, column));
  }

  /** The pages that have rows. */
  private static List<PageSlot> slots(
      ColumnSources sources, FieldTree tree, ValueShape shape, ColumnMetadata column) {
    List<PageSlot> slots = new ArrayList<>();
    for (int i = 0; i < column.pages().size(); i++) {
      Page page = column.pages().get(i);
      if (page.rows() > 0) {
        PageSource source =
            new PageSource(
                tree.field(), shape, page.rows(), sources.buffers(page), page.encoding());
        slots.add(new PageSlot(sources.version(), i, source));
      }
    }
    return slots;
  }
}
