package dev.narwhal.lance.datafile;

import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;

/** Format version of a data file. Source: file format sheet 1.3. */
public enum FileVersion {
  V2_0(0),
  V2_1(1),
  V2_2(2),
  V2_3(3);

  private final int minor;

  FileVersion(int minor) {
    this.minor = minor;
  }

  /**
   * The version behind a pair of numbers, as a footer or a manifest has it: footers of 2.0 say 0.3,
   * manifests say 2.0, both are accepted in both.
   *
   * @throws UnsupportedFeatureException for the legacy format and for versions after 2.3
   * @throws LanceFormatException for a pair that no version has
   */
  public static FileVersion of(int major, int minor) {
    if (major == 0 && minor == 3) {
      return V2_0;
    }
    if (major == 0 && minor >= 0 && minor < 3) {
      throw new UnsupportedFeatureException(
          "data file of the legacy format 0.1 (footer version 0."
              + minor
              + "), which is not supported; let Lance write its rows to a new dataset with data"
              + " storage version 2.1");
    }
    if (major == 2 && minor >= 0) {
      if (minor < values().length) {
        return values()[minor];
      }
      throw new UnsupportedFeatureException(
          "data file version 2." + minor + " is newer than 2.3, the newest supported");
    }
    throw new LanceFormatException(
        "data file version " + major + "." + minor + ", expected 0.3 or 2.0 to 2.3");
  }

  /**
   * The version of a name such as {@code 2.1}, as a manifest's data format has it.
   *
   * @throws UnsupportedFeatureException for the legacy format, and for names that are not known
   */
  public static FileVersion named(String name) {
    for (FileVersion version : values()) {
      if (version.toString().equals(name)) {
        return version;
      }
    }
    throw new UnsupportedFeatureException(
        "data storage version '" + name + "' is not supported; 2.0 to 2.3 are");
  }

  /** The number behind 2 that manifests have. */
  public int minor() {
    return minor;
  }

  /** The first number in footers, where 2.0 is 0.3. */
  int footerMajor() {
    return this == V2_0 ? 0 : 2;
  }

  /** The second number in footers. */
  int footerMinor() {
    return this == V2_0 ? 3 : minor;
  }

  /** Whether pages hold array encodings of all schema nodes, rather than layouts of leaves. */
  public boolean hasArrayPages() {
    return this == V2_0;
  }

  /** {@code 2.1} and the like. */
  @Override
  public String toString() {
    return "2." + minor;
  }
}
