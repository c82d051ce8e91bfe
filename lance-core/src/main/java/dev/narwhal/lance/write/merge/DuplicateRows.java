package dev.narwhal.lance.write.merge;

/**
 * What happens when several rows of the source would update one row of the table. Rows of the
 * source that have one key and match nothing are all inserted, as real Lance does it.
 */
public enum DuplicateRows {
  /** The merge fails, naming some of the keys. */
  FAIL,
  /** The first of them in the source is taken. */
  FIRST_SEEN
}
