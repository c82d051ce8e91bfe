package dev.narwhal.iceberg.rowdelete;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

/** One table in memory, whose commits may be disturbed. */
final class MemoryOperations implements TableOperations {
  private final MemoryFiles files;
  private final AtomicReference<TableMetadata> shared;
  private TableMetadata current;
  private Runnable beforeCommit = () -> {};
  private boolean losesReply;

  MemoryOperations(MemoryFiles files, TableMetadata metadata) {
    this(files, new AtomicReference<>(metadata));
  }

  private MemoryOperations(MemoryFiles files, AtomicReference<TableMetadata> shared) {
    this.files = files;
    this.shared = shared;
    this.current = Objects.requireNonNull(shared.get());
  }

  /** The same table as another client sees it. */
  MemoryOperations otherClient() {
    return new MemoryOperations(files, shared);
  }

  /** Runs something before the next commit, once. */
  void beforeNextCommit(Runnable what) {
    beforeCommit = what;
  }

  /** Commits land from now on, and nobody hears of it. */
  void loseReplies() {
    losesReply = true;
  }

  @Override
  public TableMetadata current() {
    return current;
  }

  @Override
  public TableMetadata refresh() {
    current = Objects.requireNonNull(shared.get());
    return current;
  }

  @Override
  public void commit(TableMetadata base, TableMetadata metadata) {
    Runnable before = beforeCommit;
    beforeCommit = () -> {};
    before.run();
    // as it is when it has been written and read
    TableMetadata saved =
        TableMetadataParser.fromJson(
            metadataFileLocation("v.metadata.json"), TableMetadataParser.toJson(metadata));
    if (!shared.compareAndSet(base, saved)) {
      throw new CommitFailedException("somebody else was first");
    }
    current = saved;
    if (losesReply) {
      throw new CommitStateUnknownException(new IllegalStateException("no reply"));
    }
  }

  @Override
  public FileIO io() {
    return files;
  }

  @Override
  public String metadataFileLocation(String fileName) {
    return current.location() + "/metadata/" + fileName;
  }

  @Override
  public LocationProvider locationProvider() {
    return LocationProviders.locationsFor(current.location(), current.properties());
  }
}
