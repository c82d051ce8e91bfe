package dev.narwhal.lance.write.update;

/**
 * What an update did.
 *
 * @param version the version that holds the result: a new one, or the one read when nothing matched
 *     or nothing was to be written
 * @param updatedRows rows that have other values now, or would have
 * @param fragmentsUpdated fragments that lost rows to new ones, or got new column files
 * @param fragmentsDropped fragments that lost their last live row to new ones, and are gone
 * @param fragmentsAdded new fragments with the updated rows
 * @param bytesWritten bytes of all new files; 0 for a dry run
 * @param attempts commits that were tried; 0 when none was needed
 */
public record UpdateResult(
    long version,
    long updatedRows,
    int fragmentsUpdated,
    int fragmentsDropped,
    int fragmentsAdded,
    long bytesWritten,
    int attempts) {
  static UpdateResult nothing(long version, int earlier) {
    return new UpdateResult(version, 0, 0, 0, 0, 0, earlier);
  }
}
