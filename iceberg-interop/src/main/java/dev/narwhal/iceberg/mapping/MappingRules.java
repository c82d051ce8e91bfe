package dev.narwhal.iceberg.mapping;

import static java.util.Objects.requireNonNull;

/**
 * Which types there are, and what is done about those there are not.
 *
 * @param formatVersion of Iceberg, whose types are used: at least 1, at most that of the table
 * @param unsupported what becomes of other types
 */
public record MappingRules(int formatVersion, Unsupported unsupported) {
  public MappingRules {
    requireNonNull(unsupported, "unsupported");
    if (formatVersion < 1) {
      throw new IllegalArgumentException("formatVersion must be at least 1: " + formatVersion);
    }
  }

  /** All types of a format version, other types refused. */
  public static MappingRules ofVersion(int formatVersion) {
    return new MappingRules(formatVersion, Unsupported.FAIL);
  }
}
