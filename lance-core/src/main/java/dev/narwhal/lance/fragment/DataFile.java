package dev.narwhal.lance.fragment;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.ObjectPath;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * One file with some columns of a fragment. Source: table format sheet 2.2.
 *
 * @param path relative to the directory of data files; never leaves it
 * @param fields ids of the fields in the file, {@link #REPLACED} for a column that a newer file of
 *     the fragment replaces
 * @param columnIndices for each of {@code fields} its column in the file, -1 for a field without
 *     one of its own; empty in legacy files
 * @param majorVersion of the file format, u32
 * @param minorVersion of the file format, u32
 * @param sizeBytes at least 1; empty when the writer did not say
 * @param baseId u32 id of one of the manifest's base paths; empty means the dataset itself
 * @param unknown what the message held besides
 */
public record DataFile(
    String path,
    List<Integer> fields,
    List<Integer> columnIndices,
    int majorVersion,
    int minorVersion,
    OptionalLong sizeBytes,
    OptionalInt baseId,
    UnknownFields unknown) {

  /** Stands in place of the id of a field that moved to a newer file. */
  public static final int REPLACED = -2;

  public DataFile {
    ObjectPath.requireRelative(requireNonNull(path, "path"));
    fields = List.copyOf(fields);
    columnIndices = List.copyOf(columnIndices);
    requireNonNull(sizeBytes, "sizeBytes");
    requireNonNull(baseId, "baseId");
    requireNonNull(unknown, "unknown");
    for (int field : fields) {
      if (field < REPLACED) {
        throw new IllegalArgumentException("data file " + path + ": no field can have id " + field);
      }
    }
    if (isLegacy(majorVersion, minorVersion)) {
      requireAscending(path, fields);
    } else if (columnIndices.size() != fields.size()) {
      throw new IllegalArgumentException(
          "data file "
              + path
              + " has "
              + fields.size()
              + " fields but "
              + columnIndices.size()
              + " column indices");
    }
    if (sizeBytes.isPresent() && sizeBytes.getAsLong() < 1) {
      throw new IllegalArgumentException(
          "data file " + path + ": no size: " + Long.toUnsignedString(sizeBytes.getAsLong()));
    }
  }

  /** Whether the file has the first format, 0.1, which manifests spell 0.0 to 0.2. */
  public boolean isLegacy() {
    return isLegacy(majorVersion, minorVersion);
  }

  /**
   * The file format's name as in the manifest's data format: {@code 0.1}, {@code 2.0}, {@code 2.1}
   * and so on. Files of 2.0 spell it 0.3.
   */
  public String formatVersion() {
    if (isLegacy()) {
      return "0.1";
    }
    if (majorVersion == 0 && minorVersion == 3) {
      return "2.0";
    }
    return Integer.toUnsignedString(majorVersion) + '.' + Integer.toUnsignedString(minorVersion);
  }

  /** The column of a field, or empty: not in this file, replaced, or without a column. */
  public OptionalInt columnOf(int fieldId) {
    if (fieldId < 0) {
      return OptionalInt.empty();
    }
    int at = fields.indexOf(fieldId);
    return at < 0 || at >= columnIndices.size() || columnIndices.get(at) < 0
        ? OptionalInt.empty()
        : OptionalInt.of(columnIndices.get(at));
  }

  /** The same with its size. */
  public DataFile withSizeBytes(OptionalLong size) {
    return new DataFile(
        path, fields, columnIndices, majorVersion, minorVersion, size, baseId, unknown);
  }

  /** The same under a base path. */
  public DataFile withBaseId(int base) {
    return new DataFile(
        path,
        fields,
        columnIndices,
        majorVersion,
        minorVersion,
        sizeBytes,
        OptionalInt.of(base),
        unknown);
  }

  private static boolean isLegacy(int majorVersion, int minorVersion) {
    return majorVersion == 0 && Integer.compareUnsigned(minorVersion, 3) < 0;
  }

  private static void requireAscending(String path, List<Integer> fields) {
    int previous = -1;
    for (int field : fields) {
      if (field >= 0 && field <= previous) {
        throw new IllegalArgumentException(
            "legacy data file " + path + ": field " + field + " after " + previous);
      }
      previous = Math.max(previous, field);
    }
  }
}
