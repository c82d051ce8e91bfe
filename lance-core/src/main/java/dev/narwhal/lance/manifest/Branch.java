package dev.narwhal.lance.manifest;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A line of versions that left another at some version. Source: table format sheet 1.8.
 *
 * @param name segments joined by {@code /}
 * @param parent empty means main
 * @param parentVersion version of the parent at which it left, at least 1
 * @param createdAt to the second
 * @param lineage where each ancestor left its own parent, oldest first, and last where this branch
 *     did; empty in files of older writers
 * @param manifestSizeBytes size of the parent version's manifest file
 * @param metadata free text
 */
public record Branch(
    String name,
    Optional<String> parent,
    long parentVersion,
    Optional<Instant> createdAt,
    List<BranchPoint> lineage,
    OptionalLong manifestSizeBytes,
    Map<String, String> metadata) {
  public Branch {
    requireNonNull(name, "name");
    requireNonNull(parent, "parent");
    requireNonNull(createdAt, "createdAt");
    requireNonNull(manifestSizeBytes, "manifestSizeBytes");
    lineage = List.copyOf(lineage);
    metadata = Map.copyOf(metadata);
    if (parentVersion < 1) {
      throw new IllegalArgumentException("parentVersion must be at least 1: " + parentVersion);
    }
  }

  /** The branch's own root, relative to the dataset root. */
  public String directory() {
    return directory(name);
  }

  /** The root of a branch of this name, whether there is one or not. */
  public static String directory(String name) {
    return "tree/" + name;
  }
}
