package dev.narwhal.lance.manifest;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * Who wrote a manifest. Source: table format sheet 2.1.
 *
 * @param library {@code lance} for the Rust implementation
 * @param version semantic version without pre-release and build
 * @param prerelease what follows {@code -} in a semantic version
 * @param buildMetadata what follows {@code +}
 */
public record WriterVersion(
    String library, String version, Optional<String> prerelease, Optional<String> buildMetadata) {
  /**
   * What we write. A name other than {@code lance} keeps readers from assuming Lance's old bugs.
   */
  public static final WriterVersion NARWHAL =
      new WriterVersion("narwhal", "0.1.0", Optional.empty(), Optional.empty());

  public WriterVersion {
    requireNonNull(library, "library");
    requireNonNull(version, "version");
    requireNonNull(prerelease, "prerelease");
    requireNonNull(buildMetadata, "buildMetadata");
  }
}
