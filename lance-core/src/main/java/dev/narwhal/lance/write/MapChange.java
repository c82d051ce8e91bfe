package dev.narwhal.lance.write;

import dev.narwhal.lance.transaction.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A change of a map of text.
 *
 * @param set keys with their new values
 * @param unset keys to remove; one that is not there does no harm
 * @param replace whether all that is not set is removed
 */
public record MapChange(Map<String, String> set, Set<String> unset, boolean replace) {
  public MapChange {
    set = Map.copyOf(set);
    unset = Set.copyOf(unset);
    if (set.containsKey("") || unset.contains("")) {
      throw new IllegalArgumentException("a key must not be empty");
    }
    for (String key : unset) {
      if (set.containsKey(key)) {
        throw new IllegalArgumentException("key \"" + key + "\" is both set and unset");
      }
    }
    if (set.isEmpty() && unset.isEmpty() && !replace) {
      throw new IllegalArgumentException("nothing is set and nothing unset");
    }
  }

  /** Sets keys, new ones or others. */
  public static MapChange set(Map<String, String> values) {
    return new MapChange(values, Set.of(), false);
  }

  /** Removes keys. */
  public static MapChange unset(Set<String> keys) {
    return new MapChange(Map.of(), keys, false);
  }

  /** Removes all keys but these. */
  public static MapChange replace(Map<String, String> values) {
    return new MapChange(values, Set.of(), true);
  }

  /** Whether nothing comes of it: all that is to be removed is not there. */
  boolean isNothing(Map<String, String> current) {
    return set.isEmpty() && !replace && unset.stream().noneMatch(current::containsKey);
  }

  Operation.UpdateMap toUpdateMap() {
    List<Operation.UpdateMap.Entry> entries = new ArrayList<>();
    new TreeMap<>(set)
        .forEach(
            (key, value) -> entries.add(new Operation.UpdateMap.Entry(key, Optional.of(value))));
    for (String key : new TreeSet<>(unset)) {
      entries.add(new Operation.UpdateMap.Entry(key, Optional.empty()));
    }
    return new Operation.UpdateMap(entries, replace);
  }
}
