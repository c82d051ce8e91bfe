package dev.narwhal.lance.transaction;

import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.FragmentBitmap;
import dev.narwhal.lance.manifest.IndexMetadata;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Keeps the indices of the next version honest: none may claim a fragment whose values it does not
 * hold. Indices of kinds that we do not know are kept by the same rules. Source: table format sheet
 * 9.4.
 */
final class IndexUpkeep {
  private IndexUpkeep() {}

  static void create(NextVersion next, Operation.CreateIndex operation) {
    Set<UUID> removed = new HashSet<>();
    operation.removedIndices().forEach(index -> removed.add(index.uuid()));
    List<IndexMetadata> indices = new ArrayList<>(next.indices);
    indices.removeIf(index -> removed.contains(index.uuid()));
    Set<Integer> fields = OperationEffects.fieldIds(next.schema);
    for (IndexMetadata index : operation.newIndices()) {
      if (!index.isSystem() && !fields.containsAll(index.fields())) {
        throw new IllegalArgumentException(
            "index "
                + index.name()
                + " is on fields "
                + index.fields()
                + ", not all in the schema");
      }
      indices.removeIf(other -> other.uuid().equals(index.uuid()));
      indices.add(index);
    }
    next.indices = indices;
  }

  /** Fields changed in place are no longer what the index holds. */
  static void afterUpdate(NextVersion next, Operation.Update operation, List<Fragment> added) {
    Set<Long> updated = Footprint.of(operation).updated();
    prune(next, new HashSet<>(operation.fieldsModified()), updated);
    if (next.stableRowIds && operation.mode() == Operation.UpdateMode.REWRITE_ROWS) {
      adopt(next, operation, added);
    }
    retainRelevant(next);
  }

  /**
   * Takes fragments out of the indices on any of the fields. After a deferred compaction the ids of
   * fragments that are gone may stand for them, and go too.
   */
  static void prune(NextVersion next, Set<Integer> fields, Set<Long> fragments) {
    boolean deferred = hasDeferredCompaction(next);
    Set<Long> there = fragmentIds(next);
    List<IndexMetadata> indices = new ArrayList<>(next.indices.size());
    for (IndexMetadata index : next.indices) {
      boolean stale = !fragments.isEmpty() && index.fields().stream().anyMatch(fields::contains);
      Optional<FragmentBitmap> bitmap = index.fragmentBitmap();
      if (stale && bitmap.isPresent()) {
        Set<Long> covered = ids(bitmap.get());
        boolean less = covered.removeAll(fragments);
        less |= deferred && covered.retainAll(there);
        indices.add(
            less ? index.withFragmentBitmap(Optional.of(FragmentBitmap.ofIds(covered))) : index);
      } else {
        indices.add(index);
      }
    }
    next.indices = indices;
  }

  /**
   * Whether a compaction left the indices as they were: then they name fragments that are gone, and
   * the record of rewritten fragments tells where the rows are. Source: table format sheet 8.5.
   */
  private static boolean hasDeferredCompaction(NextVersion next) {
    return next.indices.stream()
        .anyMatch(index -> index.name().equals(IndexMetadata.FRAGMENT_REUSE));
  }

  private static Set<Long> fragmentIds(NextVersion next) {
    Set<Long> ids = new HashSet<>();
    next.fragments.forEach(fragment -> ids.add(fragment.id()));
    return ids;
  }

  /**
   * Rows that moved with their ids are still found by an index on columns that did not change: it
   * covers a new fragment of such rows alone, if it covered all that they came from.
   */
  private static void adopt(NextVersion next, Operation.Update operation, List<Fragment> added) {
    Set<Long> pure = new HashSet<>();
    for (int i = 0; i < added.size(); i++) {
      Fragment given = operation.newFragments().get(i);
      if (given.rowIds().isPresent()
          && NewFragments.decode(given).length() == NewFragments.requireRows(given)) {
        pure.add(added.get(i).id());
      }
    }
    Set<Long> sources = Footprint.of(operation).all();
    Set<Integer> changed = new HashSet<>(operation.fieldsForPreservingFragmentBitmap());
    List<IndexMetadata> indices = new ArrayList<>(next.indices.size());
    for (IndexMetadata index : next.indices) {
      Optional<FragmentBitmap> bitmap = index.fragmentBitmap();
      boolean adopts =
          !pure.isEmpty()
              && !index.isSystem()
              && bitmap.isPresent()
              && index.fields().stream().noneMatch(changed::contains)
              && sources.stream().allMatch(bitmap.get()::contains);
      indices.add(adopts ? index.withFragmentBitmap(with(bitmap.get(), pure)) : index);
    }
    next.indices = indices;
  }

  /**
   * With stable row ids every index goes on with the new fragments; else those that the operation
   * mapped do, under a new uuid.
   */
  static void afterRewrite(
      NextVersion next, Operation.Rewrite operation, List<List<Fragment>> groups) {
    Map<UUID, Operation.RewrittenIndex> mapped = new HashMap<>();
    for (Operation.RewrittenIndex index : operation.rewrittenIndices()) {
      if (mapped.put(index.oldId(), index) != null) {
        throw new IllegalArgumentException("index " + index.oldId() + " is rewritten twice");
      }
    }
    List<IndexMetadata> indices = new ArrayList<>(next.indices.size());
    for (IndexMetadata index : next.indices) {
      Operation.RewrittenIndex rewritten = mapped.remove(index.uuid());
      if (rewritten != null) {
        indices.add(renewed(recalculated(index, operation, groups), rewritten));
      } else if (next.stableRowIds && !index.isSystem() && index.fragmentBitmap().isPresent()) {
        indices.add(recalculated(index, operation, groups));
      } else {
        indices.add(index);
      }
    }
    if (!mapped.isEmpty()) {
      throw new IllegalArgumentException(
          "a Rewrite maps indices " + mapped.keySet() + ", which the table does not have");
    }
    next.indices = indices;
  }

  private static IndexMetadata recalculated(
      IndexMetadata index, Operation.Rewrite operation, List<List<Fragment>> groups) {
    FragmentBitmap bitmap =
        index
            .fragmentBitmap()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "index " + index.name() + " does not say which fragments it covers"));
    Set<Long> covered = ids(bitmap);
    for (int i = 0; i < groups.size(); i++) {
      Set<Long> old = new HashSet<>();
      operation.groups().get(i).oldFragments().forEach(fragment -> old.add(fragment.id()));
      long found = old.stream().filter(bitmap::contains).count();
      if (found != 0 && found != old.size()) {
        throw new IllegalArgumentException(
            "index " + index.name() + " covers " + found + " of the rewritten fragments " + old);
      }
      if (found != 0) {
        covered.removeAll(old);
        groups.get(i).forEach(fragment -> covered.add(fragment.id()));
      }
    }
    return index.withFragmentBitmap(Optional.of(FragmentBitmap.ofIds(covered)));
  }

  /** Real Lance gives vector indices empty details here, and keeps those they had. */
  private static IndexMetadata renewed(IndexMetadata index, Operation.RewrittenIndex rewritten) {
    return new IndexMetadata(
        rewritten.newId(),
        index.fields(),
        index.name(),
        index.datasetVersion(),
        index.fragmentBitmap(),
        rewritten.newDetails().filter(details -> details.bytes().hasRemaining()).or(index::details),
        OptionalInt.of(rewritten.newIndexVersion()),
        index.createdAtMillis(),
        OptionalInt.empty(),
        rewritten.newFiles(),
        index.unknown());
  }

  /**
   * Drops what nobody can use any more. After a deferred compaction what covers no fragment that is
   * there may cover those that took their places: it stays.
   */
  static void retainRelevant(NextVersion next) {
    Set<Integer> fields = OperationEffects.fieldIds(next.schema);
    if (hasDeferredCompaction(next)) {
      next.indices =
          next.indices.stream()
              .filter(index -> index.isSystem() || fields.containsAll(index.fields()))
              .toList();
      return;
    }
    Set<Long> fragments = fragmentIds(next);
    Map<String, List<IndexMetadata>> byName = new LinkedHashMap<>();
    for (IndexMetadata index : next.indices) {
      if (index.isSystem() || fields.containsAll(index.fields())) {
        byName.computeIfAbsent(index.name(), name -> new ArrayList<>()).add(index);
      }
    }
    Set<IndexMetadata> kept = new HashSet<>();
    for (List<IndexMetadata> segments : byName.values()) {
      kept.addAll(relevant(segments, fragments));
    }
    next.indices = next.indices.stream().filter(kept::contains).toList();
  }

  /**
   * Of the segments of one index: those that cover something, or else the oldest alone. Where it is
   * not known what a segment covers it stays: what a {@link Migration} did not trust is not lost
   * for that. Real Lance works the coverage out instead.
   */
  private static List<IndexMetadata> relevant(List<IndexMetadata> segments, Set<Long> fragments) {
    List<IndexMetadata> covering = new ArrayList<>();
    IndexMetadata oldest = segments.get(0);
    for (IndexMetadata index : segments) {
      if (index.isSystem()
          || index.fragmentBitmap().map(of -> containsAny(of, fragments)).orElse(true)) {
        covering.add(index);
      }
      if (Long.compareUnsigned(index.datasetVersion(), oldest.datasetVersion()) < 0) {
        oldest = index;
      }
    }
    if (!covering.isEmpty()) {
      return covering;
    }
    return oldest.isVector() ? List.of() : List.of(oldest);
  }

  private static boolean containsAny(FragmentBitmap bitmap, Collection<Long> fragments) {
    return fragments.stream().anyMatch(bitmap::contains);
  }

  private static Optional<FragmentBitmap> with(FragmentBitmap bitmap, Set<Long> more) {
    Set<Long> ids = ids(bitmap);
    ids.addAll(more);
    return Optional.of(FragmentBitmap.ofIds(ids));
  }

  private static Set<Long> ids(FragmentBitmap bitmap) {
    Set<Long> ids = new TreeSet<>();
    bitmap.forEach(ids::add);
    return ids;
  }
}
