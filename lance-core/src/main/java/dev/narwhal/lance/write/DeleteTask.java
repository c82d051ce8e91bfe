package dev.narwhal.lance.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.manifest.Versions;
import dev.narwhal.lance.storage.Stores;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A part of a delete, for a worker in another process: some fragments of one version. Serialisable.
 *
 * @param uri of the dataset
 * @param branch empty for main
 * @param version of the branch, u64
 * @param fragmentIds which fragments
 * @param rows which rows of them
 */
public record DeleteTask(
    String uri, String branch, long version, List<Long> fragmentIds, RowSelection rows)
    implements Serializable {
  public DeleteTask {
    requireNonNull(uri, "uri");
    requireNonNull(branch, "branch");
    requireNonNull(rows, "rows");
    fragmentIds = List.copyOf(fragmentIds);
  }

  /**
   * Deals the fragments of a version out to parts, none of them empty.
   *
   * @param parts at least 1
   */
  public static List<DeleteTask> split(
      String uri, Manifest manifest, RowSelection rows, int parts) {
    if (parts < 1) {
      throw new IllegalArgumentException("parts must be at least 1: " + parts);
    }
    List<Fragment> fragments = manifest.fragments();
    int count = Math.min(parts, fragments.size());
    List<DeleteTask> tasks = new ArrayList<>(count);
    for (int part = 0; part < count; part++) {
      int start = (int) ((long) fragments.size() * part / count);
      int end = (int) ((long) fragments.size() * (part + 1) / count);
      tasks.add(
          new DeleteTask(
              uri,
              manifest.branch().orElse(""),
              manifest.version(),
              fragments.subList(start, end).stream().map(Fragment::id).toList(),
              rows));
    }
    return tasks;
  }

  /**
   * Finds the rows and writes the deletion files.
   *
   * @param stores finds the dataset
   * @throws IllegalArgumentException when the version does not have such a fragment
   */
  public UncommittedDelete execute(Stores stores, BufferAllocator allocator) throws IOException {
    VersionSelector selector = VersionSelector.version(version);
    Versions.Found found =
        Versions.find(stores.at(uri), branch.isEmpty() ? selector : selector.onBranch(branch));
    WriteContext context = WriteContext.of(found.store(), stores, found.file(), allocator);
    Map<Long, Fragment> byId = new HashMap<>();
    context.manifest().fragments().forEach(fragment -> byId.put(fragment.id(), fragment));
    List<Fragment> fragments = new ArrayList<>(fragmentIds.size());
    for (long id : fragmentIds) {
      Fragment fragment = byId.get(id);
      if (fragment == null) {
        throw new IllegalArgumentException(uri + ": version " + version + " has no fragment " + id);
      }
      fragments.add(fragment);
    }
    return new RowDelete(context, DeleteOptions.standard()).executeUncommitted(rows, fragments);
  }
}
