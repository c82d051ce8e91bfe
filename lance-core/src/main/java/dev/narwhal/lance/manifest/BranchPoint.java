package dev.narwhal.lance.manifest;

import static java.util.Objects.requireNonNull;

/**
 * Where a branch left its parent; the points of all its ancestors and its own identify it, even if
 * a branch of its name is deleted and made again.
 *
 * @param version of the parent, at least 1
 * @param uuid of this departure: 32 hexadecimal digits in lower case
 */
public record BranchPoint(long version, String uuid) {
  public BranchPoint {
    requireNonNull(uuid, "uuid");
    if (version < 1) {
      throw new IllegalArgumentException("version must be at least 1: " + version);
    }
  }
}
