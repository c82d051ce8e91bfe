package dev.narwhal.lance.cleanup;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * A file that may be removed.
 *
 * @param path relative to the root of the branch
 * @param key by which versions name it, see {@link NamedFiles}
 * @param lastModified by the store's clock
 */
record StoredFile(String path, String key, FileKind kind, long sizeBytes, Instant lastModified) {
  StoredFile {
    requireNonNull(path, "path");
    requireNonNull(key, "key");
    requireNonNull(kind, "kind");
    requireNonNull(lastModified, "lastModified");
  }
}
