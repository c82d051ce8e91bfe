package dev.narwhal.puffin;

/**
 * Where one vector lies in a file, as the metadata of its format records it. The two numbers mean
 * different things in different formats; each codec class tells.
 *
 * @param offset in bytes from the start of the file, at least 0
 * @param length in bytes, at least 0
 */
public record VectorRange(long offset, long length) {
  public VectorRange {
    if (offset < 0 || length < 0) {
      throw new IllegalArgumentException(
          "offset and length must be at least 0: " + offset + ", " + length);
    }
  }

  @Override
  public String toString() {
    return "bytes " + offset + "+" + length;
  }
}
