package dev.narwhal.iceberg.parquet;

import dev.narwhal.iceberg.mapping.BooleanValues;
import dev.narwhal.iceberg.mapping.BytesValues;
import dev.narwhal.iceberg.mapping.ColumnValues;
import dev.narwhal.iceberg.mapping.DecimalValues;
import dev.narwhal.iceberg.mapping.DoubleValues;
import dev.narwhal.iceberg.mapping.FloatValues;
import dev.narwhal.iceberg.mapping.IntValues;
import dev.narwhal.iceberg.mapping.ListValues;
import dev.narwhal.iceberg.mapping.LongValues;
import dev.narwhal.iceberg.mapping.MapValues;
import dev.narwhal.iceberg.mapping.NullValues;
import dev.narwhal.iceberg.mapping.StructValues;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.parquet.column.ColumnDescriptor;

/**
 * Makes the writers of one file: the tree of the table's fields beside the leaves of the Parquet
 * schema, which are in the same order, depth first.
 */
final class FieldWriters {
  private final ArrowRows rows;
  private final Iterator<ColumnDescriptor> descriptors;
  private final List<LeafWriter> leaves = new ArrayList<>();

  FieldWriters(ArrowRows rows, List<ColumnDescriptor> descriptors) {
    this.rows = rows;
    this.descriptors = descriptors.iterator();
  }

  /** The writers of a table's columns; those that data files do not have are left out. */
  FieldWriter[] ofColumns(List<Types.NestedField> columns) {
    if (columns.size() != rows.columns().size()) {
      throw new IllegalArgumentException(
          rows.columns().size() + " columns for a table of " + columns.size());
    }
    FieldWriter[] writers = fields("", columns, rows.columns(), new Levels(0, 0));
    if (descriptors.hasNext()) {
      throw new IllegalArgumentException("nothing is written to " + descriptors.next());
    }
    return writers;
  }

  /** All Parquet columns, in the order of the file. */
  List<LeafWriter> leaves() {
    return List.copyOf(leaves);
  }

  private FieldWriter[] fields(
      String path, List<Types.NestedField> fields, List<ColumnValues> values, Levels levels) {
    List<FieldWriter> writers = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      field(path, fields.get(i), values.get(i), levels).ifPresent(writers::add);
    }
    return writers.toArray(FieldWriter[]::new);
  }

  private Optional<FieldWriter> field(
      String path, Types.NestedField field, ColumnValues values, Levels levels) {
    return values.accept(new Shapes(path, field, levels));
  }

  /**
   * Levels of a field.
   *
   * @param repetition number of lists and maps above it
   * @param definition the level of null here; everything above is there
   */
  private record Levels(int repetition, int definition) {
    Levels below(Types.NestedField field) {
      return field.isOptional() ? new Levels(repetition, definition + 1) : this;
    }

    Levels repeated() {
      return new Levels(repetition + 1, definition + 1);
    }
  }

  private final class Shapes implements ColumnValues.Visitor<Optional<FieldWriter>> {
    private final String path;
    private final Types.NestedField field;
    private final Levels levels;

    private Shapes(String above, Types.NestedField field, Levels levels) {
      this.path = above.isEmpty() ? field.name() : above + "." + field.name();
      this.field = field;
      this.levels = levels;
    }

    /** What the values and their writers need to know of a field that may be null. */
    private Nullability nullability() {
      return new Nullability(rows, path, field.isOptional(), levels.definition());
    }

    private Optional<FieldWriter> leaf(ColumnValues values) {
      LeafWriter leaf = new LeafWriter(nullability(), values, descriptors.next());
      leaves.add(leaf);
      return Optional.of(leaf);
    }

    @Override
    public Optional<FieldWriter> nulls(NullValues values) {
      return Optional.empty();
    }

    @Override
    public Optional<FieldWriter> booleans(BooleanValues values) {
      return leaf(values);
    }

    @Override
    public Optional<FieldWriter> ints(IntValues values) {
      return leaf(values);
    }

    @Override
    public Optional<FieldWriter> longs(LongValues values) {
      return leaf(values);
    }

    @Override
    public Optional<FieldWriter> floats(FloatValues values) {
      return leaf(values);
    }

    @Override
    public Optional<FieldWriter> doubles(DoubleValues values) {
      return leaf(values);
    }

    @Override
    public Optional<FieldWriter> decimals(DecimalValues values) {
      return leaf(values);
    }

    @Override
    public Optional<FieldWriter> bytes(BytesValues values) {
      return leaf(values);
    }

    @Override
    public Optional<FieldWriter> struct(StructValues values) {
      FieldWriter[] fields =
          fields(path, field.type().asStructType().fields(), values.fields(), levels.below(field));
      return Optional.of(new StructWriter(nullability(), values, fields));
    }

    @Override
    public Optional<FieldWriter> list(ListValues values) {
      Levels inList = levels.below(field).repeated();
      Type.NestedType type = field.type().asNestedType();
      FieldWriter elements =
          field(path, type.fields().get(0), values.elements(), inList).orElseThrow();
      return Optional.of(new ListWriter(nullability(), values, elements, inList.repetition()));
    }

    @Override
    public Optional<FieldWriter> map(MapValues values) {
      Levels inMap = levels.below(field).repeated();
      List<Types.NestedField> parts = field.type().asNestedType().fields();
      FieldWriter keys = field(path, parts.get(0), values.keys(), inMap).orElseThrow();
      FieldWriter mapped = field(path, parts.get(1), values.values(), inMap).orElseThrow();
      return Optional.of(new MapWriter(nullability(), values, keys, mapped, inMap.repetition()));
    }
  }
}
