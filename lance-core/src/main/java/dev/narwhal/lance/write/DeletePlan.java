package dev.narwhal.lance.write;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.transaction.AffectedRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a delete makes of one version, before anything is written.
 *
 * @param changes fragments with at least one row to delete
 * @param rows the rows; none where a whole fragment goes without being looked into
 */
record DeletePlan(List<FragmentDelete> changes, AffectedRows rows) {
  DeletePlan {
    changes = List.copyOf(changes);
  }

  /** Finds the rows. */
  static DeletePlan of(WriteContext context, RowSelection source) throws IOException {
    List<Fragment> fragments = context.manifest().fragments();
    if (source.isEverything(context)) {
      List<FragmentDelete> dropped = new ArrayList<>(fragments.size());
      for (Fragment fragment : fragments) {
        long live =
            fragment.liveRows().isPresent()
                ? fragment.liveRows().getAsLong()
                : FragmentRows.of(context, fragment).liveRows();
        dropped.add(new FragmentDelete.Dropped(fragment, live));
      }
      return new DeletePlan(dropped, AffectedRows.none());
    }
    return of(source.find(context, fragments));
  }

  static DeletePlan of(List<MatchedRows> matches) {
    List<FragmentDelete> changes = new ArrayList<>(matches.size());
    Map<Long, DeletionVector> rows = new HashMap<>();
    for (MatchedRows matched : matches) {
      FragmentDelete change = matched.delete();
      if (!(change instanceof FragmentDelete.Nothing)) {
        changes.add(change);
        rows.put(matched.fragment().id(), matched.rows().minus(matched.before()));
      }
    }
    return new DeletePlan(changes, AffectedRows.of(rows));
  }

  boolean isEmpty() {
    return changes.isEmpty();
  }

  /** Rows that were alive and are no more. */
  long deletedRows() {
    long deleted = 0;
    for (FragmentDelete change : changes) {
      deleted += change.deletedRows();
    }
    return deleted;
  }

  /** Fragments that get a new deletion file. */
  int updated() {
    return (int) changes.stream().filter(FragmentDelete.Updated.class::isInstance).count();
  }

  /** Ids of the fragments that lose their last live row. */
  Set<Long> droppedIds() {
    Set<Long> ids = new HashSet<>();
    for (FragmentDelete change : changes) {
      if (change instanceof FragmentDelete.Dropped) {
        ids.add(change.fragment().id());
      }
    }
    return ids;
  }

  int dropped() {
    return changes.size() - updated();
  }
}
