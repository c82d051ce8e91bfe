package dev.narwhal.lance.deletion;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.roaringbitmap.BatchIterator;
import org.roaringbitmap.RoaringBitmap;

/**
 * The deleted rows of a fragment: a set of row offsets, each in {@code [0, 2^32)}.
 *
 * <p>Immutable, safe for use by many threads. Two vectors with the same offsets are equal, wherever
 * they came from; whether a file holds them as an array or as a bitmap is a choice of the writer.
 *
 * <p>Source: table format sheet 4.1.
 */
public final class DeletionVector {
  private static final long OFFSET_LIMIT = 1L << 32;
  private static final DeletionVector EMPTY = new DeletionVector(new RoaringBitmap());

  /** Never changed after construction, and never given away. */
  private final RoaringBitmap bitmap;

  private final DeletionBlocks blocks;
  private final LiveRows live;
  private final long cardinality;

  /** Takes the bitmap over. */
  private DeletionVector(RoaringBitmap bitmap) {
    bitmap.runOptimize();
    this.bitmap = bitmap;
    blocks = DeletionBlocks.of(bitmap);
    live = new LiveRows(blocks);
    cardinality = bitmap.getLongCardinality();
  }

  public static DeletionVector empty() {
    return EMPTY;
  }

  /** The bitmap's values as unsigned offsets; the bitmap is copied. */
  public static DeletionVector of(RoaringBitmap bitmap) {
    return owning(bitmap.clone());
  }

  /**
   * The vector of these offsets.
   *
   * @param offsets unsigned, in any order, duplicates allowed
   */
  public static DeletionVector ofOffsets(int... offsets) {
    // the library sorts the array it is given
    return owning(RoaringBitmap.bitmapOfUnordered(offsets.clone()));
  }

  /** The bitmap's values as unsigned offsets; the bitmap is the vector's from now on. */
  static DeletionVector owning(RoaringBitmap bitmap) {
    return bitmap.isEmpty() ? EMPTY : new DeletionVector(bitmap);
  }

  public boolean isEmpty() {
    return cardinality == 0;
  }

  /** Number of offsets, in {@code [0, 2^32]}. */
  public long cardinality() {
    return cardinality;
  }

  /** Number of offsets in {@code [start, endExclusive)}; both at least 0. */
  public long cardinality(long start, long endExclusive) {
    requireRange(start, endExclusive);
    long end = Math.min(endExclusive, OFFSET_LIMIT);
    return start < end ? bitmap.rangeCardinality(start, end) : 0;
  }

  /**
   * Whether a row is deleted.
   *
   * @param offset at least 0; from 2^32 on nothing is contained
   */
  public boolean contains(long offset) {
    return offset >= 0 && offset < OFFSET_LIMIT && bitmap.contains((int) offset);
  }

  /**
   * Rank: the number of live rows before an offset. It depends on neither the fragment's size nor
   * how many rows are deleted.
   *
   * @param offset at least 0
   */
  public long liveBefore(long offset) {
    requireRange(0, offset);
    return offset - live.deletedBefore(offset);
  }

  /**
   * Rank of many rows: the live rows before each.
   *
   * @param offsets unsigned
   * @return unsigned
   */
  public int[] liveBefore(int[] offsets) {
    int[] before = new int[offsets.length];
    for (int i = 0; i < offsets.length; i++) {
      before[i] = (int) liveBefore(Integer.toUnsignedLong(offsets[i]));
    }
    return before;
  }

  /**
   * Select: the offset of a live row. The vector does not know where the fragment ends.
   *
   * @param index number of live rows before it, in {@code [0, 2^32)}
   * @throws IllegalArgumentException when no offset below 2^32 has so many live rows before it
   */
  public long liveOffset(long index) {
    if (index < 0 || index >= OFFSET_LIMIT) {
      throw new IllegalArgumentException("live row must be in [0, 2^32): " + index);
    }
    return Integer.toUnsignedLong(liveOffsets(new int[] {(int) index})[0]);
  }

  /**
   * Select of many live rows.
   *
   * @param ascending numbers of live rows before each, unsigned; duplicates are allowed
   * @return the offsets, unsigned, in the same order
   * @throws IllegalArgumentException when they do not ascend, or one is no row's
   */
  public int[] liveOffsets(int[] ascending) {
    for (int i = 1; i < ascending.length; i++) {
      if (Integer.compareUnsigned(ascending[i - 1], ascending[i]) > 0) {
        throw new IllegalArgumentException(
            "live rows must ascend: "
                + Integer.toUnsignedString(ascending[i])
                + " follows "
                + Integer.toUnsignedString(ascending[i - 1]));
      }
    }
    long[] found = new long[ascending.length];
    live.offsetsOf(ascending, found);
    int[] offsets = new int[ascending.length];
    for (int i = 0; i < offsets.length; i++) {
      if (found[i] >= OFFSET_LIMIT) {
        throw new IllegalArgumentException(
            "live row "
                + Integer.toUnsignedString(ascending[i])
                + " would have the offset "
                + found[i]
                + ", offsets are below 2^32");
      }
      offsets[i] = (int) found[i];
    }
    return offsets;
  }

  /** The greatest offset, -1 when there is none. */
  public long max() {
    return isEmpty() ? -1 : Integer.toUnsignedLong(bitmap.last());
  }

  /** Offsets of either. */
  public DeletionVector union(DeletionVector other) {
    if (other.isEmpty()) {
      return this;
    }
    return isEmpty() ? other : owning(RoaringBitmap.or(bitmap, other.bitmap));
  }

  /** Offsets of both. */
  public DeletionVector intersection(DeletionVector other) {
    return isEmpty() || other.isEmpty() ? EMPTY : owning(RoaringBitmap.and(bitmap, other.bitmap));
  }

  /** Offsets of this vector that are not in the other one. */
  public DeletionVector minus(DeletionVector other) {
    return isEmpty() || other.isEmpty() ? this : owning(RoaringBitmap.andNot(bitmap, other.bitmap));
  }

  /**
   * The offsets in {@code [start, endExclusive)}, each less {@code start}: the vector of the rows
   * that a part of the fragment holds.
   *
   * @param start at least 0
   * @param endExclusive at least {@code start}
   */
  public DeletionVector slice(long start, long endExclusive) {
    requireRange(start, endExclusive);
    long end = Math.min(endExclusive, OFFSET_LIMIT);
    if (start >= end) {
      return EMPTY;
    }
    if (start == 0 && end > max()) {
      return this;
    }
    RoaringBitmap selected = bitmap.selectRange(start, end);
    return owning(start == 0 ? selected : RoaringBitmap.addOffset(selected, -start));
  }

  /**
   * Sets bit i of {@code words}, least significant bit of the first word first, if offset {@code
   * start + i} is deleted, for i in {@code [0, count)}, and clears every other bit.
   *
   * @param start at least 0
   * @param count at least 0, at most 64 bits a word
   */
  public void copyBits(long start, int count, long[] words) {
    if (start < 0) {
      throw new IllegalArgumentException("start must be at least 0: " + start);
    }
    Objects.checkFromIndexSize(0L, count, (long) words.length * Long.SIZE);
    blocks.copyBits(start, count, words);
  }

  /** Calls back with each offset, unsigned, in ascending order. */
  public void forEach(IntConsumer offset) {
    // not RoaringBitmap.forEach: 1.6.23 loses runs of the container that begins at 2^31
    int[] offsets = new int[256];
    BatchIterator batches = bitmap.getBatchIterator();
    while (batches.hasNext()) {
      int count = batches.nextBatch(offsets);
      for (int i = 0; i < count; i++) {
        offset.accept(offsets[i]);
      }
    }
  }

  /**
   * The offsets, unsigned, in ascending order.
   *
   * @throws IllegalStateException when there are more than an array can hold
   */
  public int[] toArray() {
    if (cardinality > Integer.MAX_VALUE) {
      throw new IllegalStateException(cardinality + " offsets do not fit an array");
    }
    return bitmap.toArray();
  }

  /** A copy. */
  public RoaringBitmap toRoaring() {
    return bitmap.clone();
  }

  /**
   * The portable serialisation of a 32-bit Roaring bitmap: little-endian, read-only, position 0,
   * without run containers, one encoding for one set. It is also the content of a bitmap deletion
   * file.
   */
  public ByteBuffer toPortableBytes() {
    RoaringBitmap plain = bitmap.clone();
    plain.removeRunCompression();
    return serialized(plain);
  }

  /** The same with run containers where they are smaller. */
  ByteBuffer toPortableBytesWithRuns() {
    return serialized(bitmap);
  }

  private static ByteBuffer serialized(RoaringBitmap bitmap) {
    ByteBuffer out =
        ByteBuffer.allocate(bitmap.serializedSizeInBytes()).order(ByteOrder.LITTLE_ENDIAN);
    bitmap.serialize(out);
    return out.flip().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DeletionVector that
        && cardinality == that.cardinality
        && bitmap.equals(that.bitmap);
  }

  /** Not the library's, which tells container types apart. */
  @Override
  public int hashCode() {
    return isEmpty() ? 0 : Objects.hash(cardinality, bitmap.first(), bitmap.last());
  }

  @Override
  public String toString() {
    return isEmpty()
        ? "no rows"
        : cardinality
            + " rows in ["
            + Integer.toUnsignedString(bitmap.first())
            + ", "
            + max()
            + "]";
  }

  private static void requireRange(long start, long endExclusive) {
    if (start < 0 || endExclusive < start) {
      throw new IllegalArgumentException(
          "no range of offsets: [" + start + ", " + endExclusive + ")");
    }
  }
}
