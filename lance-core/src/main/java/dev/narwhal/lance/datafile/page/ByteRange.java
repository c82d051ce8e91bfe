package dev.narwhal.lance.datafile.page;

/**
 * Some bytes of a file. Whoever decodes one has checked that it lies inside the file.
 *
 * @param position offset of the first byte, {@code >= 0}
 * @param sizeBytes {@code >= 0}; the end does not exceed {@link Long#MAX_VALUE}
 */
public record ByteRange(long position, long sizeBytes) {
  public ByteRange {
    if (position < 0 || sizeBytes < 0 || position + sizeBytes < 0) {
      throw new IllegalArgumentException(
          "range out of bounds: " + sizeBytes + " bytes at " + position);
    }
  }

  public long end() {
    return position + sizeBytes;
  }
}
