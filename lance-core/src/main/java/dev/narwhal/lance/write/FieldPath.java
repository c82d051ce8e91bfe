package dev.narwhal.lance.write;

import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Names a field from the top level down: names joined by {@code .}, each as it is or in back
 * quotes, inside which a doubled back quote stands for one. Names must match exactly.
 *
 * @param names at least one
 */
record FieldPath(List<String> names) {
  FieldPath {
    names = List.copyOf(names);
  }

  /**
   * Understands a path.
   *
   * @throws IllegalArgumentException when a name in it is empty, or a quote has no end
   */
  static FieldPath parse(String text) {
    List<String> names = new ArrayList<>();
    int at = 0;
    while (true) {
      StringBuilder name = new StringBuilder();
      at = text.startsWith("`", at) ? quoted(text, at, name) : plain(text, at, name);
      if (name.isEmpty() || (at < text.length() && text.charAt(at) != '.')) {
        throw new IllegalArgumentException("\"" + text + "\" is no path of a column");
      }
      names.add(name.toString());
      if (at == text.length()) {
        return new FieldPath(names);
      }
      at++;
    }
  }

  private static int plain(String text, int start, StringBuilder name) {
    int dot = text.indexOf('.', start);
    int end = dot < 0 ? text.length() : dot;
    name.append(text, start, end);
    return end;
  }

  private static int quoted(String text, int start, StringBuilder name) {
    for (int at = start + 1; at < text.length(); at++) {
      if (text.charAt(at) != '`') {
        name.append(text.charAt(at));
      } else if (text.startsWith("``", at)) {
        name.append('`');
        at++;
      } else {
        return at + 1;
      }
    }
    throw new IllegalArgumentException("\"" + text + "\" has a back quote without an end");
  }

  /**
   * The field.
   *
   * @throws IllegalArgumentException when there is none; the message names those there are
   */
  LanceField in(LanceSchema schema) {
    List<LanceField> level = schema.topLevel();
    Optional<LanceField> found = Optional.empty();
    for (String name : names) {
      found = level.stream().filter(field -> field.name().equals(name)).findFirst();
      if (found.isEmpty()) {
        throw new IllegalArgumentException(
            "there is no column \""
                + this
                + "\"; "
                + (level.isEmpty()
                    ? "nothing is inside its parent"
                    : "beside it are "
                        + String.join(", ", level.stream().map(LanceField::name).toList())));
      }
      level = schema.children(found.get());
    }
    return found.orElseThrow();
  }

  @Override
  public String toString() {
    return String.join(".", names);
  }
}
