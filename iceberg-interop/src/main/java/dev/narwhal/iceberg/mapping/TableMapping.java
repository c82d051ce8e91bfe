package dev.narwhal.iceberg.mapping;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.types.Type;

/**
 * The columns of a dataset and the columns of the Iceberg table that they become. The table of
 * types is {@code docs/type-mapping.md}.
 */
public final class TableMapping {
  private final MappingRules rules;
  private final List<MappedField> columns;
  private final Schema schema;
  private final List<Exemption> dropped;
  private final List<Exemption> rendered;

  TableMapping(
      MappingRules rules,
      List<MappedField> columns,
      List<Exemption> dropped,
      List<Exemption> rendered) {
    this.rules = rules;
    this.columns = List.copyOf(columns);
    this.schema = schema(columns);
    this.dropped = List.copyOf(dropped);
    this.rendered = List.copyOf(rendered);
    checkSomeStored(dropped);
  }

  /**
   * Maps columns, in their order.
   *
   * @throws UnsupportedFeatureException if a column has no counterpart and the policy is to fail,
   *     or if no column is left; the message names column, type and reason
   */
  public static TableMapping of(List<SourceField> columns, MappingRules rules) {
    return new TypeMapping(rules).columns(columns);
  }

  private void checkSomeStored(List<Exemption> left) {
    if (columns.stream().noneMatch(column -> isStored(column.target().type()))) {
      throw new UnsupportedFeatureException(
          "no column is left that a data file can hold"
              + (left.isEmpty() ? "" : ", the first to go was " + left.get(0).reason()));
    }
  }

  private static Schema schema(List<MappedField> columns) {
    try {
      return new Schema(columns.stream().map(MappedField::target).toList());
    } catch (ValidationException e) {
      throw new UnsupportedFeatureException(
          "two fields have one name once paths are written with dots, rename a column: "
              + e.getMessage());
    }
  }

  /** Whether data files have values of the type: all but {@code unknown}, which is always null. */
  static boolean isStored(Type type) {
    return type.typeId() != Type.TypeID.UNKNOWN;
  }

  public MappingRules rules() {
    return rules;
  }

  /** The columns that map, in the dataset's order. */
  public List<MappedField> columns() {
    return columns;
  }

  /** What is read of the dataset, in the order of {@link #columns}. */
  public List<SourceField> sources() {
    return columns.stream().map(MappedField::source).toList();
  }

  /**
   * The table's columns. Their ids are provisional: Iceberg assigns the real ones when it creates
   * the table.
   */
  public Schema schema() {
    return schema;
  }

  /** Fields that are left out. */
  public List<Exemption> dropped() {
    return dropped;
  }

  /** Fields that became strings although they are no text. */
  public List<Exemption> rendered() {
    return rendered;
  }
}
