package dev.narwhal.puffin;

import static dev.narwhal.puffin.LittleEndian.i32;
import static dev.narwhal.puffin.LittleEndian.u16;
import static dev.narwhal.puffin.LittleEndian.u32;

/**
 * Where the parts of a 32-bit portable Roaring header lie in an array; layout in {@link
 * RoaringStructure}.
 *
 * @param from index of the cookie
 * @param containers number of containers, in {@code [0, 65536]}
 * @param flagsAt index of the run flags, -1 when no container is a run container
 * @param descriptorsAt index of the keys and cardinalities
 * @param hasOffsets whether the offsets follow the descriptors
 */
record RoaringHeader(int from, int containers, int flagsAt, int descriptorsAt, boolean hasOffsets) {
  /**
   * Reads a header of which every byte lies before {@code to}.
   *
   * @throws PuffinFormatException for an unknown cookie, too many containers, or bytes cut short
   */
  static RoaringHeader read(byte[] bytes, int from, int to) {
    require(from, from, 4, to, "cookie");
    int cookie = i32(bytes, from);
    RoaringHeader header;
    if (cookie == RoaringStructure.COOKIE_WITHOUT_RUNS) {
      require(from, from + 4, 4, to, "number of containers");
      long containers = u32(bytes, from + 4);
      if (containers > RoaringStructure.MAX_CONTAINERS) {
        throw PuffinFormatException.at(
            4, containers + " containers", "at most " + RoaringStructure.MAX_CONTAINERS);
      }
      header = new RoaringHeader(from, (int) containers, -1, from + 8, true);
    } else if ((cookie & 0xFFFF) == RoaringStructure.COOKIE_WITH_RUNS) {
      int containers = (cookie >>> 16) + 1;
      int descriptorsAt = from + 4 + (containers + 7) / 8;
      boolean hasOffsets = containers >= RoaringStructure.OFFSETS_FROM;
      header = new RoaringHeader(from, containers, from + 4, descriptorsAt, hasOffsets);
    } else {
      throw PuffinFormatException.at(
          0,
          "Roaring cookie " + Hex.of(cookie),
          "0x0000303a (no runs), or 0x303b in the low half (runs)");
    }
    require(from, from + 4, header.containersAt() - from - 4, to, "header");
    return header;
  }

  int descriptorAt(int i) {
    return descriptorsAt + 4 * i;
  }

  int offsetAt(int i) {
    return descriptorsAt + 4 * containers + 4 * i;
  }

  int containersAt() {
    return descriptorsAt + (hasOffsets ? 8 : 4) * containers;
  }

  int key(byte[] bytes, int i) {
    return u16(bytes, descriptorAt(i));
  }

  /** In {@code [1, 65536]}. */
  int cardinality(byte[] bytes, int i) {
    return u16(bytes, descriptorAt(i) + 2) + 1;
  }

  boolean isRun(byte[] bytes, int i) {
    return flagsAt >= 0 && (bytes[flagsAt + (i >> 3)] >> (i & 7) & 1) != 0;
  }

  void require(int at, int size, int to, String what) {
    require(from, at, size, to, what);
  }

  private static void require(int from, int at, int size, int to, String what) {
    if (to - at < size) {
      throw PuffinFormatException.at(
          at - from, (to - at) + " bytes left for the " + what, size + " or more");
    }
  }
}
