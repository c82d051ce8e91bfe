package dev.narwhal.iceberg.mapping;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * Lance columns, as Arrow, to Iceberg types. A type is widened where Iceberg lacks it, never
 * narrowed; what has no place there is refused with an {@link UnsupportedFeatureException} that
 * names path, type and reason, or dealt with by the {@link Unsupported} policy. Used once.
 */
final class TypeMapping {
  private final MappingRules rules;
  private final List<Exemption> dropped = new ArrayList<>();
  private final List<Exemption> rendered = new ArrayList<>();
  private int lastId;

  TypeMapping(MappingRules rules) {
    this.rules = rules;
  }

  TableMapping columns(List<SourceField> columns) {
    List<MappedField> mapped = new ArrayList<>(columns.size());
    List<String> refusals = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      String name = columns.get(i).name();
      try {
        removable(name, name, columns.get(i), i).ifPresent(mapped::add);
      } catch (UnsupportedFeatureException e) {
        refusals.add(String.valueOf(e.getMessage()));
      }
    }
    if (!refusals.isEmpty()) {
      String advice =
          "; leave such columns out, or write them as text (--unsupported drop or string)";
      throw new UnsupportedFeatureException(
          String.join("; ", refusals) + (rules.unsupported() == Unsupported.FAIL ? advice : ""));
    }
    return new TableMapping(rules, mapped, dropped, rendered);
  }

  /** A column or a field of a struct, which may go without changing what is beside it. */
  private Optional<MappedField> removable(
      String path, String name, SourceField source, int position) {
    int droppedBefore = dropped.size();
    int renderedBefore = rendered.size();
    try {
      return Optional.of(field(path, name, source, position));
    } catch (UnsupportedFeatureException e) {
      if (rules.unsupported() != Unsupported.DROP) {
        throw e;
      }
      // what was found out about its parts is of no interest once it goes as a whole
      dropped.subList(droppedBefore, dropped.size()).clear();
      rendered.subList(renderedBefore, rendered.size()).clear();
      dropped.add(new Exemption(path, String.valueOf(e.getMessage())));
      return Optional.empty();
    }
  }

  private MappedField field(String path, String name, SourceField source, int position) {
    if (path.equals(name) && MetadataColumns.isMetadataColumn(name)) {
      throw refused(path, source.field(), "the name is one of Iceberg's metadata columns");
    }
    int id = ++lastId;
    try {
      List<MappedField> children = new ArrayList<>();
      Type type = type(path, source, children);
      boolean optional = source.field().isNullable() || !TableMapping.isStored(type);
      return new MappedField(source, position, nested(id, name, optional, type), false, children);
    } catch (UnsupportedFeatureException e) {
      if (rules.unsupported() != Unsupported.STRING) {
        throw e;
      }
      rendered.add(new Exemption(path, String.valueOf(e.getMessage())));
      Types.NestedField target =
          nested(id, name, source.field().isNullable(), Types.StringType.get());
      return new MappedField(source, position, target, true, List.of());
    }
  }

  private static Types.NestedField nested(int id, String name, boolean optional, Type type) {
    return optional
        ? Types.NestedField.optional(id, name, type)
        : Types.NestedField.required(id, name, type);
  }

  private Type type(String path, SourceField source, List<MappedField> children) {
    Field field = source.field();
    Optional<ExtensionMeaning> meaning = ExtensionMeaning.of(path, field);
    if (meaning.isPresent()) {
      return meaning.get().type();
    }
    return switch (field.getType().getTypeID()) {
      case Struct -> struct(path, source, children);
      case List, LargeList, FixedSizeList -> list(path, source, children);
      case Map -> map(path, source, children);
      default -> field.getType().accept(new PrimitiveTypes(path, field, rules));
    };
  }

  private Type struct(String path, SourceField source, List<MappedField> children) {
    for (int i = 0; i < source.children().size(); i++) {
      SourceField child = source.children().get(i);
      removable(path + "." + child.name(), child.name(), child, i).ifPresent(children::add);
    }
    if (children.stream().noneMatch(child -> TableMapping.isStored(child.target().type()))) {
      throw refused(path, source.field(), "a struct needs a field that a data file can hold");
    }
    return Types.StructType.of(children.stream().map(MappedField::target).toList());
  }

  private Type list(String path, SourceField source, List<MappedField> children) {
    MappedField element = part(path, "element", source.children().get(0), 0);
    children.add(element);
    return element.target().isOptional()
        ? Types.ListType.ofOptional(element.target().fieldId(), element.target().type())
        : Types.ListType.ofRequired(element.target().fieldId(), element.target().type());
  }

  private Type map(String path, SourceField source, List<MappedField> children) {
    List<SourceField> entry = source.children().get(0).children();
    if (entry.size() != 2) {
      throw refused(
          path, source.field(), "a map has keys and values, no " + entry.size() + " parts");
    }
    MappedField key = part(path, "key", entry.get(0), 0);
    MappedField value = part(path, "value", entry.get(1), 1);
    children.add(key);
    children.add(value);
    int keyId = key.target().fieldId();
    int valueId = value.target().fieldId();
    return value.target().isOptional()
        ? Types.MapType.ofOptional(keyId, valueId, key.target().type(), value.target().type())
        : Types.MapType.ofRequired(keyId, valueId, key.target().type(), value.target().type());
  }

  /** What a list or map cannot do without. */
  private MappedField part(String holder, String name, SourceField source, int position) {
    String path = holder + "." + name;
    MappedField part = field(path, name, source, position);
    if (TableMapping.isStored(part.target().type())) {
      return part;
    }
    return unstored(path, part);
  }

  /** Parquet has no lists or maps of what is always null. */
  private MappedField unstored(String path, MappedField part) {
    UnsupportedFeatureException refusal =
        refused(path, part.source().field(), "lists and maps cannot hold what is always null");
    if (rules.unsupported() != Unsupported.STRING) {
      throw refusal;
    }
    rendered.add(new Exemption(path, String.valueOf(refusal.getMessage())));
    Types.NestedField target =
        Types.NestedField.optional(
            part.target().fieldId(), part.target().name(), Types.StringType.get());
    return new MappedField(part.source(), part.position(), target, true, List.of());
  }

  static UnsupportedFeatureException refused(String path, Field field, String reason) {
    return new UnsupportedFeatureException(
        "column " + path + " of type " + field.getType() + ": " + reason);
  }
}
