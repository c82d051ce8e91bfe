package dev.narwhal.iceberg.verify;

import dev.narwhal.iceberg.mapping.FieldIds;
import dev.narwhal.iceberg.mapping.MappedField;
import dev.narwhal.iceberg.mapping.SourceProperties;
import dev.narwhal.iceberg.mapping.TableMapping;
import dev.narwhal.iceberg.table.IncompatibleTableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * Which field of a table is which of a dataset: by the field ids that the export recorded, so that
 * renames and reorderings play no part, else by name. A list has one element and a map one key and
 * one value, whatever their ids.
 */
final class Correspondence {
  private final Table table;
  private final Optional<FieldIds> ids;

  private Correspondence(Table table) {
    this.table = table;
    this.ids =
        Optional.ofNullable(table.properties().get(SourceProperties.FIELD_IDS))
            .map(FieldIds::fromJson);
  }

  /**
   * The table's columns in the order of the dataset's, the fields of structs as well.
   *
   * @throws IncompatibleTableException if one side has a field that the other lacks, or one of
   *     another type
   */
  static Schema of(TableMapping mapping, Table table) {
    return new Schema(
        new Correspondence(table).fields("", mapping.columns(), table.schema().columns()));
  }

  private List<Types.NestedField> fields(
      String above, List<MappedField> mapped, List<Types.NestedField> found) {
    List<Types.NestedField> fields = new ArrayList<>(mapped.size());
    List<Types.NestedField> left = new ArrayList<>(found);
    for (MappedField field : mapped) {
      String path = above + field.target().name();
      Types.NestedField one =
          find(field, found)
              .orElseThrow(
                  () ->
                      new IncompatibleTableException(
                          "table " + table.name() + " has no column " + path));
      left.remove(one);
      fields.add(withType(one, type(path, field, one)));
    }
    if (!left.isEmpty()) {
      throw new IncompatibleTableException(
          "table "
              + table.name()
              + " has columns that the dataset lacks: "
              + (above.isEmpty() ? "" : "in " + above + " ")
              + left);
    }
    return fields;
  }

  private Optional<Types.NestedField> find(MappedField mapped, List<Types.NestedField> found) {
    OptionalInt id = recordedId(mapped);
    Optional<Types.NestedField> byId =
        found.stream()
            .filter(field -> id.isPresent() && field.fieldId() == id.getAsInt())
            .findFirst();
    return byId.or(
        () ->
            found.stream()
                .filter(field -> field.name().equals(mapped.target().name()))
                .filter(field -> !isRecorded(field))
                .findFirst());
  }

  private OptionalInt recordedId(MappedField mapped) {
    OptionalInt lanceId = mapped.source().lanceFieldId();
    return ids.isPresent() && lanceId.isPresent()
        ? ids.get().icebergId(lanceId.getAsInt())
        : OptionalInt.empty();
  }

  /** Whether the table's field is known to be one of the dataset's, whatever it is called now. */
  private boolean isRecorded(Types.NestedField field) {
    return ids.isPresent() && ids.get().hasIcebergId(field.fieldId());
  }

  private Type type(String path, MappedField mapped, Types.NestedField found) {
    Type wanted = mapped.target().type();
    Type type = found.type();
    if (wanted.typeId() != type.typeId() || (type.isPrimitiveType() && !wanted.equals(type))) {
      throw new IncompatibleTableException(
          "column "
              + path
              + " is "
              + type
              + " in table "
              + table.name()
              + ", but the dataset's "
              + mapped.source().field().getType()
              + " maps to "
              + wanted);
    }
    return switch (type.typeId()) {
      case STRUCT ->
          Types.StructType.of(fields(path + ".", mapped.children(), type.asStructType().fields()));
      case LIST -> list(type.asListType(), part(path, mapped, type, 0));
      case MAP -> map(type.asMapType(), part(path, mapped, type, 0), part(path, mapped, type, 1));
      default -> type;
    };
  }

  private Type part(String path, MappedField mapped, Type type, int index) {
    Types.NestedField found = type.asNestedType().fields().get(index);
    return type(path + "." + found.name(), mapped.children().get(index), found);
  }

  private static Type list(Types.ListType type, Type element) {
    return type.isElementOptional()
        ? Types.ListType.ofOptional(type.elementId(), element)
        : Types.ListType.ofRequired(type.elementId(), element);
  }

  private static Type map(Types.MapType type, Type key, Type value) {
    return type.isValueOptional()
        ? Types.MapType.ofOptional(type.keyId(), type.valueId(), key, value)
        : Types.MapType.ofRequired(type.keyId(), type.valueId(), key, value);
  }

  private static Types.NestedField withType(Types.NestedField field, Type type) {
    return Types.NestedField.from(field).ofType(type).build();
  }
}
