package dev.narwhal.lance.transaction;

import dev.narwhal.lance.error.CommitStateUnknownException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/**
 * Begins a dataset in a store that has no version yet: an Overwrite of nothing, as real Lance
 * writes it. One thread. Source: table format sheet 9.1, 9.2.
 */
public final class CreateCommit {
  private final FirstVersion first;

  /**
   * @param target whose root will be that of the dataset
   * @param fragments of the first version, all with id 0
   * @param config table configuration
   * @param properties of the transaction
   * @throws IllegalArgumentException when the fragments do not go with the table
   */
  public CreateCommit(
      ObjectStore target,
      NewTable table,
      List<Fragment> fragments,
      Map<String, String> config,
      Map<String, String> properties,
      Clock clock) {
    Operation overwrite =
        new Operation.Overwrite(fragments, table.schema(), config, List.of(), UnknownFields.none());
    Transaction transaction = Transaction.of(0, overwrite, properties);
    ManifestFile file = ManifestBuilder.first(table, transaction, clock.instant());
    this.first = new FirstVersion(target, transaction, file);
  }

  /**
   * Makes version 1.
   *
   * @throws FileAlreadyExistsException when the store has versions, or another writer begins there
   *     too; nothing of ours is left then, but the fragments' files
   * @throws CommitStateUnknownException when it cannot be told whether the version is ours; nothing
   *     is removed
   */
  public Committed commit() throws IOException {
    return first.commit();
  }
}
