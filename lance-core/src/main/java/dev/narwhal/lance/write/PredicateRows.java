package dev.narwhal.lance.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.predicate.Predicate;
import java.io.IOException;
import java.util.List;

/** The rows that an expression is true for. */
final class PredicateRows extends RowSelection {
  private static final long serialVersionUID = 1L;

  private final String text;

  PredicateRows(String text) {
    this.text = requireNonNull(text, "text");
  }

  @Override
  List<MatchedRows> find(WriteContext context, List<Fragment> fragments) throws IOException {
    Predicate predicate = context.predicate(text);
    return predicate.constant().orElse(false)
        ? MatchedRows.all(context, fragments)
        : MatchedRows.find(context, fragments, predicate);
  }

  @Override
  boolean isEverything(WriteContext context) {
    return context.predicate(text).constant().orElse(false);
  }

  @Override
  boolean holdsForNewerVersions(WriteContext context) {
    return true;
  }

  @Override
  String text() {
    return text;
  }

  @Override
  public String toString() {
    return "rows where " + text;
  }
}
