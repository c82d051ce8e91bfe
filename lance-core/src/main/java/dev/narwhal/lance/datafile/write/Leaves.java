package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.FileVersion;
import dev.narwhal.lance.datafile.codec.JsonbEncoder;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.FieldTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Which values a leaf gathers. */
final class Leaves {
  private Leaves() {}

  /** Whether a field has one column, and no fields below it that have others. */
  static boolean isLeaf(FieldTree tree) {
    boolean parent = tree.field().logicalType().equals("struct") || !tree.isLeaf();
    return !parent || tree.field().isBlob() || (tree.field().isPacked() && !tree.isLeaf());
  }

  /**
   * @param name for messages
   * @throws UnsupportedFeatureException for a type that the version, or real Lance, cannot have
   */
  static LeafValues of(FieldTree tree, String name, FileVersion version) {
    Field arrow = ArrowTypes.toArrow(tree, BlobMode.BYTES);
    if (tree.field().isDictionary()) {
      LeafValues items = of(arrow, name);
      if (!(items instanceof FixedLeaf || items instanceof VariableLeaf)) {
        throw new UnsupportedFeatureException(
            "column '" + name + "': a dictionary of " + arrow.getType());
      }
      return new DictionaryLeaf(
          indexBits(tree.field().dictionaryIndexType()), arrow.getType(), items);
    }
    if (tree.field().isPacked() && !tree.isLeaf()) {
      return packed(tree, arrow, name, version);
    }
    if (tree.field().logicalType().equals("json")) {
      return VariableLeaf.converting(Long.SIZE, json -> jsonb(json, name));
    }
    return of(arrow, name);
  }

  private static byte[] jsonb(byte[] text, String name) {
    try {
      return JsonbEncoder.fromText(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("column '" + name + "': " + e.getMessage(), e);
    }
  }

  private static LeafValues of(Field arrow, String name) {
    return of(ValueShape.of(arrow), isText(arrow), name);
  }

  private static boolean isText(Field arrow) {
    return arrow.getType() instanceof ArrowType.Utf8
        || arrow.getType() instanceof ArrowType.LargeUtf8;
  }

  private static LeafValues of(ValueShape shape, boolean text, String name) {
    if (shape instanceof ValueShape.Nothing) {
      return new NothingLeaf();
    }
    if (shape instanceof ValueShape.Bit) {
      return new BitLeaf();
    }
    if (shape instanceof ValueShape.FixedWidth fixed) {
      return new FixedLeaf(fixed.widthBytes());
    }
    if (shape instanceof ValueShape.Variable strings) {
      return new VariableLeaf(strings.offsetBits(), text);
    }
    if (shape instanceof ValueShape.FixedList list) {
      return new ListLeaf(list.dimension(), of(list.item(), false, name));
    }
    throw new UnsupportedFeatureException("column '" + name + "': " + shape + " is not written");
  }

  private static LeafValues packed(FieldTree tree, Field arrow, String name, FileVersion version) {
    List<LeafValues> fields = new ArrayList<>();
    for (int i = 0; i < tree.children().size(); i++) {
      Field child = arrow.getChildren().get(i);
      LeafValues values = of(child, name);
      boolean fixed = values instanceof FixedLeaf;
      boolean list = values instanceof ListLeaf lists && lists.leaf() instanceof FixedLeaf;
      boolean strings = values instanceof VariableLeaf;
      boolean known =
          switch (version) {
            case V2_0 -> fixed || list;
            case V2_1 -> fixed;
            case V2_2, V2_3 -> fixed || list || strings;
          };
      if (!known) {
        throw new UnsupportedFeatureException(
            "column '%s.%s': %s in a packed struct of version %s"
                .formatted(name, child.getName(), child.getType(), version));
      }
      fields.add(values);
    }
    return new PackedLeaf(name, fields);
  }

  /** Whether both hold the same values; for byte strings and values of one width. */
  static boolean equal(LeafValues one, LeafValues other) {
    if (one instanceof FixedLeaf a && other instanceof FixedLeaf b) {
      return a.bytes().view().equals(b.bytes().view());
    }
    if (one instanceof VariableLeaf a && other instanceof VariableLeaf b) {
      int count = a.count();
      int size = a.offsets()[count];
      return count == b.count()
          && Arrays.equals(a.offsets(), 0, count + 1, b.offsets(), 0, count + 1)
          && Arrays.equals(a.bytes(), 0, size, b.bytes(), 0, size);
    }
    return false;
  }

  /** {@code dict:VALUE:INDEX:ORDERED}: bytes of an index. */
  private static int indexBits(String type) {
    return switch (type) {
      case "int8" -> 7;
      case "uint8" -> 8;
      case "int16" -> 15;
      case "uint16" -> 16;
      case "int32" -> 31;
      case "uint32" -> 32;
      case "int64" -> 63;
      default -> 64;
    };
  }
}
