package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.FileVersion;
import dev.narwhal.lance.datafile.write.PathNode.Kind;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.FieldTree;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** The columns of a top-level field from 2.1 on: one for each leaf. */
final class LayoutFieldsWriter {
  private final WriterOptions options;
  private final List<FieldWriter> columns = new ArrayList<>();

  private LayoutFieldsWriter(WriterOptions options) {
    this.options = options;
  }

  /**
   * @throws UnsupportedFeatureException for a type that the version, or real Lance, cannot have
   */
  static List<FieldWriter> of(FieldTree tree, WriterOptions options) {
    LayoutFieldsWriter writers = new LayoutFieldsWriter(options);
    writers.add(tree, List.of(), tree.field().name(), 0);
    return writers.columns;
  }

  private void add(FieldTree tree, List<PathNode> above, String name, int index) {
    Field arrow = ArrowTypes.toArrow(tree);
    List<PathNode> here = above;
    if (!above.isEmpty()) {
      // the node above learns which child the path goes to
      PathNode parent = above.get(above.size() - 1);
      here = new ArrayList<>(above.subList(0, above.size() - 1));
      here.add(
          new PathNode(parent.kind(), parent.name(), parent.nullable(), index, parent.dimension()));
    }
    boolean nullable = tree.field().nullable();
    if (Leaves.isLeaf(tree)) {
      Kind kind = arrow.getType() instanceof ArrowType.Null ? Kind.NULLS : Kind.LEAF;
      leaf(tree, name, with(here, new PathNode(kind, name, nullable, 0, 1)));
      return;
    }
    PathNode node =
        switch (arrow.getType().getTypeID()) {
          case Struct -> new PathNode(Kind.STRUCT, name, nullable, 0, 1);
          case List, LargeList -> new PathNode(Kind.LIST, name, nullable, 0, 1);
          case Map -> {
            requireNewest(name, "maps");
            yield new PathNode(Kind.LIST, name, nullable, 0, 1);
          }
          case FixedSizeList -> {
            requireNewest(name, "fixed-size lists of structs");
            requireNoList(above, name);
            int size = ((ArrowType.FixedSizeList) arrow.getType()).getListSize();
            yield new PathNode(Kind.FIXED_LIST, name, nullable, 0, size);
          }
          default ->
              throw new UnsupportedFeatureException(
                  "column '" + name + "': " + arrow.getType() + " is not written");
        };
    List<PathNode> path = with(here, node);
    if (tree.children().isEmpty()) {
      emptyStruct(tree, name, path);
    }
    for (int i = 0; i < tree.children().size(); i++) {
      FieldTree child = tree.children().get(i);
      add(child, path, name + '.' + child.field().name(), i);
    }
  }

  private void leaf(FieldTree tree, String name, List<PathNode> path) {
    if (tree.field().isBlobV2()) {
      requireNewest(name, "blobs of the second kind");
      if (path.size() > 1) {
        throw new UnsupportedFeatureException(
            "column '" + name + "': blobs of the second kind below other fields are not written");
      }
      columns.add(new BlobV2Column(path.get(0), options.pageBytes()));
      return;
    }
    add(name, tree, path, Leaves.of(tree, name, options.version()));
  }

  /** Real Lance knows them at the top level only, and without nulls. */
  private void emptyStruct(FieldTree tree, String name, List<PathNode> path) {
    if (path.size() > 1) {
      throw new UnsupportedFeatureException(
          "column '" + name + "': structs without fields below other fields");
    }
    PathNode node = new PathNode(Kind.LEAF, name, false, 0, 1);
    add(name, tree, List.of(node), new NothingLeaf());
  }

  private void add(String name, FieldTree tree, List<PathNode> path, LeafValues values) {
    Shredder shredder = new Shredder(path, values);
    columns.add(new LayoutColumnWriter(name, tree.field(), options, shredder));
  }

  private static List<PathNode> with(List<PathNode> path, PathNode node) {
    List<PathNode> longer = new ArrayList<>(path);
    longer.add(node);
    return longer;
  }

  private void requireNewest(String name, String what) {
    if (options.version().compareTo(FileVersion.V2_2) < 0) {
      throw new UnsupportedFeatureException(
          "column '%s': %s need data files of version 2.2, not %s"
              .formatted(name, what, options.version()));
    }
  }

  private static void requireNoList(List<PathNode> above, String name) {
    if (above.stream().anyMatch(PathNode::isList)) {
      throw new UnsupportedFeatureException(
          "column '" + name + "': fixed-size lists of structs in lists end real Lance 7.0.0");
    }
  }
}
