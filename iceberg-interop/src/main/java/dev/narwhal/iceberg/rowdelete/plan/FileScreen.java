package dev.narwhal.iceberg.rowdelete.plan;

import org.apache.iceberg.FileScanTask;

/** What can be said of a data file's rows without reading them. */
interface FileScreen {
  /** How many rows of a file match. */
  enum Matching {
    NONE,
    /** Only reading tells. */
    SOME,
    ALL
  }

  Matching matching(FileScanTask task);
}
