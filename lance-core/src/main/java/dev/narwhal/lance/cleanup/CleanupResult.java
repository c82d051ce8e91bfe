package dev.narwhal.lance.cleanup;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a clean-up removed, or would have removed.
 *
 * @param versions that went, ascending
 * @param filesRemoved number of files, by kind; a kind of which there was none is left out
 * @param bytesRemoved of all of them
 */
public record CleanupResult(
    List<Long> versions, Map<FileKind, Integer> filesRemoved, long bytesRemoved) {
  public CleanupResult {
    versions = List.copyOf(versions);
    filesRemoved = Map.copyOf(filesRemoved);
  }

  /** Number of files of all kinds. */
  public int files() {
    return filesRemoved.values().stream().mapToInt(Integer::intValue).sum();
  }

  static CleanupResult of(List<Long> versions, List<StoredFile> removed) {
    Map<FileKind, Integer> counts = new EnumMap<>(FileKind.class);
    long bytes = 0;
    for (StoredFile file : removed) {
      counts.merge(file.kind(), 1, Integer::sum);
      bytes += file.sizeBytes();
    }
    return new CleanupResult(versions, counts, bytes);
  }
}
