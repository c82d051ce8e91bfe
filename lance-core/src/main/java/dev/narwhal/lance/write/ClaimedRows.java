package dev.narwhal.lance.write;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.transaction.AffectedRows;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The rows of one version that several deletes name; each row belongs to the first. One thread. */
final class ClaimedRows {
  private final Map<Long, MatchedRows> byFragment = new TreeMap<>();

  /** Adds the rows of a delete, and returns those that none before it has named. */
  AffectedRows claim(List<MatchedRows> found) {
    Map<Long, DeletionVector> claimed = new TreeMap<>();
    for (MatchedRows matched : found) {
      long id = matched.fragment().id();
      MatchedRows before = byFragment.get(id);
      DeletionVector mine = before == null ? matched.rows() : matched.rows().minus(before.rows());
      claimed.put(id, mine);
      byFragment.put(id, before == null ? matched : before.with(mine));
    }
    return AffectedRows.of(claimed);
  }

  /** A delete of all of them. */
  DeletePlan plan() {
    return DeletePlan.of(List.copyOf(byFragment.values()));
  }
}
