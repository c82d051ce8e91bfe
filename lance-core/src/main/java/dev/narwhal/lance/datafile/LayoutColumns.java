package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.ColumnMetadata.Page;
import dev.narwhal.lance.datafile.TreeNode.Branch;
import dev.narwhal.lance.datafile.TreeNode.Kind;
import dev.narwhal.lance.datafile.layout.LeafPath;
import dev.narwhal.lance.datafile.layout.LeafPath.Step;
import dev.narwhal.lance.datafile.page.PageSource;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.FieldTree;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Makes readers of trees from 2.1 on, where only leaves have columns. For one use. Source: file
 * format sheet 1.8, 3.3.
 */
final class LayoutColumns {
  private final ColumnSources sources;
  private final String place;
  private final IntUnaryOperator columnOf;
  private final BlobMode blobs;
  private final List<LevelColumn> columns = new ArrayList<>();

  /** From the node at hand to the root. */
  private final Deque<Step> steps = new ArrayDeque<>();

  LayoutColumns(ColumnSources sources, String place, IntUnaryOperator columnOf, BlobMode blobs) {
    this.sources = sources;
    this.place = place;
    this.columnOf = columnOf;
    this.blobs = blobs;
  }

  ColumnReader open(FieldTree tree) throws IOException {
    Field arrowField = ArrowTypes.toArrow(tree, blobs);
    TreeNode root = node(tree, arrowField, place);
    if (root instanceof TreeNode.Absent) {
      throw new IllegalArgumentException(place + ": the file has no column of this field");
    }
    return new TreeColumn(place, arrowField, root, columns, sources.rows());
  }

  private TreeNode node(FieldTree tree, Field arrowField, String at) throws IOException {
    return switch (FieldKind.of(tree)) {
      case LEAF, PACKED_STRUCT, DICTIONARY -> leaf(tree, ValueShape.of(tree, arrowField), at);
      case BLOB -> blob(tree, at);
      case TREE ->
          tree.isLeaf() ? emptyStruct(tree) : branch(tree, arrowField, step(arrowField), at);
    };
  }

  private TreeNode leaf(FieldTree tree, ValueShape shape, String at) throws IOException {
    int index = columnOf.applyAsInt(tree.field().id());
    if (index < 0) {
      return new TreeNode.Absent();
    }
    columns.add(column(tree, shape, at, sources.metadata(index)));
    return new TreeNode.Leaf(columns.size() - 1);
  }

  private TreeNode blob(FieldTree tree, String at) throws IOException {
    Field descriptors = ArrowTypes.toArrow(tree);
    // blobs of the second kind are structs, which may be null, over a leaf, which is not
    boolean struct = tree.field().isBlobV2();
    if (struct) {
      steps.push(new Step.Item());
    }
    TreeNode leaf = leaf(tree, ValueShape.of(tree, descriptors), at);
    if (struct) {
      steps.pop();
    }
    if (!(leaf instanceof TreeNode.Leaf known)) {
      return leaf;
    }
    TreeNode.Blob blob = new TreeNode.Blob(known.column(), struct, descriptors);
    return switch (blobs) {
      case DESCRIPTORS -> blob;
      case BYTES -> new TreeNode.BlobBytes(blob, sources.blobs());
    };
  }

  private TreeNode emptyStruct(FieldTree tree) {
    return columnOf.applyAsInt(tree.field().id()) < 0
        ? new TreeNode.Absent()
        : new TreeNode.EmptyStruct(List.of());
  }

  private TreeNode branch(FieldTree tree, Field arrowField, Step step, String at)
      throws IOException {
    int firstColumn = columns.size();
    int depth = steps.size();
    List<TreeNode> children = new ArrayList<>();
    steps.push(step);
    for (int i = 0; i < tree.children().size(); i++) {
      FieldTree child = tree.children().get(i);
      String childAt = at + "." + child.field().name();
      children.add(node(child, arrowField.getChildren().get(i), childAt));
    }
    steps.pop();
    if (firstColumn == columns.size()) {
      return withoutColumns(step, children, at);
    }
    List<Integer> below = new ArrayList<>();
    for (int column = firstColumn; column < columns.size(); column++) {
      below.add(column);
    }
    if (step instanceof Step.FixedLists lists) {
      return new Branch(Kind.FIXED_LIST, lists.dimension(), depth, below, children);
    }
    Kind kind = step instanceof Step.Lists ? Kind.LIST : Kind.STRUCT;
    return new Branch(kind, 1, depth, below, children);
  }

  /** A node below which no column tells anything. */
  private static TreeNode withoutColumns(Step step, List<TreeNode> children, String at) {
    if (children.stream().allMatch(TreeNode.Absent.class::isInstance)) {
      return new TreeNode.Absent();
    }
    if (step instanceof Step.Item) {
      return new TreeNode.EmptyStruct(children);
    }
    throw new UnsupportedFeatureException(
        "a list of nothing but empty structs in a tree is not supported: " + at);
  }

  private static Step step(Field arrowField) {
    ArrowType type = arrowField.getType();
    if (type instanceof ArrowType.FixedSizeList lists) {
      return new Step.FixedLists(lists.getListSize());
    }
    if (type instanceof ArrowType.LargeList) {
      return new Step.Lists(64);
    }
    return type instanceof ArrowType.Struct ? new Step.Item() : new Step.Lists(32);
  }

  private LevelColumn column(FieldTree tree, ValueShape shape, String at, ColumnMetadata metadata) {
    List<Step> path = new ArrayList<>();
    path.add(new Step.Item());
    path.addAll(steps);
    LeafPath leafPath = new LeafPath(path);
    metadata.requireRows(columnRows(leafPath));
    List<LevelSlot> slots = new ArrayList<>();
    for (int i = 0; i < metadata.pages().size(); i++) {
      Page page = metadata.pages().get(i);
      if (page.rows() > 0) {
        PageSource source =
            new PageSource(
                tree.field(), shape, page.rows(), sources.buffers(page), page.encoding());
        slots.add(new LevelSlot(i, source, leafPath));
      }
    }
    return new LevelColumn(at, shape, leafPath, slots);
  }

  /** Under structural fixed-size lists, pages count items. */
  private long columnRows(LeafPath path) {
    if (sources.rows() > Long.MAX_VALUE / path.rowsPerRow()) {
      throw new LanceFormatException(
          sources.rows() + " rows of " + path.rowsPerRow() + " items each");
    }
    return sources.rows() * path.rowsPerRow();
  }
}
