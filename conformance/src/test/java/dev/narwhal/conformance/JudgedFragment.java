package dev.narwhal.conformance;

import java.util.List;
import java.util.Optional;

/**
 * A fragment as real Lance sees it.
 *
 * @param id u32
 * @param physicalRows rows of its data files, deleted ones too
 * @param deletionFile what the manifest says of its deletion file
 * @param deletedOffsets offsets, ascending, that a scan of the fragment does not give
 * @param dataFiles paths below {@code data/}
 */
record JudgedFragment(
    int id,
    long physicalRows,
    Optional<JudgedDeletionFile> deletionFile,
    List<Long> deletedOffsets,
    List<String> dataFiles) {
  JudgedFragment {
    deletedOffsets = List.copyOf(deletedOffsets);
    dataFiles = List.copyOf(dataFiles);
  }

  /**
   * A deletion file as the manifest names it.
   *
   * @param type {@code array} or {@code bitmap}
   * @param path below the dataset's root, or below that of its base
   * @param deletedRows the count the manifest gives; empty when it gives none
   */
  record JudgedDeletionFile(String type, String path, Optional<Long> deletedRows) {}
}
