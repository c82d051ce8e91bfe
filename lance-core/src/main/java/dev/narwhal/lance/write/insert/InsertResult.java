package dev.narwhal.lance.write.insert;

/**
 * What an insert came to.
 *
 * @param version the new version; the one that was read, 0 for a new table, when nothing was
 *     written: there was no row to append, or it was a dry run
 * @param rows that the source gave
 * @param fragments new ones
 * @param bytesWritten bytes of data files, transaction and manifest; of a dry run bytes of the data
 *     files that it would have written
 * @param attempts commits that were tried; 0 when none was needed
 */
public record InsertResult(
    long version, long rows, int fragments, long bytesWritten, int attempts) {}
