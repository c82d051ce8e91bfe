package dev.narwhal.lance.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.predicate.Predicate;
import java.io.IOException;
import java.util.List;
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
    Predicate predicate = context.predicate(where);
    if (predicate.constant().orElse(false)) {
      return Optional.empty();
    }
    List<MatchedRows> matched = MatchedRows.find(context, List.of(fragment), predicate);
    if (matched.isEmpty()) {
      return Optional.of(fragment);
    }
    FragmentDelete change = matched.get(0).delete();
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
