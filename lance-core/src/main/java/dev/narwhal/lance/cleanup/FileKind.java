package dev.narwhal.lance.cleanup;

/** What can be removed. */
public enum FileKind {
  MANIFEST,
  DATA,
  DELETION,
  TRANSACTION,
  INDEX,
  /** What a writer that died left of a file that it was writing. */
  TEMPORARY
}
