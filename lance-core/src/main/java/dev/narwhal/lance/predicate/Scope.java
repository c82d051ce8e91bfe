package dev.narwhal.lance.predicate;

import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.predicate.Expression.ColumnRef;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The columns that a text may name: those of one schema, or of several, each under a qualifier
 * ({@code source.x}, {@code target.x}). Immutable.
 *
 * <p>A qualified column goes by {@link #qualifiedName} in a batch: {@code source.x} is read from
 * the vector of that name. A name without qualifier is found if only one of the schemas has it.
 */
public final class Scope {
  /** By qualifier; the one schema without qualifiers under the empty name. */
  private final Map<String, List<Field>> columns;

  private Scope(Map<String, List<Field>> columns) {
    this.columns = columns;
  }

  /** The columns of one schema, by their names. */
  public static Scope of(Schema schema) {
    return new Scope(Map.of("", schema.getFields()));
  }

  /**
   * The columns of several schemas.
   *
   * @param schemas by qualifier, which is found without regard to case
   * @throws IllegalArgumentException for an empty qualifier
   */
  public static Scope qualified(Map<String, Schema> schemas) {
    Map<String, List<Field>> columns = new LinkedHashMap<>();
    schemas.forEach((qualifier, schema) -> columns.put(qualifier, schema.getFields()));
    if (columns.containsKey("") || columns.isEmpty()) {
      throw new IllegalArgumentException("a qualifier must not be empty, and there must be one");
    }
    return new Scope(Collections.unmodifiableMap(columns));
  }

  /** Name in a batch of a column under a qualifier: {@code source.x}. */
  public static String qualifiedName(String qualifier, String column) {
    return qualifier + "." + column;
  }

  /** Whether a plain name may be a column, so that it is no function without parentheses. */
  boolean hasColumn(String name) {
    return columns.values().stream()
        .flatMap(List::stream)
        .anyMatch(field -> field.getName().equalsIgnoreCase(name));
  }

  /** The column, or member of one, that a dotted path names. */
  ColumnRef resolve(List<OperandParser.Name> path) {
    List<Field> only = columns.get("");
    if (only != null) {
      return Names.resolve(path, only);
    }
    for (Map.Entry<String, List<Field>> entry : columns.entrySet()) {
      if (path.size() > 1 && path.get(0).text().equalsIgnoreCase(entry.getKey())) {
        return qualify(
            entry.getKey(), Names.resolve(path.subList(1, path.size()), entry.getValue()));
      }
    }
    return unqualified(path);
  }

  private ColumnRef unqualified(List<OperandParser.Name> path) {
    String name = path.get(0).text();
    List<String> having = new ArrayList<>();
    columns.forEach(
        (qualifier, fields) -> {
          if (fields.stream().anyMatch(field -> field.getName().equalsIgnoreCase(name))) {
            having.add(qualifier);
          }
        });
    if (having.size() > 1) {
      throw new InvalidPredicateException(
          "'"
              + name
              + "' is ambiguous: write "
              + String.join(" or ", qualifiedNames(having, name)));
    }
    if (having.isEmpty()) {
      throw new InvalidPredicateException(
          "no column is named '"
              + name
              + "': columns are named as in "
              + String.join(" or ", qualifiedNames(List.copyOf(columns.keySet()), "x")));
    }
    String qualifier = having.get(0);
    return qualify(qualifier, Names.resolve(path, columns.getOrDefault(qualifier, List.of())));
  }

  private static List<String> qualifiedNames(List<String> qualifiers, String name) {
    return qualifiers.stream().map(qualifier -> qualifiedName(qualifier, name)).toList();
  }

  private static ColumnRef qualify(String qualifier, ColumnRef found) {
    List<String> path = new ArrayList<>(found.path());
    path.set(0, qualifiedName(qualifier, found.column()));
    return new ColumnRef(path, found.type());
  }

  /** The top-level columns that an expression reads, by their names in a batch, in order. */
  Set<String> columnsOf(Expression expression) {
    Set<String> found = new LinkedHashSet<>();
    Columns.of(expression).forEach(column -> found.add(column.column()));
    Set<String> ordered = new LinkedHashSet<>();
    columns.forEach(
        (qualifier, fields) ->
            fields.forEach(
                field -> {
                  String name =
                      qualifier.isEmpty()
                          ? field.getName()
                          : qualifiedName(qualifier, field.getName());
                  if (found.contains(name)) {
                    ordered.add(name);
                  }
                }));
    return Collections.unmodifiableSet(ordered);
  }
}
