package dev.narwhal.lance.write;

import java.util.UUID;

/**
 * Names of new data files, which no other writer uses. Readers attach no meaning to them; these
 * look as real Lance's do: of 16 random bytes the first three as 24 binary digits, so that names
 * spread over the partitions of an object store, the rest as 26 hex digits. Source: table format
 * sheet 1.1.
 */
final class DataFileNames {
  /** Where data files lie, relative to the dataset root. */
  static final String DIRECTORY = "data";

  private static final String EXTENSION = ".lance";

  private DataFileNames() {}

  /** A new random name, relative to {@link #DIRECTORY}. */
  static String random() {
    return of(UUID.randomUUID());
  }

  static String of(UUID uuid) {
    long high = uuid.getMostSignificantBits();
    StringBuilder name = new StringBuilder(56);
    for (int bit = 63; bit >= 40; bit--) {
      name.append((high >>> bit & 1) == 0 ? '0' : '1');
    }
    String rest = "%010x%016x".formatted(high & 0xFF_FFFF_FFFFL, uuid.getLeastSignificantBits());
    return name.append(rest).append(EXTENSION).toString();
  }

  /** Where a data file of the dataset itself lies. */
  static String path(String name) {
    return DIRECTORY + '/' + name;
  }
}
