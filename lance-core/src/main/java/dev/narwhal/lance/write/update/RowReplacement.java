package dev.narwhal.lance.write.update;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.write.RowIdRuns;
import dev.narwhal.lance.write.UncommittedDelete;
import java.util.List;
import java.util.Optional;

/**
 * An update that is put together from the work of several: one deleted rows without a commit,
 * another wrote what takes their place. The row ids of the former are given to the latter, so that
 * the rows are the same ones afterwards.
 *
 * <pre>{@code
 * UncommittedDelete deleted = dataset.prepareDelete(options).executeUncommitted("id = 2");
 * List<Fragment> written = ...;   // by a FragmentWriter, anywhere
 * dataset.commit()
 *     .withAffectedRows(deleted.affectedRows())
 *     .commit(RowReplacement.of(deleted, written, rowIds, changedFields));
 * }</pre>
 */
public final class RowReplacement {
  private RowReplacement() {}

  /**
   * The operation to commit.
   *
   * @param deleted rows that go
   * @param written fragments with the rows that come, all with id 0
   * @param rowIds stable ids of the first rows that come, in their order, u64; further rows get new
   *     ones. Empty on tables without stable row ids
   * @param changedFields ids of the fields that have other values in the rows that come
   * @throws IllegalArgumentException when there are more ids than rows
   */
  public static Operation.Update of(
      UncommittedDelete deleted,
      List<Fragment> written,
      long[] rowIds,
      List<Integer> changedFields) {
    requireNonNull(deleted, "deleted");
    Operation.Delete delete = deleted.operation();
    return Operation.Update.ofMovedRows(
        delete.deletedFragmentIds(),
        delete.updatedFragments(),
        withIds(written, rowIds),
        changedFields,
        Optional.empty());
  }

  private static List<Fragment> withIds(List<Fragment> written, long[] rowIds) {
    RowIdRuns ids = new RowIdRuns();
    for (long id : rowIds) {
      ids.add(id);
    }
    long rows = written.stream().mapToLong(part -> part.physicalRows().orElseThrow()).sum();
    if (ids.size() > rows) {
      throw new IllegalArgumentException(ids.size() + " row ids for " + rows + " rows");
    }
    return ids.dealtTo(written);
  }
}
