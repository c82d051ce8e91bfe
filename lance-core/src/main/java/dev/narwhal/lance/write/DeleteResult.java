package dev.narwhal.lance.write;

/**
 * What a delete did.
 *
 * @param version the version that holds the result: a new one, or the one read when nothing matched
 *     or nothing was to be written
 * @param deletedRows rows that were alive and are no more
 * @param fragmentsUpdated fragments with a new deletion file
 * @param fragmentsDropped fragments that lost their last live row, and are gone
 * @param bytesWritten bytes of the new deletion files, transaction and manifest; of a dry run,
 *     bytes of the deletion files that it would have written
 * @param attempts commits that were tried; 0 when none was needed
 */
public record DeleteResult(
    long version,
    long deletedRows,
    int fragmentsUpdated,
    int fragmentsDropped,
    long bytesWritten,
    int attempts) {}
