package dev.narwhal.lance.datafile.codec;

/** The general-purpose schemes that a unit may be compressed with. */
public enum Compression {
  /** A raw LZ4 block behind its uncompressed size. */
  LZ4,
  /** One Zstandard frame behind its uncompressed size, or, from old writers, on its own. */
  ZSTD
}
