package dev.narwhal.iceberg.rowdelete.maintenance;

import java.util.List;
import java.util.OptionalLong;

/**
 * The data files of a table's current snapshot with their delete files.
 *
 * @param snapshotId empty of a table without a snapshot
 * @param liveRows empty where the deletes of some data file cannot be read
 * @param warnings what a reader may stumble over
 */
public record InspectedTable(
    int formatVersion,
    OptionalLong snapshotId,
    List<InspectedFile> dataFiles,
    OptionalLong liveRows,
    List<String> warnings) {
  public InspectedTable {
    dataFiles = List.copyOf(dataFiles);
    warnings = List.copyOf(warnings);
  }

  /**
   * One data file.
   *
   * @param records rows, dead ones too
   * @param liveRows empty where its deletes cannot be read
   */
  public record InspectedFile(
      String path, long records, OptionalLong liveRows, List<InspectedDelete> deletes) {
    public InspectedFile {
      deletes = List.copyOf(deletes);
    }
  }

  /**
   * A delete file that applies to a data file.
   *
   * @param kind {@code deletion-vector}, {@code position} or {@code equality}
   * @param offset of a vector's blob; empty of other kinds
   * @param count positions of the vector, or rows of the file
   */
  public record InspectedDelete(String path, String kind, OptionalLong offset, long count) {}
}
