package dev.narwhal.lance.storage;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import org.jspecify.annotations.Nullable;

/**
 * A reader that several users have in turn or at once: the object is open while one of them has it.
 * What was learnt from its bytes can so be kept without keeping it open. Safe for use by many
 * threads.
 */
public final class SharedReader implements ObjectReader {
  private final ObjectStore store;
  private final String objectPath;
  private final String path;
  private final long sizeBytes;
  private volatile @Nullable ObjectReader open;
  private int users = 1;

  private SharedReader(ObjectStore store, String objectPath, ObjectReader open) {
    this.store = store;
    this.objectPath = objectPath;
    this.path = open.path();
    this.sizeBytes = open.sizeBytes();
    this.open = open;
  }

  /** Opens an object for a first user. */
  public static SharedReader open(ObjectStore store, String path) throws IOException {
    requireNonNull(store, "store");
    return new SharedReader(store, path, store.open(path));
  }

  /** Gives it to one more user, who closes it too; also after all others did. */
  public synchronized void lease() {
    users++;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public long sizeBytes() {
    return sizeBytes;
  }

  @Override
  public void readFully(long position, ByteBuffer target) throws IOException {
    ObjectReader current = open;
    (current == null ? reopened() : current).readFully(position, target);
  }

  /** Ends one user's use. More closes than users have no effect. */
  @Override
  public synchronized void close() throws IOException {
    if (users > 0 && --users == 0) {
      ObjectReader last = open;
      open = null;
      if (last != null) {
        last.close();
      }
    }
  }

  private synchronized ObjectReader reopened() throws IOException {
    ObjectReader current = open;
    if (current == null) {
      if (users == 0) {
        throw new ClosedChannelException();
      }
      current = store.open(objectPath);
      if (current.sizeBytes() != sizeBytes) {
        current.close();
        throw new FileSystemException(
            path, null, "was replaced since it was first read; open the dataset anew");
      }
      open = current;
    }
    return current;
  }
}
