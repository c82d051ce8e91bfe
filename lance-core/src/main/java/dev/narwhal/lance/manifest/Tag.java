package dev.narwhal.lance.manifest;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A name for a version. Source: table format sheet 1.8.
 *
 * @param branch whose version it is; empty means main
 * @param version at least 1
 * @param createdAt absent in files of older writers, as is the next
 * @param manifestSizeBytes size of the version's manifest file
 * @param metadata free text
 */
public record Tag(
    String name,
    Optional<String> branch,
    long version,
    Optional<Instant> createdAt,
    Optional<Instant> updatedAt,
    OptionalLong manifestSizeBytes,
    Map<String, String> metadata) {
  public Tag {
    requireNonNull(name, "name");
    requireNonNull(branch, "branch");
    requireNonNull(createdAt, "createdAt");
    requireNonNull(updatedAt, "updatedAt");
    requireNonNull(manifestSizeBytes, "manifestSizeBytes");
    metadata = Map.copyOf(metadata);
    if (version < 1) {
      throw new IllegalArgumentException("version must be at least 1: " + version);
    }
  }
}
