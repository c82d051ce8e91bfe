package dev.narwhal.lance.write.merge;

/**
 * What a merge insert did.
 *
 * @param version the version that holds the result: a new one, or the one read when nothing changed
 *     or nothing was to be written
 * @param insertedRows rows of the source that are new in the table
 * @param updatedRows rows of the table that have other values
 * @param deletedRows rows of the table that are gone
 * @param attempts commits that were tried; 0 when none was needed
 * @param filesWritten new data files
 * @param bytesWritten bytes of the new data and deletion files, transaction and manifest
 */
public record MergeResult(
    long version,
    long insertedRows,
    long updatedRows,
    long deletedRows,
    int attempts,
    int filesWritten,
    long bytesWritten) {}
