package dev.narwhal.lance.write;

import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.predicate.Predicate;
import java.io.IOException;
import java.util.List;

/** Which rows a delete is about; found anew on each version that it is tried on. */
interface RowSource {
  /**
   * Live rows by fragment; fragments without any are left out.
   *
   * @throws IllegalArgumentException when the version cannot have such rows
   */
  List<MatchedRows> find(WriteContext context, List<Fragment> fragments) throws IOException;

  /** Whether all rows of the version are meant, so that nothing needs to be read. */
  boolean isEverything(WriteContext context);

  /** Whether the source means the same rows on a newer version. */
  boolean holdsForNewerVersions();

  /** What goes into the transaction as the predicate. */
  String text();

  /** The rows that an expression is true for. */
  static RowSource where(String text) {
    return new RowSource() {
      @Override
      public List<MatchedRows> find(WriteContext context, List<Fragment> fragments)
          throws IOException {
        return MatchedRows.find(context, fragments, context.predicate(text));
      }

      @Override
      public boolean isEverything(WriteContext context) {
        Predicate predicate = context.predicate(text);
        return predicate.constant().orElse(false);
      }

      @Override
      public boolean holdsForNewerVersions() {
        return true;
      }

      @Override
      public String text() {
        return text;
      }
    };
  }
}
