package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.FieldTree;
import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Whether vectors of an Arrow field can be written as a field of a schema: the same type all the
 * way down, and members of structs by name and in order. Names inside lists and maps do not matter,
 * and whether there may be nulls is a question of the values.
 */
public final class FieldFit {
  private FieldFit() {}

  /**
   * Throws when they cannot.
   *
   * @param name of the field for messages, with those of the structs it is in
   * @throws IllegalArgumentException that says which field does not fit, and how
   */
  public static void require(String name, FieldTree tree, Field found) {
    if (tree.field().isBlobV2()) {
      requireBlobs(name, found);
    } else if (tree.field().isDictionary()) {
      requireIndices(name, tree, found);
    } else {
      requireType(name, tree, ArrowTypes.toArrow(tree, BlobMode.BYTES), found);
    }
  }

  private static void requireBlobs(String name, Field found) {
    boolean bytes =
        found.getType() instanceof ArrowType.Struct
            && found.getChildren().stream()
                .anyMatch(
                    child ->
                        child.getName().equals("data")
                            && child.getType() instanceof ArrowType.LargeBinary);
    if (!bytes) {
      throw new IllegalArgumentException(
          "column '%s': %s, expected a struct with large binary 'data'"
              .formatted(name, found.getType()));
    }
  }

  private static void requireIndices(String name, FieldTree tree, Field found) {
    if (found.getDictionary() == null) {
      throw new IllegalArgumentException(
          "column '%s': %s without a dictionary, which the schema has"
              .formatted(name, found.getType()));
    }
    String expected = tree.field().dictionaryIndexType();
    String indices =
        found.getType() instanceof ArrowType.Int integer
            ? (integer.getIsSigned() ? "int" : "uint") + integer.getBitWidth()
            : found.getType().toString();
    if (!indices.equals(expected)) {
      throw new IllegalArgumentException(
          "column '%s': dictionary indices of type %s, the schema has %s"
              .formatted(name, indices, expected));
    }
  }

  private static void requireType(String name, FieldTree tree, Field expected, Field found) {
    if (found.getDictionary() != null) {
      throw new IllegalArgumentException(
          "column '%s': values encoded with a dictionary, the schema has plain %s"
              .formatted(name, expected.getType()));
    }
    if (!isSameType(tree, expected.getType(), found.getType())) {
      throw new IllegalArgumentException(
          "column '%s': a vector of type %s, the schema has %s"
              .formatted(name, found.getType(), expected.getType()));
    }
    List<Field> children = expected.getChildren();
    boolean named = expected.getType() instanceof ArrowType.Struct;
    if (found.getChildren().size() != children.size()) {
      throw new IllegalArgumentException(
          "column '%s': %d children, the schema has %d"
              .formatted(name, found.getChildren().size(), children.size()));
    }
    for (int i = 0; i < children.size(); i++) {
      Field child = found.getChildren().get(i);
      if (named && !child.getName().equals(children.get(i).getName())) {
        throw new IllegalArgumentException(
            "column '%s': child %d is '%s', the schema has '%s'"
                .formatted(name, i, child.getName(), children.get(i).getName()));
      }
      String below = name + '.' + children.get(i).getName();
      if (tree.children().isEmpty()) {
        // items of fixed-size lists, which are not fields
        requireType(below, tree, children.get(i), child);
      } else {
        require(below, tree.children().get(i), child);
      }
    }
  }

  private static boolean isSameType(FieldTree tree, ArrowType expected, ArrowType found) {
    if (expected instanceof ArrowType.Map) {
      return found instanceof ArrowType.Map;
    }
    // JSON is converted from text of either kind
    boolean json = tree.field().logicalType().equals("json");
    return expected.equals(found) || (json && found instanceof ArrowType.LargeUtf8);
  }
}
