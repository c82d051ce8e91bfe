package dev.narwhal.lance.datafile;

import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.FieldTree;
import java.io.IOException;
import java.util.function.IntUnaryOperator;

/**
 * Chooses who reads a field: by how it is stored and, for trees, by the generation of the format.
 * Each way has a class of its own; this one knows none of their details.
 */
final class ColumnFactory {
  private final ColumnSources sources;
  private final String place;
  private final IntUnaryOperator columnOf;
  private final BlobMode blobs;
  private final long rows;

  /**
   * @param place file and column, for messages
   * @param columnOf column of a field id, -1 or a column of the file
   * @param blobs what is read of blobs
   * @param rows that columns must have: those of the file, or below a list of 2.0 its items
   */
  ColumnFactory(
      ColumnSources sources, String place, IntUnaryOperator columnOf, BlobMode blobs, long rows) {
    this.sources = sources;
    this.place = place;
    this.columnOf = columnOf;
    this.blobs = blobs;
    this.rows = rows;
  }

  ColumnReader open(FieldTree tree) throws IOException {
    return switch (FieldKind.of(tree)) {
      case LEAF, PACKED_STRUCT, DICTIONARY ->
          LeafColumns.open(sources, place, tree, columnOf, rows);
      case BLOB -> blob(tree);
      case TREE -> sources.version().hasArrayPages() ? arrays(tree) : layouts(tree);
    };
  }

  private ColumnReader blob(FieldTree tree) throws IOException {
    ColumnReader descriptors = LeafColumns.open(sources, place, tree, columnOf, rows);
    return switch (blobs) {
      case DESCRIPTORS -> descriptors;
      case BYTES ->
          new BlobColumn(place, ArrowTypes.toArrow(tree, blobs), descriptors, sources.blobs());
    };
  }

  /** Trees of 2.0, where every node has a column. */
  private ColumnReader arrays(FieldTree tree) throws IOException {
    return new ArrayColumns(sources, place, columnOf, blobs, rows).open(tree);
  }

  /** Trees of 2.1 and later, where only leaves have columns. */
  private ColumnReader layouts(FieldTree tree) throws IOException {
    return new LayoutColumns(sources, place, columnOf, blobs).open(tree);
  }
}
