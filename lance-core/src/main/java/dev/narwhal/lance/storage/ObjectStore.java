package dev.narwhal.lance.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The objects below one root. Paths are relative to the root, with {@code /} between segments,
 * never empty, never absolute, never with a {@code .} or {@code ..} segment: any other path is
 * refused with an {@link IllegalArgumentException}, so that nothing outside the root is ever
 * touched.
 *
 * <p>A missing object is a {@link java.nio.file.NoSuchFileException} that names the path. Safe for
 * use by many threads.
 */
public interface ObjectStore {
  /** A URI that names the root, for messages. */
  String uri();

  /** The root as manifests of other tables name it; {@link Stores} finds it by that. */
  default String location() {
    return uri();
  }

  /** Opens an object for ranged reads. The caller closes the result. */
  ObjectReader open(String path) throws IOException;

  /**
   * A whole object: read-only, little-endian, position 0. Objects of 2 GiB and more are refused.
   */
  ByteBuffer read(String path) throws IOException;

  boolean exists(String path) throws IOException;

  /** Size and age of an object. */
  ObjectAttributes attributes(String path) throws IOException;

  /**
   * Names directly below a directory, without the directory's own path, in no particular order.
   * Empty when there is no such directory.
   *
   * @param directory relative to the root; the empty string is the root itself
   */
  List<String> list(String directory) throws IOException;

  /** Creates or replaces an object. Readers see the old bytes or the new, never a mix. */
  void put(String path, ByteBuffer bytes) throws IOException;

  /**
   * Begins an object that is written in parts. It replaces one that may be there when it is
   * finished; until then nothing can be seen of it.
   */
  ObjectWriter create(String path) throws IOException;

  /**
   * Creates an object unless there is one. Atomic: of many callers exactly one gets {@code true};
   * the object appears whole or not at all, also when the process dies in the middle.
   *
   * @return whether this call created it
   */
  boolean putIfAbsent(String path, ByteBuffer bytes) throws IOException;

  /** Removes an object; one that is not there is no error. */
  void delete(String path) throws IOException;

  /**
   * Removes a directory and those in it, as far as no object lies below them; and those above it,
   * up to the root, that are empty then. In a store without directories of their own there is
   * nothing to do.
   *
   * @param directory relative to the root, never the root itself
   */
  void prune(String directory) throws IOException;
}
