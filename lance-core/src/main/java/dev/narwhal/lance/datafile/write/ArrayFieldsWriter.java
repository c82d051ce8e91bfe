package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.write.PathNode.Kind;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.FieldTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** The columns of a top-level field in 2.0: one for each field, a parent before its children. */
final class ArrayFieldsWriter {
  private final Set<Integer> blobs = new HashSet<>();
  private int columns;

  private ArrayFieldsWriter() {}

  /**
   * @throws UnsupportedFeatureException for a type that 2.0 cannot have
   */
  static FieldWriter of(FieldTree tree, WriterOptions options) {
    ArrayFieldsWriter fields = new ArrayFieldsWriter();
    ArrayNodeWriter root = fields.node(tree, tree.field().name(), options);
    return new ArrayTreeWriter(root, fields.columns, fields.blobs, options.pageBytes());
  }

  private ArrayNodeWriter node(FieldTree tree, String name, WriterOptions options) {
    int column = columns++;
    if (tree.field().isBlobV2()) {
      throw new UnsupportedFeatureException(
          "column '" + name + "': blobs of the second kind need data files of version 2.2");
    }
    if (tree.field().isBlob()) {
      blobs.add(column);
    }
    boolean nullable = tree.field().nullable();
    if (Leaves.isLeaf(tree)) {
      return new ArrayLeafWriter(
          column,
          new PathNode(Kind.LEAF, name, nullable, 0, 1),
          Leaves.of(tree, name, options.version()),
          new ArrayPageEncoder(name, EncodingHints.of(tree.field())),
          tree.field().isBlob());
    }
    ArrowType type = ArrowTypes.toArrow(tree).getType();
    List<ArrayNodeWriter> below = new ArrayList<>();
    for (FieldTree child : tree.children()) {
      below.add(node(child, name + '.' + child.field().name(), options));
    }
    return switch (type.getTypeID()) {
      case Struct -> new ArrayStructWriter(column, name, below);
      case List, LargeList ->
          new ArrayListWriter(column, new PathNode(Kind.LIST, name, nullable, 0, 1), below.get(0));
      default ->
          throw new UnsupportedFeatureException(
              "column '" + name + "': " + type + " needs data files of version 2.2, not 2.0");
    };
  }
}
