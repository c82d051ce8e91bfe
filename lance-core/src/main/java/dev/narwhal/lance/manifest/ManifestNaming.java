package dev.narwhal.lance.manifest;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
  private static final Pattern NAME = Pattern.compile("(d?)([0-9]{1,20})\\.manifest");
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
   * files, hints, numbers that {@link #format} would write another way.
   */
  static Optional<ManifestLocation> parse(String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String digits = matcher.group(2);
    boolean detached = !matcher.group(1).isEmpty();
    ManifestNaming naming = detached || digits.length() == V2_DIGITS ? V2 : V1;
    long number;
    try {
      number = Long.parseUnsignedLong(digits);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
    long version = naming == V2 && !detached ? ~number : number;
    return version != 0
            && Manifest.isDetached(version) == detached
            && naming.format(version).equals(name)
        ? Optional.of(new ManifestLocation(version, naming))
        : Optional.empty();
  }

  private static String padded(String digits) {
    return "0".repeat(V2_DIGITS - digits.length()) + digits;
  }
}
