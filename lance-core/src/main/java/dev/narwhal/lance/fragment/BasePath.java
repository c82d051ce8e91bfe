package dev.narwhal.lance.fragment;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.schema.UnknownFields;
import java.util.Optional;

/**
 * A registered place outside the dataset in which files of the table may lie. Source: table format
 * sheet 2.1 and 1.8.
 *
 * @param id u32, 0 included, by which files refer to it
 * @param name unique when present
 * @param datasetRoot whether the path is a dataset's root, with {@code data} and {@code _deletions}
 *     below; else data files lie in it directly
 * @param path URI or path, as the writer got it; a relative one is resolved against the working
 *     directory of the reader
 */
public record BasePath(
    int id, Optional<String> name, boolean datasetRoot, String path, UnknownFields unknown) {
  public BasePath {
    requireNonNull(name, "name");
    requireNonNull(path, "path");
    requireNonNull(unknown, "unknown");
    if (path.isEmpty()) {
      throw new IllegalArgumentException(
          "base path " + Integer.toUnsignedString(id) + " has an empty path");
    }
  }
}
