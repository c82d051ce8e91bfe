package dev.narwhal.lance.schema;

/** What is read of a blob column, whose values are apart from it. */
public enum BlobMode {
  /**
   * Where the values are: a struct of unsigned position and size, of blobs of the second kind of
   * kind, position, size, blob id and URI. What a plain scan of Lance gives.
   */
  DESCRIPTORS,
  /** The values themselves, as large binary. */
  BYTES
}
