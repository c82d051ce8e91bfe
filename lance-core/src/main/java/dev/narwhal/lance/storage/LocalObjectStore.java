package dev.narwhal.lance.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * Objects as files below one directory, which need not exist before the first write.
 *
 * <p>Every write goes to a new file in the target's directory whose name begins with {@code .tmp},
 * the prefix that Lance's clean-up knows; then {@link #put} renames it over the target and {@link
 * #putIfAbsent} hard-links it to the target, which fails if there is one. So a target is whole or
 * absent, whatever kills the process, and all that a crash leaves behind is a {@code .tmp} file.
 *
 * <p>No path leaves the root by its text. A symbolic link inside the root is followed wherever it
 * points: whoever can place links there is trusted.
 *
 * <p>An interrupt of a writing thread ends its call with {@link
 * java.nio.channels.ClosedByInterruptException}, before the target appears.
 */
public final class LocalObjectStore implements ObjectStore {
  private static final int MAX_ARRAY_BYTES = Integer.MAX_VALUE - 8;

  /** Of one name, and of a whole path with the zero byte behind it. */
  private static final int MAX_NAME_BYTES = 255;

  private static final int MAX_PATH_BYTES = 4096;

  private final Path root;
  private final boolean durable;

  private LocalObjectStore(Path root, boolean durable) {
    this.root = root.toAbsolutePath().normalize();
    this.durable = durable;
  }

  /** A store that leaves flushing to the operating system, as Lance does. */
  public static LocalObjectStore at(Path root) {
    return new LocalObjectStore(requireNonNull(root, "root"), false);
  }

  /**
   * The same for a path or {@code file:} URI; a relative path is resolved against the working
   * directory.
   *
   * @throws dev.narwhal.lance.error.UnsupportedFeatureException for a URI of another scheme
   */
  public static LocalObjectStore at(String pathOrUri) {
    return at(LocalPaths.parse(pathOrUri));
  }

  /** A store whose writes have reached the disk, file and directory entry, when they return. */
  public LocalObjectStore durable() {
    return new LocalObjectStore(root, true);
  }

  /** The directory itself, absolute. */
  public Path root() {
    return root;
  }

  @Override
  public String uri() {
    String uri = root.toUri().toString();
    return uri.endsWith("/") && root.getNameCount() > 0 ? uri.substring(0, uri.length() - 1) : uri;
  }

  /** A plain absolute path, as real Lance writes it. */
  @Override
  public String location() {
    return root.toString();
  }

  @Override
  public ObjectReader open(String path) throws IOException {
    Path file = resolve(path);
    requireFile(file);
    return new LocalObjectReader(file);
  }

  @Override
  public ByteBuffer read(String path) throws IOException {
    try (ObjectReader reader = open(path)) {
      if (reader.sizeBytes() > MAX_ARRAY_BYTES) {
        throw new FileSystemException(
            reader.path(), null, reader.sizeBytes() + " bytes are too many to read at once");
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) reader.sizeBytes());
      reader.readFully(0, bytes);
      return bytes.flip().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    } catch (EOFException e) {
      throw new IOException(resolve(path) + ": shrank while it was read", e);
    }
  }

  @Override
  public boolean exists(String path) throws IOException {
    Path file = resolve(path);
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).isRegularFile();
    } catch (NoSuchFileException e) {
      return false;
    } catch (FileSystemException e) {
      if (isBelowFile(file) || isTooLong(file)) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public ObjectAttributes attributes(String path) throws IOException {
    Path file = resolve(path);
    requireFile(file);
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    return new ObjectAttributes(attributes.size(), attributes.lastModifiedTime().toInstant());
  }

  @Override
  public List<String> list(String directory) throws IOException {
    Path folder = root.resolve(ObjectPath.requireDirectory(directory));
    List<String> names = new ArrayList<>();
    requireNoOther(folder);
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        names.add(requireNonNull(entry.getFileName()).toString());
      }
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  @Override
  public void put(String path, ByteBuffer bytes) throws IOException {
    try (ObjectWriter writer = create(path)) {
      writer.write(bytes);
      writer.finish();
    }
  }

  @Override
  public ObjectWriter create(String path) throws IOException {
    return writer(resolve(path));
  }

  @Override
  public boolean putIfAbsent(String path, ByteBuffer bytes) throws IOException {
    Path target = resolve(path);
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (LocalObjectWriter writer = writer(target)) {
      writer.write(bytes);
      return writer.finishIfAbsent();
    }
  }

  @Override
  public void delete(String path) throws IOException {
    Path file = resolve(path);
    if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileSystemException(file.toString(), null, "is a directory, not a file");
    }
    Files.deleteIfExists(file);
  }

  @Override
  public void prune(String directory) throws IOException {
    Path folder = resolve(directory);
    pruneBelow(folder);
    for (Path above = folder;
        above != null && !above.equals(root) && above.startsWith(root) && removeIfEmpty(above);
        above = above.getParent()) {}
  }

  /** Links to directories are not followed: what they point to is not ours to remove. */
  private static void pruneBelow(Path folder) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    List<Path> folders = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      entries.forEach(folders::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    for (Path entry : folders) {
      if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
        pruneBelow(entry);
        removeIfEmpty(entry);
      }
    }
  }

  /** Returns whether it is gone, so that the directory above may be empty now. */
  private static boolean removeIfEmpty(Path folder) throws IOException {
    if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)
        && !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try {
      Files.deleteIfExists(folder);
      return true;
    } catch (DirectoryNotEmptyException e) {
      return false;
    }
  }

  @Override
  public String toString() {
    return uri();
  }

  private LocalObjectWriter writer(Path target) throws IOException {
    return new LocalObjectWriter(target, durable, this::syncDirectory);
  }

  private Path resolve(String path) {
    return root.resolve(ObjectPath.requireRelative(path));
  }

  /** To list a pipe would wait for its writer. */
  private static void requireNoOther(Path folder) throws IOException {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new NotDirectoryException(folder.toString());
    }
  }

  private static void requireFile(Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    if (!attributes.isRegularFile()) {
      throw new FileSystemException(
          file.toString(),
          null,
          attributes.isDirectory() ? "is a directory, not a file" : "is not a regular file");
    }
  }

  private boolean isBelowFile(Path file) {
    for (Path parent = file.getParent();
        parent != null && parent.startsWith(root);
        parent = parent.getParent()) {
      if (Files.exists(parent)) {
        return !Files.isDirectory(parent);
      }
    }
    return false;
  }

  /** Whether no usual file system can have such a file, so that there is none. */
  private static boolean isTooLong(Path file) {
    for (Path name : file) {
      if (name.toString().getBytes(UTF_8).length > MAX_NAME_BYTES) {
        return true;
      }
    }
    return file.toString().getBytes(UTF_8).length >= MAX_PATH_BYTES;
  }

  /** Makes a new entry durable, and those of the directories above it that may be as new. */
  private void syncDirectory(Path target) throws IOException {
    if (!durable) {
      return;
    }
    for (Path directory = target.getParent();
        directory != null && directory.startsWith(root);
        directory = directory.getParent()) {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }
}
