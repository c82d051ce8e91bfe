package dev.narwhal.lance.write.merge;

/** What becomes of a row of the source that no table row has the key of. */
public enum WhenNotMatched {
  /** It is inserted; columns that the source lacks are null. */
  INSERT,
  /** It is passed over. */
  DO_NOTHING
}
