package dev.narwhal.lance.write.insert;

import dev.narwhal.lance.datafile.write.FieldFit;
import dev.narwhal.lance.schema.FieldTree;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The fields of a table that a source has, in the source's order: what its data files hold. Columns
 * and members of structs are found by name, in any order; those that may be null may be missing,
 * and are null then. Types must be the same. Whether the source calls a column nullable does not
 * matter, the values do. Lists, maps and packed structs come whole, the names inside lists and maps
 * do not matter. Pure. Source: what real Lance 7.0.0 does.
 */
public final class SourceFields {
  private final List<LanceField> fields = new ArrayList<>();

  private SourceFields() {}

  /**
   * The fields, with their ids in the table.
   *
   * @throws IllegalArgumentException that says which field does not fit, and how
   */
  public static LanceSchema of(LanceSchema table, Schema source) {
    SourceFields found = new SourceFields();
    found.addMembers("", FieldTree.topLevel(table), source.getFields());
    return new LanceSchema(found.fields, table.metadata());
  }

  private void addMembers(String path, List<FieldTree> trees, List<Field> members) {
    Map<String, FieldTree> byName = new HashMap<>();
    trees.forEach(tree -> byName.put(tree.field().name(), tree));
    Set<String> seen = new HashSet<>();
    for (Field member : members) {
      String name = path + member.getName();
      FieldTree tree = byName.get(member.getName());
      if (tree == null) {
        throw new IllegalArgumentException(
            "column '" + name + "' is not in the table, which has " + names(path, trees));
      }
      if (!seen.add(member.getName())) {
        throw new IllegalArgumentException("column '" + name + "' comes twice");
      }
      add(name, tree, member);
    }
    if (seen.isEmpty() && !trees.isEmpty()) {
      throw new IllegalArgumentException(
          path.isEmpty()
              ? "there is no column; the table has " + names(path, trees)
              : "column '"
                  + path.substring(0, path.length() - 1)
                  + "' has no member; in the table it has "
                  + names(path, trees));
    }
    for (FieldTree tree : trees) {
      if (!seen.contains(tree.field().name()) && !tree.field().nullable()) {
        throw new IllegalArgumentException(
            "column '" + path + tree.field().name() + "' is missing, and cannot be null");
      }
    }
  }

  private void add(String name, FieldTree tree, Field member) {
    LanceField field = tree.field();
    boolean members =
        field.logicalType().equals("struct")
            && !field.isPacked()
            && !field.isBlob()
            && member.getType() instanceof ArrowType.Struct
            && member.getDictionary() == null;
    if (members) {
      fields.add(field);
      addMembers(name + '.', tree.children(), member.getChildren());
      return;
    }
    FieldFit.require(name, tree, member);
    addWhole(tree);
  }

  private void addWhole(FieldTree tree) {
    fields.add(tree.field());
    tree.children().forEach(this::addWhole);
  }

  private static List<String> names(String path, List<FieldTree> trees) {
    return trees.stream().map(tree -> path + tree.field().name()).toList();
  }
}
