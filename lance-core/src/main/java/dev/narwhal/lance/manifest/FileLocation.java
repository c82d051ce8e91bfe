package dev.narwhal.lance.manifest;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.fragment.BasePath;
import dev.narwhal.lance.storage.ObjectPath;
import java.util.Optional;

/**
 * Where to read a file of a table.
 *
 * @param base the registered base path it lies under; empty means the dataset itself
 * @param path relative to that place, which it never leaves
 */
public record FileLocation(Optional<BasePath> base, String path) {
  public FileLocation {
    requireNonNull(base, "base");
    ObjectPath.requireRelative(requireNonNull(path, "path"));
  }
}
