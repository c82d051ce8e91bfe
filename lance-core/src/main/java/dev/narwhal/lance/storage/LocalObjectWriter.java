package dev.narwhal.lance.storage;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that is written under a name beginning with {@code .tmp}, the prefix that Lance's clean-up
 * knows, in the directory of its target.
 */
final class LocalObjectWriter implements ObjectWriter {
  private static final Logger LOG = LoggerFactory.getLogger(LocalObjectWriter.class);
  private static final String TEMPORARY_PREFIX = ".tmp";
  private static final int PIECE = 256 << 10;

  private final Path target;
  private final Path temporary;
  private final boolean durable;
  private final DirectorySync sync;
  private final FileChannel channel;
  private long sizeBytes;
  private boolean ended;

  /** Makes the entry of a file in its directory durable. */
  @FunctionalInterface
  interface DirectorySync {
    void sync(Path file) throws IOException;
  }

  /**
   * @param durable whether the bytes are to reach the disk before the target appears
   * @param sync is called when the target has appeared
   */
  LocalObjectWriter(Path target, boolean durable, DirectorySync sync) throws IOException {
    this.target = target;
    this.durable = durable;
    this.sync = sync;
    Path directory = requireNonNull(target.getParent());
    try {
      Files.createDirectories(directory);
    } catch (FileAlreadyExistsException e) {
      NotDirectoryException clearer = new NotDirectoryException(String.valueOf(e.getFile()));
      clearer.initCause(e);
      throw clearer;
    }
    temporary = directory.resolve(TEMPORARY_PREFIX + UUID.randomUUID());
    // not Files.createTempFile: its mode 0600 would shut out every other reader of the table
    channel = FileChannel.open(temporary, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
  }

  @Override
  public String path() {
    return target.toString();
  }

  @Override
  public long sizeBytes() {
    return sizeBytes;
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    ByteBuffer rest = bytes.duplicate();
    while (rest.hasRemaining()) {
      // the channel copies what it gets into memory outside the heap, as much as it gets
      ByteBuffer piece = rest.slice(rest.position(), Math.min(PIECE, rest.remaining()));
      int written = channel.write(piece);
      rest.position(rest.position() + written);
      sizeBytes += written;
    }
  }

  @Override
  public void finish() throws IOException {
    seal();
    try {
      Files.move(
          temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      discard();
      throw e;
    }
    sync.sync(target);
  }

  /** Makes the object appear unless there is one; the same as {@link #finish} otherwise. */
  boolean finishIfAbsent() throws IOException {
    seal();
    try {
      Files.createLink(target, temporary);
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (UnsupportedOperationException e) {
      throw new FileSystemException(
          target.toString(), null, "the file system has no hard links, which a commit needs");
    } finally {
      discard();
    }
    sync.sync(target);
    return true;
  }

  /** Ends writing, and leaves the temporary file, whole. */
  private void seal() throws IOException {
    ended = true;
    try (channel) {
      if (durable) {
        channel.force(true);
      }
    } catch (IOException e) {
      discard();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    if (!ended) {
      ended = true;
      try {
        channel.close();
      } finally {
        discard();
      }
    }
  }

  /** Best effort: the target's fate is decided by now, and clean-up knows the name. */
  private void discard() {
    try {
      Files.deleteIfExists(temporary);
    } catch (IOException e) {
      LOG.debug("could not remove {}", temporary, e);
    }
  }
}
