package dev.narwhal.lance.refs;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.manifest.Versions;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.transaction.CloneCommit;
import dev.narwhal.lance.transaction.CloneSource;
import dev.narwhal.lance.transaction.Committed;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Clock;
import java.util.Optional;

/**
 * A dataset of its own that begins as a version of another, and leaves that one's files where they
 * are. Whatever is written later lies in the clone. The source does not know of it: tag the version
 * there, or a clean-up of the source will remove files that the clone needs. Source: table format
 * sheet 1.8.
 */
public final class ShallowClone {
  private final ObjectStore source;
  private final Clock clock;

  /**
   * @param source root of the dataset to clone from
   */
  public ShallowClone(ObjectStore source) {
    this(source, Clock.systemUTC());
  }

  /**
   * @param clock stamps the clone's first version
   */
  public ShallowClone(ObjectStore source, Clock clock) {
    this.source = requireNonNull(source, "source");
    this.clock = requireNonNull(clock, "clock");
  }

  /**
   * Makes the clone.
   *
   * @param version of the source, which keeps its number in the clone
   * @param target root of the new dataset
   * @throws FileAlreadyExistsException when there is a dataset; nothing is changed then
   * @throws dev.narwhal.lance.error.DatasetNotFoundException when there is no such version
   * @throws dev.narwhal.lance.error.UnsupportedFeatureException when the version cannot be cloned
   * @throws dev.narwhal.lance.error.CommitStateUnknownException when it cannot be told whether the
   *     clone was made; nothing is removed
   */
  public Committed into(ObjectStore target, VersionSelector version) throws IOException {
    return prepare(target, version).commit();
  }

  /** Checks all that can be checked beforehand. */
  public CloneCommit prepare(ObjectStore target, VersionSelector version) throws IOException {
    Versions.Found found = Versions.find(source, version);
    CloneCommit clone =
        new CloneCommit(
            target,
            new CloneSource(found.store(), found.file(), found.branch()),
            Optional.empty(),
            clock);
    clone.requireFree();
    return clone;
  }
}
