package dev.narwhal.iceberg.export;

import org.apache.iceberg.DataFile;

/**
 * A data file and the rows of its fragment that it was made from.
 *
 * @param startRow offset in the fragment of the first row
 * @param endRowExclusive offset after the last row; with dead rows kept in place, position p of the
 *     file is row offset {@code startRow + p}
 */
record WrittenFile(DataFile dataFile, long startRow, long endRowExclusive) {}
