package dev.narwhal.puffin;

import static dev.narwhal.puffin.LittleEndian.u16;
import static dev.narwhal.puffin.LittleEndian.u32;

/**
 * What one pass over 32-bit portable Roaring bytes found, every rule of the format holding.
 *
 * <pre>
 * size      order   meaning
 * 4         LE      cookie: 12346 (no run container), or 12347 in the low half and, in the high
 *                   half, the number n of containers less 1
 * 4         LE      n, in [0, 65536]: with cookie 12346 only
 * (n+7)/8   -       bit i (least significant first) set: container i is a run container; with
 *                   cookie 12347 only
 * 4n        LE      per container: u16 key, strictly ascending; u16 cardinality less 1
 * 4n        LE      per container: u32 offset from the cookie's first byte; left out when the
 *                   cookie is 12347 and n is below 4
 * ...               the containers, without gaps:
 *   run             u16 number of runs; per run u16 first value, u16 length less 1; ascending,
 *                   disjoint, none beyond 65535
 *   array           when the cardinality is at most 4096: u16 values, strictly ascending
 *   bitmap          else: 65536 bits, least significant first, as many set as the cardinality says
 * </pre>
 *
 * <p>Runs that touch and run containers larger than need be are valid. Bits of the run flags beyond
 * the last container mean nothing and are not looked at.
 *
 * <p>Source: RoaringFormatSpec, "general layout" to "container storage".
 *
 * @param cardinality number of positions, in {@code [0, 2^32]}
 * @param max the greatest position, -1 when there is none
 * @param sizeBytes number of bytes that the bitmap takes
 */
record RoaringStructure(long cardinality, long max, int sizeBytes) {
  static final int COOKIE_WITHOUT_RUNS = 12346;
  static final int COOKIE_WITH_RUNS = 12347;
  static final int MAX_CONTAINERS = 1 << 16;
  static final int OFFSETS_FROM = 4;

  /** The bytes of an empty bitmap, and the least that any bitmap takes. */
  static final int MIN_SIZE_BYTES = 8;

  /**
   * Checks the bitmap that begins at {@code from} and ends at or before {@code to}.
   *
   * @param endExclusive positions must be below it, in {@code [0, 2^32]}
   * @throws PuffinFormatException for a broken rule; offsets in messages count from {@code from}
   */
  static RoaringStructure check(byte[] bytes, int from, int to, long endExclusive) {
    RoaringHeader header = RoaringHeader.read(bytes, from, to);
    int at = header.containersAt();
    int previousKey = -1;
    long cardinality = 0;
    long max = -1;
    for (int i = 0; i < header.containers(); i++) {
      int key = header.key(bytes, i);
      if (key <= previousKey) {
        throw PuffinFormatException.at(
            header.descriptorAt(i) - from, "key " + key, "one above " + previousKey);
      }
      previousKey = key;
      if (header.hasOffsets() && u32(bytes, header.offsetAt(i)) != at - from) {
        throw PuffinFormatException.at(
            header.offsetAt(i) - from,
            "offset " + u32(bytes, header.offsetAt(i)) + " of container " + key,
            Integer.toString(at - from));
      }
      int size = containerSize(header, bytes, i, at, to);
      int count = header.cardinality(bytes, i);
      int greatest;
      if (header.isRun(bytes, i)) {
        greatest = ContainerRules.checkRuns(bytes, from, at, count);
      } else if (count <= ContainerRules.MAX_ARRAY) {
        greatest = ContainerRules.checkArray(bytes, from, at, count);
      } else {
        greatest = ContainerRules.checkBitmap(bytes, from, at, count);
      }
      cardinality += count;
      max = (long) key << 16 | greatest;
      at += size;
    }
    if (max >= endExclusive) {
      throw new PuffinFormatException("position " + max + ", expected below " + endExclusive);
    }
    return new RoaringStructure(cardinality, max, at - from);
  }

  /** The same, for bytes that hold one bitmap and nothing else. */
  static RoaringStructure checkExactly(byte[] bytes, int from, int to, long endExclusive) {
    RoaringStructure structure = check(bytes, from, to, endExclusive);
    if (structure.sizeBytes() != to - from) {
      throw PuffinFormatException.at(
          structure.sizeBytes(),
          (to - from - structure.sizeBytes()) + " bytes after the last container",
          "none");
    }
    return structure;
  }

  /** Size of a container, checked to lie before {@code to}. */
  private static int containerSize(RoaringHeader header, byte[] bytes, int i, int at, int to) {
    int size;
    if (header.isRun(bytes, i)) {
      header.require(at, 2, to, "number of runs");
      size = ContainerRules.runSize(u16(bytes, at));
    } else {
      size = ContainerRules.plainSize(header.cardinality(bytes, i));
    }
    header.require(at, size, to, "container " + header.key(bytes, i));
    return size;
  }
}
