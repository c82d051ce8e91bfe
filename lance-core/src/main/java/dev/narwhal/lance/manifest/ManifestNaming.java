package dev.narwhal.lance.manifest;

import java.util.Optional;

/**
 * How manifest files are named. A dataset keeps the scheme it has.
 *
 * <pre>
 * V1        version 1 is 1.manifest
 * V2        version 1 is 18446744073709551614.manifest: 2^64 - 1 - version in 20 digits, so that
 *           the newest comes first in a listing
 * detached  d9223372036854775900.manifest, whatever the scheme: bit 63 of the version is set
 * </pre>
 *
 * <p>Source: table format sheet 1.2.
 */
public enum ManifestNaming {
  V1,
  V2;

  private static final String SUFFIX = ".manifest";
  private static final int V2_DIGITS = 20;

  /** The file name of a version. */
  public String format(long version) {
    if (Manifest.isDetached(version)) {
      return 'd' + Long.toUnsignedString(version) + SUFFIX;
    }
    return switch (this) {
      case V1 -> version + SUFFIX;
      case V2 -> padded(Long.toUnsignedString(~version)) + SUFFIX;
    };
  }

  /**
   * Understands a name below {@code _versions}. Empty for a name that no version has: temporary
   * files, hints, numbers that {@link #format} would write another way. Each commit looks at the
   * names of all versions.
   */
  static Optional<ManifestLocation> parse(String name) {
    int end = name.length() - SUFFIX.length();
    boolean detached = name.startsWith("d");
    int first = detached ? 1 : 0;
    int digits = end - first;
    if (digits < 1 || digits > V2_DIGITS || !name.endsWith(SUFFIX)) {
      return Optional.empty();
    }
    for (int i = first; i < end; i++) {
      if (name.charAt(i) < '0' || name.charAt(i) > '9') {
        return Optional.empty();
      }
    }
    boolean padded = !detached && digits == V2_DIGITS;
    if (!padded && name.charAt(first) == '0') {
      return Optional.empty();
    }
    long number;
    try {
      number = Long.parseUnsignedLong(name, first, end, 10);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
    long version = padded ? ~number : number;
    return version != 0 && Manifest.isDetached(version) == detached
        ? Optional.of(new ManifestLocation(version, padded || detached ? V2 : V1))
        : Optional.empty();
  }

  private static String padded(String digits) {
    return "0".repeat(V2_DIGITS - digits.length()) + digits;
  }
}
