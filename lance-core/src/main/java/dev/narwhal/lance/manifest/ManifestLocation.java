package dev.narwhal.lance.manifest;

import static java.util.Objects.requireNonNull;

/**
 * A version that has a manifest file.
 *
 * @param version u64, at least 1; bit 63 marks a detached version
 * @param naming how its dataset names its manifests
 */
public record ManifestLocation(long version, ManifestNaming naming) {
  /** Where the manifests of all versions lie, relative to the dataset root. */
  public static final String DIRECTORY = "_versions";

  public ManifestLocation {
    requireNonNull(naming, "naming");
    if (version == 0) {
      throw new IllegalArgumentException("version must be at least 1: 0");
    }
  }

  /** Path of the file, relative to the dataset root. */
  public String path() {
    return DIRECTORY + '/' + naming.format(version);
  }
}
