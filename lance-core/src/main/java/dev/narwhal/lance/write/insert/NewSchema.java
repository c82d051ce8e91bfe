package dev.narwhal.lance.write.insert;

import dev.narwhal.lance.datafile.FileVersion;
import dev.narwhal.lance.datafile.write.LanceFileWriter;
import dev.narwhal.lance.datafile.write.WriterOptions;
import dev.narwhal.lance.scan.SystemColumns;
import dev.narwhal.lance.schema.FieldTree;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.LogicalTypes;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Schema;

/** The schema that a table gets with its first rows, or with all new ones. */
public final class NewSchema {
  private NewSchema() {}

  /**
   * The Lance schema of an Arrow one, with field ids from 0 on.
   *
   * @param dictionaries of the fields that have one
   * @throws IllegalArgumentException when there is no column, when two have one name, or one has a
   *     name that cannot be used
   * @throws dev.narwhal.lance.error.UnsupportedFeatureException for a type that Lance, or this
   *     version of its files, has no columns for
   */
  public static LanceSchema of(Schema schema, DictionaryProvider dictionaries, FileVersion version)
      throws IOException {
    if (schema.getFields().isEmpty()) {
      throw new IllegalArgumentException("there is no column; a table has at least one");
    }
    LanceSchema fields = LogicalTypes.of(schema, dictionaries);
    List<FieldTree> trees = FieldTree.topLevel(fields);
    requireDistinct("", trees);
    trees.forEach(tree -> requireNames("", tree));
    for (FieldTree tree : trees) {
      requireUsable(tree.field().name());
    }
    // asks the writer of each column, so that a source without rows is refused too
    LanceFileWriter.create(new DryRunStore("none"), "none", fields, WriterOptions.of(version))
        .close();
    return fields;
  }

  /**
   * Refuses names that no column can have: one with a dot would be taken for a member of a struct.
   * Without a name, or with a backtick in it, real Lance 7.0.0 writes a column and then cannot scan
   * the table; a NUL ends its process.
   *
   * @throws IllegalArgumentException that says why
   */
  public static void requireUsable(String name) {
    requireText("", name);
    if (name.indexOf('`') >= 0) {
      throw new IllegalArgumentException(
          "no column can be called '" + name + "': a name has no '`'; use another character");
    }
    if (name.indexOf('.') >= 0) {
      throw new IllegalArgumentException(
          "no column can be called '" + name + "': a name has no '.'; use a struct instead");
    }
    if (SystemColumns.contains(name)) {
      throw new IllegalArgumentException(
          "no column can be called '" + name + "', which stands for what Lance knows of a row");
    }
  }

  /** Refuses the names of members of structs that have no text. Those in lists do not matter. */
  private static void requireNames(String path, FieldTree tree) {
    String name = path + tree.field().name();
    for (FieldTree child : tree.children()) {
      if (tree.field().logicalType().equals("struct")) {
        requireText(name + '.', child.field().name());
      }
      requireNames(name + '.', child);
    }
  }

  /**
   * Refuses no name at all, and one that cannot be stored.
   *
   * @param path of the struct that it is in, ended by a dot; empty at the top
   */
  private static void requireText(String path, String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException(
          (path.isEmpty()
                  ? "there is a column without a name"
                  : "column '"
                      + path.substring(0, path.length() - 1)
                      + "' has a member without a name")
              + "; give it one");
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean pair = i + 1 < name.length() && Character.isSurrogatePair(c, name.charAt(i + 1));
      if (c == 0 || (Character.isSurrogate(c) && !pair)) {
        throw new IllegalArgumentException(
            "column '%s': a name has no character U+%04X".formatted(path + name, (int) c));
      }
      i += pair ? 1 : 0;
    }
  }

  private static void requireDistinct(String path, List<FieldTree> trees) {
    Set<String> names = new HashSet<>();
    for (FieldTree tree : trees) {
      String name = path + tree.field().name();
      if (!names.add(name)) {
        throw new IllegalArgumentException("two columns are called '" + name + "'");
      }
      requireDistinct(name + '.', tree.children());
    }
  }
}
