package dev.narwhal.lance.scan;

import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.FieldTree;
import dev.narwhal.lance.schema.LanceSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Which columns a scan reads, and the schema it gives. Pure. */
final class ScanColumns {
  private final List<String> projected;
  private final List<String> filtered;
  private final BlobMode blobs;

  private ScanColumns(List<String> projected, List<String> filtered, BlobMode blobs) {
    this.projected = projected;
    this.filtered = filtered;
    this.blobs = blobs;
  }

  /**
   * Checks the names.
   *
   * @throws IllegalArgumentException for a column that the table does not have, or one asked twice
   */
  static ScanColumns of(LanceSchema schema, ScanOptions options) {
    TableFields fields = new TableFields(schema);
    List<String> projected = new ArrayList<>();
    for (String name : options.columns()) {
      if (!SystemColumns.contains(name)) {
        fields.get(name);
      }
      projected.add(name);
    }
    if (options.rowId()) {
      projected.add(SystemColumns.ROW_ID);
    }
    if (options.rowAddress()) {
      projected.add(SystemColumns.ROW_ADDRESS);
    }
    Set<String> seen = new HashSet<>();
    for (String name : projected) {
      if (!seen.add(name)) {
        throw new IllegalArgumentException("column '" + name + "' is asked for twice");
      }
    }
    List<String> filtered =
        options.filter().map(filter -> List.copyOf(filter.columns())).orElse(List.of());
    return new ScanColumns(List.copyOf(projected), filtered, options.blobs());
  }

  /** Columns of the result, in order. */
  List<String> projected() {
    return projected;
  }

  /** Columns that the predicate reads. */
  List<String> filtered() {
    return filtered;
  }

  /** All of them, each once. */
  List<String> all() {
    Set<String> all = new LinkedHashSet<>(filtered);
    all.addAll(projected);
    return List.copyOf(all);
  }

  /** The result's schema. */
  Schema schema(LanceSchema table) {
    return schemaOf(projected, table);
  }

  /** The schema of any of these columns. */
  Schema schemaOf(List<String> names, LanceSchema table) {
    TableFields known = new TableFields(table);
    List<Field> fields = new ArrayList<>();
    for (String name : names) {
      fields.add(
          SystemColumns.contains(name)
              ? SystemColumns.field(name)
              : ArrowTypes.toArrow(known.get(name), blobs));
    }
    return new Schema(fields, table.metadata());
  }

  /** Whether a column has values outside its pages that are to be read, row by row. */
  static boolean readsBlobs(FieldTree tree, BlobMode blobs) {
    return blobs == BlobMode.BYTES && tree.hasBlobs();
  }
}
