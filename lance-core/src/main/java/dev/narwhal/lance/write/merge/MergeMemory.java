package dev.narwhal.lance.write.merge;

/**
 * How a merge deals its memory out: what it holds of the source besides the pages that are read and
 * written.
 *
 * @param rowBytes for rows of the source
 * @param keyBytes for keys, and again for pairs of rows
 */
record MergeMemory(long rowBytes, long keyBytes) {
  static MergeMemory of(long bytes) {
    return new MergeMemory(bytes / 2, bytes / 4);
  }
}
