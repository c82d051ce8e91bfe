package dev.narwhal.lance.predicate;

import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.predicate.Expression.ColumnRef;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Finds columns and struct members by name (facts 14.4): a name in back quotes is found exactly, a
 * plain one exactly or else without regard to case. Real Lance 7.0.0 takes the first of several
 * columns that differ in case only, and finds members of structs exactly only; here the former is
 * an error and the latter are found as columns are.
 */
final class Names {
  private static final int SHOWN = 20;

  private Names() {}

  static ColumnRef resolve(List<OperandParser.Name> path, List<Field> columns) {
    Field field = find(path.get(0), columns, "column");
    List<String> found = new ArrayList<>(List.of(field.getName()));
    for (OperandParser.Name name : path.subList(1, path.size())) {
      ValueType type = ValueType.of(field);
      if (!type.is(ValueType.Kind.STRUCT)) {
        throw new InvalidPredicateException(
            "'"
                + String.join(".", found)
                + "' is "
                + type
                + ", not a struct: it has no member '"
                + name.text()
                + "' (a column whose name has dots is written in back quotes)");
      }
      field = find(name, type.children(), "member of '" + String.join(".", found) + "'");
      found.add(field.getName());
    }
    return new ColumnRef(found, ValueType.of(field));
  }

  /** A member of a struct that was found before. */
  static ColumnRef member(ColumnRef struct, OperandParser.Name name) {
    String place = "member of '" + String.join(".", struct.path()) + "'";
    Field field = find(name, struct.type().children(), place);
    List<String> path = new ArrayList<>(struct.path());
    path.add(field.getName());
    return new ColumnRef(path, ValueType.of(field));
  }

  private static Field find(OperandParser.Name name, List<Field> fields, String what) {
    List<Field> similar = new ArrayList<>();
    for (Field field : fields) {
      if (field.getName().equals(name.text())) {
        return field;
      }
      if (!name.quoted() && field.getName().equalsIgnoreCase(name.text())) {
        similar.add(field);
      }
    }
    if (similar.size() == 1) {
      return similar.get(0);
    }
    if (similar.size() > 1) {
      throw new InvalidPredicateException(
          "'"
              + name.text()
              + "' is ambiguous, it may be "
              + quoted(similar)
              + ": write the name as it is in the schema");
    }
    List<String> names = fields.stream().map(Field::getName).toList();
    throw new InvalidPredicateException(
        "no " + what + " is named '" + name.text() + "'" + hint(name.text(), names));
  }

  private static String quoted(List<Field> fields) {
    return String.join(" or ", fields.stream().map(f -> "`" + f.getName() + "`").toList());
  }

  /** What the writer may have meant: the nearest names, or else all of them. */
  static String hint(String name, List<String> candidates) {
    List<String> near =
        candidates.stream()
            .filter(c -> distance(name, c) <= (name.length() + 1) / 3)
            .sorted(Comparator.comparingInt((String c) -> distance(name, c)).thenComparing(c -> c))
            .limit(3)
            .toList();
    if (!near.isEmpty()) {
      return ": did you mean "
          + String.join(" or ", near.stream().map(n -> "'" + n + "'").toList())
          + "?";
    }
    String all = String.join(", ", candidates.stream().limit(SHOWN).toList());
    return ": there are " + all + (candidates.size() > SHOWN ? ", .." : "");
  }

  /** Least number of characters to insert, delete or replace, without regard to case. */
  private static int distance(String left, String right) {
    if (Math.abs(left.length() - right.length()) > left.length() / 3 + 1) {
      return Integer.MAX_VALUE;
    }
    String a = left.toLowerCase(Locale.ROOT);
    String b = right.toLowerCase(Locale.ROOT);
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
