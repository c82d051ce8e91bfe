package dev.narwhal.lance.transaction;

import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a DataReplacement makes of a table's fragments. Source: table format sheet 9.3. */
final class ReplacedFiles {
  private ReplacedFiles() {}

  /**
   * Gives fragments other column files. Indices on these columns lose the fragments, since they
   * hold the old values; 7.0.0 leaves them, later releases do not.
   */
  static void apply(NextVersion next, Operation.DataReplacement operation) {
    Map<Long, DataFile> files = new HashMap<>();
    Set<Integer> fields = new HashSet<>();
    for (Operation.Replacement replacement : operation.replacements()) {
      Set<Integer> named = new HashSet<>(replacement.newFile().fields());
      if (!fields.isEmpty() && !fields.equals(named)) {
        throw new IllegalArgumentException(
            "the files of a DataReplacement must all hold the same fields: "
                + fields
                + " and "
                + named);
      }
      fields = named;
      if (files.put(replacement.fragmentId(), replacement.newFile()) != null) {
        throw new IllegalArgumentException(
            "fragment " + replacement.fragmentId() + " is given two files");
      }
    }
    Set<Long> replaced = Set.copyOf(files.keySet());
    List<Fragment> fragments = new ArrayList<>(next.fragments.size());
    for (Fragment fragment : next.fragments) {
      DataFile file = files.remove(fragment.id());
      fragments.add(file == null ? fragment : with(fragment, file));
    }
    if (!files.isEmpty()) {
      throw new IllegalArgumentException(
          "replaced fragments " + files.keySet() + " are not in the table");
    }
    NewFragments.requireFormat(next, fragments);
    next.fragments = fragments;
    IndexUpkeep.prune(next, fields, replaced);
  }

  private static Fragment with(Fragment fragment, DataFile file) {
    List<DataFile> files = new ArrayList<>(fragment.files());
    for (int i = 0; i < files.size(); i++) {
      DataFile old = files.get(i);
      if (old.fields().equals(file.fields())
          && old.majorVersion() == file.majorVersion()
          && old.minorVersion() == file.minorVersion()) {
        files.set(i, file);
        return fragment.withFiles(files);
      }
    }
    for (DataFile old : files) {
      if (old.fields().stream().anyMatch(file.fields()::contains)) {
        throw new IllegalArgumentException(
            "fragment "
                + fragment.id()
                + ": "
                + old.path()
                + " holds some of the fields "
                + file.fields()
                + " and others; only a whole file can be replaced");
      }
    }
    files.add(file);
    return fragment.withFiles(files);
  }
}
