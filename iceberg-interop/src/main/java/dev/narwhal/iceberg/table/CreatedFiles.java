package dev.narwhal.iceberg.table;

import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.util.Tasks;

/**
 * A table's {@link FileIO} that remembers which files it was asked to create, so that work that
 * fails before its commit can take them back. Safe for use by many threads; closing it leaves the
 * table's own open.
 */
public final class CreatedFiles implements FileIO {
  private static final long serialVersionUID = 1L;

  private final FileIO io;
  private final Queue<String> locations = new ConcurrentLinkedQueue<>();

  public CreatedFiles(FileIO io) {
    this.io = io;
  }

  @Override
  public InputFile newInputFile(String path) {
    return io.newInputFile(path);
  }

  @Override
  public OutputFile newOutputFile(String path) {
    locations.add(path);
    return io.newOutputFile(path);
  }

  @Override
  public void deleteFile(String path) {
    io.deleteFile(path);
  }

  /** Locations in the order of creation. */
  public Collection<String> locations() {
    return locations;
  }

  /**
   * Deletes every file created, as far as it is there. A file that cannot be deleted stops neither
   * the others nor the caller, who is on the way out with the failure that brought him here.
   */
  public void takeBack() {
    Tasks.foreach(locations).suppressFailureWhenFinished().run(io::deleteFile);
    locations.clear();
  }

  /** The same for some of them. */
  public void takeBack(Collection<String> some) {
    Tasks.foreach(some).suppressFailureWhenFinished().run(io::deleteFile);
    locations.removeAll(some);
  }

  @Override
  public void close() {}
}
