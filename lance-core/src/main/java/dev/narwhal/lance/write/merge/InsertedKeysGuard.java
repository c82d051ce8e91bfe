package dev.narwhal.lance.write.merge;

import dev.narwhal.lance.error.CommitConflict;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.transaction.CommitGuard;
import dev.narwhal.lance.write.WriteContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps two merges from inserting one key: what other commits added since the version that was read
 * is searched for the keys that are inserted here. A key that was found in the table is not among
 * them, so that a fragment which only brings rows of old ones costs a look and no more. Beyond real
 * Lance, which looks only at tables with a declared primary key, and only through a Bloom filter.
 * One thread.
 */
final class InsertedKeysGuard implements CommitGuard {
  private final WriteContext read;
  private final MergeSource source;
  private final PairRuns matches;
  private final SpillFolder folder;
  private final Map<Long, List<DataFile>> known = new HashMap<>();

  /**
   * @param read the version that the source was matched with
   * @param matches what it has there
   * @param folder for temporary files
   */
  InsertedKeysGuard(WriteContext read, MergeSource source, PairRuns matches, SpillFolder folder) {
    this.read = read;
    this.source = source;
    this.matches = matches;
    this.folder = folder;
    remember(read.manifest().fragments());
  }

  @Override
  public void check(ManifestFile latest) throws IOException {
    List<Fragment> added = new ArrayList<>();
    for (Fragment fragment : latest.manifest().fragments()) {
      if (!fragment.files().equals(known.get(fragment.id()))) {
        added.add(fragment);
      }
    }
    if (!added.isEmpty() && haveInsertedKey(read.at(latest), added)) {
      throw new RetryableConflictException(
          read.store().uri(),
          new CommitConflict(
              "Update",
              read.version(),
              "a commit that added a key which is inserted here too",
              latest.manifest().version(),
              List.of()));
    }
    remember(added);
  }

  private void remember(List<Fragment> fragments) {
    fragments.forEach(fragment -> known.put(fragment.id(), fragment.files()));
  }

  private boolean haveInsertedKey(WriteContext latest, List<Fragment> added) throws IOException {
    PairRuns found;
    try (TableKeys table = new TableKeys(latest, added, source.encoder())) {
      found = source.keys().match(table, folder);
    }
    try (PairCursor now = found.open();
        PairCursor before = matches.open()) {
      boolean more = before.next();
      while (now.next()) {
        while (more && before.row() < now.row()) {
          more = before.next();
        }
        if (!more || before.row() != now.row()) {
          return true;
        }
      }
    }
    return false;
  }
}
