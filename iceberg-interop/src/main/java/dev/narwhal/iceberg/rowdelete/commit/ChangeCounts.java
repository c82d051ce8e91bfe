package dev.narwhal.iceberg.rowdelete.commit;

import java.util.OptionalLong;

/**
 * What a change is made of.
 *
 * @param deletedRows rows that were alive before and are not any more, among them those that come
 *     back with other values; empty where only reading the data would tell
 * @param addedRows rows that are new, or come back with other values
 * @param dataFilesAdded data files written, replacements among them
 * @param dataFilesRemoved data files that went because no live row was left in them
 * @param dataFilesRewritten data files that were replaced by files of the rows kept
 * @param deleteFilesAdded every deletion vector counts as one
 * @param bytesWritten of data and delete files, each Puffin file once
 */
public record ChangeCounts(
    OptionalLong deletedRows,
    long addedRows,
    int dataFilesAdded,
    int dataFilesRemoved,
    int dataFilesRewritten,
    int deleteFilesAdded,
    int deleteFilesRemoved,
    long bytesWritten) {}
