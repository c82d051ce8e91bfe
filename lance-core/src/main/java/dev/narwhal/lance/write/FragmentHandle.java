package dev.narwhal.lance.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.fragment.Fragment;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One fragment of one version, to delete rows of without a commit: the deletion file is written,
 * and the fragment that names it is the caller's to commit.
 */
public final class FragmentHandle {
  private final WriteContext context;
  private final Fragment fragment;

  public FragmentHandle(WriteContext context, Fragment fragment) {
    this.context = requireNonNull(context, "context");
    this.fragment = requireNonNull(fragment, "fragment");
  }

  /** The fragment as the version has it. */
  public Fragment fragment() {
    return fragment;
  }

  /**
   * Deletes the live rows for which a predicate is true.
   *
   * @return the fragment with its new deletion file; the same as before when no row matched; empty
   *     when no live row is left
   */
  public Optional<Fragment> delete(String where) throws IOException {
    RowSelection rows = RowSelection.where(where);
    return rows.isEverything(context) ? Optional.empty() : delete(rows);
  }

  /**
   * Deletes rows by their offsets, deleted rows counted.
   *
   * @return as {@link #delete}
   * @throws IllegalArgumentException when one is not in {@code [0, physical rows)}, or named twice
   */
  public Optional<Fragment> deleteRows(long... offsets) throws IOException {
    return delete(RowSelection.offsets(Map.of(fragment.id(), offsets)));
  }

  /**
   * The same with the rows, so that whoever commits it, with the results of others, can rebase it:
   * see {@link CommitBuilder}.
   */
  public UncommittedDelete executeUncommitted(RowSelection rows) throws IOException {
    return new RowDelete(context, DeleteOptions.standard())
        .executeUncommitted(rows, List.of(fragment));
  }

  private Optional<Fragment> delete(RowSelection rows) throws IOException {
    List<MatchedRows> matched = rows.find(context, List.of(fragment));
    FragmentDelete change =
        matched.isEmpty() ? new FragmentDelete.Nothing(fragment) : matched.get(0).delete();
    if (change instanceof FragmentDelete.Dropped) {
      return Optional.empty();
    }
    if (change instanceof FragmentDelete.Nothing) {
      return Optional.of(fragment);
    }
    DeletionFileSet written = new DeletionFileSet(context, LayoutChoice.lance());
    try {
      return Optional.of(written.write((FragmentDelete.Updated) change));
    } catch (IOException | RuntimeException e) {
      written.takeBack(e);
      throw e;
    }
  }
}
