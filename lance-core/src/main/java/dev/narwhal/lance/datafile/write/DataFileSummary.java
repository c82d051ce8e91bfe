package dev.narwhal.lance.datafile.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.datafile.FileVersion;
import java.util.List;

/**
 * What a manifest says of a data file.
 *
 * @param rows {@code >= 0}
 * @param sizeBytes of the file
 * @param columnCount columns of the file
 * @param fieldIds of the fields that have a column of their own, in schema order
 * @param columnIndices for each of {@code fieldIds} its column
 */
public record DataFileSummary(
    FileVersion version,
    long rows,
    long sizeBytes,
    int columnCount,
    List<Integer> fieldIds,
    List<Integer> columnIndices) {
  public DataFileSummary {
    requireNonNull(version, "version");
    fieldIds = List.copyOf(fieldIds);
    columnIndices = List.copyOf(columnIndices);
    if (fieldIds.size() != columnIndices.size()) {
      throw new IllegalArgumentException(
          fieldIds.size() + " fields but " + columnIndices.size() + " column indices");
    }
  }

  /** First number of the version as manifests have it. */
  public int majorVersion() {
    return 2;
  }

  /** Second number of the version as manifests have it. */
  public int minorVersion() {
    return version.minor();
  }
}
