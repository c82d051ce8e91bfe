package dev.narwhal.lance.manifest;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which version of a dataset to open: by number, by tag, by time, or the newest.
 *
 * @param branch whose versions are meant; empty means main. A tag knows its own branch
 * @param version u64 number
 * @param tag name of a tag
 * @param asOf the newest version that was there at this time
 */
public record VersionSelector(
    Optional<String> branch, OptionalLong version, Optional<String> tag, Optional<Instant> asOf) {
  public VersionSelector {
    requireNonNull(branch, "branch");
    requireNonNull(version, "version");
    requireNonNull(tag, "tag");
    requireNonNull(asOf, "asOf");
    int chosen =
        (version.isPresent() ? 1 : 0) + (tag.isPresent() ? 1 : 0) + (asOf.isPresent() ? 1 : 0);
    if (chosen > 1) {
      throw new IllegalArgumentException("choose one of version, tag and timestamp, not several");
    }
    if (tag.isPresent() && branch.isPresent()) {
      throw new IllegalArgumentException("a tag names its own branch: give one or the other");
    }
  }

  /** The newest version of main. */
  public static VersionSelector latest() {
    return new VersionSelector(
        Optional.empty(), OptionalLong.empty(), Optional.empty(), Optional.empty());
  }

  /** A version of main by number. */
  public static VersionSelector version(long version) {
    return new VersionSelector(
        Optional.empty(), OptionalLong.of(version), Optional.empty(), Optional.empty());
  }

  /** The version that a tag names. */
  public static VersionSelector tag(String name) {
    return new VersionSelector(
        Optional.empty(), OptionalLong.empty(), Optional.of(name), Optional.empty());
  }

  /** The newest version of main that was there at a time. */
  public static VersionSelector asOf(Instant time) {
    return new VersionSelector(
        Optional.empty(), OptionalLong.empty(), Optional.empty(), Optional.of(time));
  }

  /** The same on a branch. */
  public VersionSelector onBranch(String name) {
    return new VersionSelector(Optional.of(name), version, tag, asOf);
  }
}
