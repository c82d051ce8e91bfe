package dev.narwhal.lance.manifest;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.ObjectPath;

/**
 * One file of an index.
 *
 * @param path relative to the directory of the index
 * @param sizeBytes u64
 * @param unknown what the message held besides
 */
public record IndexFile(String path, long sizeBytes, UnknownFields unknown) {
  public IndexFile {
    ObjectPath.requireRelative(requireNonNull(path, "path"));
    requireNonNull(unknown, "unknown");
  }
}
