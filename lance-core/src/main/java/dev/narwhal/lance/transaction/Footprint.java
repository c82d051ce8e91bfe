package dev.narwhal.lance.transaction;

import dev.narwhal.lance.fragment.Fragment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The existing fragments that an operation changes. Source: table format sheet 8.3, "modified set".
 *
 * @param updated fragments that stay, with other rows or files
 * @param removed fragments that go
 */
record Footprint(Set<Long> updated, Set<Long> removed) {
  private static final Footprint NONE = new Footprint(Set.of(), Set.of());

  Footprint {
    updated = Set.copyOf(updated);
    removed = Set.copyOf(removed);
  }

  /** That of an operation; of one that changes all fragments, or none, it is empty. */
  static Footprint of(Operation operation) {
    if (operation instanceof Operation.Delete delete) {
      return new Footprint(
          ids(delete.updatedFragments()), new HashSet<>(delete.deletedFragmentIds()));
    }
    if (operation instanceof Operation.Update update) {
      return new Footprint(
          ids(update.updatedFragments()), new HashSet<>(update.removedFragmentIds()));
    }
    if (operation instanceof Operation.Rewrite rewrite) {
      Set<Long> old = new HashSet<>();
      for (Operation.RewriteGroup group : rewrite.groups()) {
        old.addAll(ids(group.oldFragments()));
      }
      return new Footprint(Set.of(), old);
    }
    if (operation instanceof Operation.DataReplacement replacement) {
      Set<Long> replaced = new HashSet<>();
      for (Operation.Replacement file : replacement.replacements()) {
        replaced.add(file.fragmentId());
      }
      return new Footprint(replaced, Set.of());
    }
    return NONE;
  }

  boolean touches(long fragmentId) {
    return updated.contains(fragmentId) || removed.contains(fragmentId);
  }

  /** All of them. */
  Set<Long> all() {
    Set<Long> all = new HashSet<>(updated);
    all.addAll(removed);
    return all;
  }

  boolean overlaps(Footprint other) {
    return all().stream().anyMatch(other::touches);
  }

  private static Set<Long> ids(List<Fragment> fragments) {
    Set<Long> ids = new HashSet<>();
    for (Fragment fragment : fragments) {
      ids.add(fragment.id());
    }
    return ids;
  }
}
