package dev.narwhal.conformance.compare;

/** The ways to delete rows that are compared, in the order of the report. */
public enum Strategy {
  LANCE_DELETION_FILE(
      "lance-deletion-file",
      "Lance",
      "One deletion file per touched fragment, array or bitmap; data files stay."),
  ICEBERG_DELETION_VECTORS(
      "iceberg-deletion-vectors",
      "Iceberg v3",
      "One deletion vector per touched data file, in a Puffin file; data files stay."),
  ICEBERG_POSITION_DELETES_FILE(
      "iceberg-position-deletes-file",
      "Iceberg v2",
      "One Parquet file of positions per touched data file; data files stay."),
  ICEBERG_POSITION_DELETES_PARTITION(
      "iceberg-position-deletes-partition",
      "Iceberg v2",
      "One Parquet file of positions per partition; data files stay."),
  ICEBERG_COPY_ON_WRITE(
      "iceberg-copy-on-write",
      "Iceberg v2",
      "Every data file with a match is written again without the deleted rows."),
  ICEBERG_EQUALITY_DELETES(
      "iceberg-equality-deletes",
      "Iceberg v2",
      "One Parquet file of the predicate's columns: rows that equal one of its rows are deleted.");

  private final String id;
  private final String format;
  private final String summary;

  Strategy(String id, String format, String summary) {
    this.id = id;
    this.format = format;
    this.summary = summary;
  }

  /** The name in every output; part of the command line's contract. */
  public String id() {
    return id;
  }

  /** The table format and version it belongs to. */
  public String format() {
    return format;
  }

  /** What it writes, in one sentence. */
  public String summary() {
    return summary;
  }
}
