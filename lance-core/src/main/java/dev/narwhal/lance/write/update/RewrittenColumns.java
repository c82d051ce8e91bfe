package dev.narwhal.lance.write.update;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.FieldTree;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Some top-level columns of a table, as they are written to new files of its fragments.
 *
 * @param schema the columns with all fields below them
 * @param fields as a scan gives them, blobs as their bytes
 */
record RewrittenColumns(LanceSchema schema, List<Field> fields) {
  RewrittenColumns {
    fields = List.copyOf(fields);
  }

  /** The columns of a table that have these names, in the table's order. */
  static RewrittenColumns of(LanceSchema table, List<String> names) {
    List<LanceField> below = new ArrayList<>();
    List<Field> fields = new ArrayList<>();
    for (FieldTree tree : FieldTree.topLevel(table)) {
      if (names.contains(tree.field().name())) {
        add(tree, below);
        fields.add(ArrowTypes.toArrow(tree, BlobMode.BYTES));
      }
    }
    return new RewrittenColumns(new LanceSchema(below, Map.of()), fields);
  }

  private static void add(FieldTree tree, List<LanceField> fields) {
    fields.add(tree.field());
    tree.children().forEach(child -> add(child, fields));
  }

  List<String> names() {
    return fields.stream().map(Field::getName).toList();
  }

  /** Ids of all fields. */
  List<Integer> fieldIds() {
    return schema.fields().stream().map(LanceField::id).toList();
  }

  /**
   * The fragment with the columns in a new file, and no more in the older ones. Source: table
   * format sheet 6.3.
   */
  Fragment replacedIn(Fragment fragment, DataFile file) {
    Set<Integer> ids = new HashSet<>(fieldIds());
    List<DataFile> files = new ArrayList<>();
    for (DataFile old : fragment.files()) {
      List<Integer> left =
          old.fields().stream().map(id -> ids.contains(id) ? DataFile.REPLACED : id).toList();
      files.add(
          new DataFile(
              old.path(),
              left,
              old.columnIndices(),
              old.majorVersion(),
              old.minorVersion(),
              old.sizeBytes(),
              old.baseId(),
              old.unknown()));
    }
    files.add(file);
    return fragment.withFiles(files);
  }

  /**
   * Refuses what is read in another form than it is written from.
   *
   * @param place the dataset, for the message
   * @throws UnsupportedFeatureException naming the column
   */
  void requireWritable(String place) {
    for (FieldTree tree : FieldTree.topLevel(schema)) {
      if (tree.field().isBlobV2()) {
        throw unsupported(place, tree, "blobs of the second kind");
      }
      if (hasDictionary(tree)) {
        throw unsupported(place, tree, "dictionary-encoded values");
      }
    }
  }

  private static boolean hasDictionary(FieldTree tree) {
    return tree.field().isDictionary()
        || tree.children().stream().anyMatch(RewrittenColumns::hasDictionary);
  }

  private static UnsupportedFeatureException unsupported(
      String place, FieldTree tree, String what) {
    return new UnsupportedFeatureException(
        place
            + ": column '"
            + tree.field().name()
            + "' has "
            + what
            + ", which are not written anew here: rewrite other columns in place, or let Lance do"
            + " it");
  }
}
