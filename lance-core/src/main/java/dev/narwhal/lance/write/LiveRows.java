package dev.narwhal.lance.write;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.fragment.Fragment;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Offsets of live rows of a version by fragment id; fragments without any are left out. */
public final class LiveRows {
  private LiveRows() {}

  /** All of them. No data is read. */
  public static Map<Long, DeletionVector> all(WriteContext context) throws IOException {
    return byFragment(MatchedRows.all(context, context.manifest().fragments()));
  }

  /**
   * Those for which a predicate is true.
   *
   * @throws dev.narwhal.lance.error.InvalidPredicateException when it means nothing on the version
   */
  public static Map<Long, DeletionVector> where(WriteContext context, String predicate)
      throws IOException {
    List<Fragment> fragments = context.manifest().fragments();
    return byFragment(MatchedRows.find(context, fragments, context.predicate(predicate)));
  }

  private static Map<Long, DeletionVector> byFragment(List<MatchedRows> matches) {
    Map<Long, DeletionVector> rows = new HashMap<>();
    for (MatchedRows matched : matches) {
      rows.put(matched.fragment().id(), matched.rows().minus(matched.before()));
    }
    return rows;
  }
}
