package dev.narwhal.lance.schema;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.LanceFormatException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A field and everything below it.
 *
 * @param children in schema order
 */
public record FieldTree(LanceField field, List<FieldTree> children) {
  /** How deep fields may nest; no real table comes near. */
  public static final int MAX_DEPTH = 64;

  public FieldTree {
    requireNonNull(field, "field");
    children = List.copyOf(children);
  }

  /**
   * The tree of one field.
   *
   * @param schema the schema the field is of
   * @throws LanceFormatException if fields nest deeper than {@link #MAX_DEPTH}
   */
  public static FieldTree of(LanceSchema schema, LanceField field) {
    return grow(field, byParent(schema), 1);
  }

  /**
   * The trees of all top-level fields, in order; takes time linear in the number of fields.
   *
   * @throws LanceFormatException if fields nest deeper than {@link #MAX_DEPTH}
   */
  public static List<FieldTree> topLevel(LanceSchema schema) {
    Map<Integer, List<LanceField>> byParent = byParent(schema);
    List<FieldTree> trees = new ArrayList<>();
    for (LanceField field : schema.fields()) {
      if (field.parentId() < 0) {
        trees.add(grow(field, byParent, 1));
      }
    }
    return List.copyOf(trees);
  }

  /** Whether nothing is below the field. */
  public boolean isLeaf() {
    return children.isEmpty();
  }

  /** Ids of the field and of all below it, a parent before its children. */
  public List<Integer> ids() {
    List<Integer> ids = new ArrayList<>();
    ids.add(field.id());
    children.forEach(child -> ids.addAll(child.ids()));
    return List.copyOf(ids);
  }

  /** Whether the field or one below it is a blob. */
  public boolean hasBlobs() {
    return field.isBlob() || children.stream().anyMatch(FieldTree::hasBlobs);
  }

  private static Map<Integer, List<LanceField>> byParent(LanceSchema schema) {
    Map<Integer, List<LanceField>> byParent = new HashMap<>();
    for (LanceField field : schema.fields()) {
      if (field.parentId() >= 0) {
        byParent.computeIfAbsent(field.parentId(), id -> new ArrayList<>()).add(field);
      }
    }
    return byParent;
  }

  /** Each list of children is used once, so that fields that share an id cannot form a cycle. */
  private static FieldTree grow(
      LanceField field, Map<Integer, List<LanceField>> byParent, int depth) {
    if (depth > MAX_DEPTH) {
      throw new LanceFormatException("fields nest deeper than " + MAX_DEPTH);
    }
    List<LanceField> fields = byParent.remove(field.id());
    if (fields == null) {
      return new FieldTree(field, List.of());
    }
    List<FieldTree> children = new ArrayList<>(fields.size());
    for (LanceField child : fields) {
      children.add(grow(child, byParent, depth + 1));
    }
    return new FieldTree(field, children);
  }
}
