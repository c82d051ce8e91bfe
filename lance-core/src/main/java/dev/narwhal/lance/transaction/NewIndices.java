package dev.narwhal.lance.transaction;

import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.FragmentBitmap;
import dev.narwhal.lance.manifest.IndexMetadata;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * Indices that were built on an older version than the one they are committed on. Where the indexed
 * column of a fragment was written anew in between, an index holds the old values: it must not
 * claim that fragment, whose rows are then searched without it. Real Lance 7.0.0 has it claimed,
 * and misses rows; later releases do as we do. Pure. Source: table format sheet 8.8.
 */
final class NewIndices {
  private NewIndices() {}

  /**
   * The operation for the newest version.
   *
   * @param read the version that the indices were built on
   */
  static Operation.CreateIndex onto(
      Operation.CreateIndex operation, Manifest read, Manifest latest) {
    Map<Long, Fragment> then = new HashMap<>();
    read.fragments().forEach(fragment -> then.put(fragment.id(), fragment));
    List<IndexMetadata> indices = new ArrayList<>(operation.newIndices().size());
    for (IndexMetadata index : operation.newIndices()) {
      Set<Integer> fields = withDescendants(index.fields(), latest.schema());
      Set<Long> stale = new HashSet<>();
      for (Fragment now : latest.fragments()) {
        Fragment before = then.get(now.id());
        if (before != null && !places(before, fields).equals(places(now, fields))) {
          stale.add(now.id());
        }
      }
      indices.add(without(index, stale));
    }
    return indices.equals(operation.newIndices())
        ? operation
        : new Operation.CreateIndex(indices, operation.removedIndices(), operation.unknown());
  }

  private static IndexMetadata without(IndexMetadata index, Set<Long> stale) {
    Optional<FragmentBitmap> bitmap = index.fragmentBitmap();
    if (bitmap.isEmpty() || stale.stream().noneMatch(bitmap.get()::contains)) {
      return index;
    }
    Set<Long> covered = new TreeSet<>();
    bitmap.get().forEach(covered::add);
    covered.removeAll(stale);
    return index.withFragmentBitmap(Optional.of(FragmentBitmap.ofIds(covered)));
  }

  /** The values of a list or struct are in the columns below it. */
  private static Set<Integer> withDescendants(List<Integer> fields, LanceSchema schema) {
    Set<Integer> all = new HashSet<>(fields);
    boolean grown = true;
    while (grown) {
      grown = false;
      for (LanceField field : schema.fields()) {
        grown |= all.contains(field.parentId()) && all.add(field.id());
      }
    }
    return all;
  }

  /** Where the values of fields are: files never change, so that other values are elsewhere. */
  private static Set<Place> places(Fragment fragment, Set<Integer> fields) {
    Set<Place> places = new HashSet<>();
    for (DataFile file : fragment.files()) {
      for (int field : file.fields()) {
        if (fields.contains(field)) {
          places.add(new Place(field, file.path(), file.baseId()));
        }
      }
    }
    return places;
  }

  private record Place(int field, String path, OptionalInt baseId) {}
}
