package dev.narwhal.puffin;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.BatchIterator;
import org.roaringbitmap.RoaringBitmap;

/**
 * An immutable set of row positions in {@code [0, 2^63)}: the deleted rows of one data file.
 *
 * <p>A position is split into a 31-bit key (its high half) and 32 low bits. Keys are kept sorted,
 * each with a Roaring bitmap of its low bits; a key without positions is not there, so a single
 * position near {@code 2^63} costs no more than one near 0. Every bitmap is in the one canonical
 * form of its content: an array, bitmap or run container, whichever is smallest, and a run
 * container only where it is strictly smaller. Equal sets therefore have equal memory and equal
 * encodings, however they came about.
 *
 * <p>Equality is by content. Safe for use by many threads.
 */
public final class PositionSet {
  static final long LOW_BITS = 0xFFFF_FFFFL;

  /** Number of positions under one key. */
  static final long KEY_SPAN = 1L << 32;

  private static final int MAX_ARRAY_LENGTH = Integer.MAX_VALUE - 8;
  private static final int SHOWN = 10;
  private static final int BATCH = 256;
  private static final PositionSet EMPTY = new PositionSet(new int[0], new RoaringBitmap[0]);

  private final int[] keys;
  private final RoaringBitmap[] bitmaps;

  private PositionSet(int[] keys, RoaringBitmap[] bitmaps) {
    this.keys = keys;
    this.bitmaps = bitmaps;
  }

  public static PositionSet empty() {
    return EMPTY;
  }

  /**
   * The set of the given positions, in any order, duplicates allowed.
   *
   * @throws IllegalArgumentException for a negative position
   */
  public static PositionSet of(long... positions) {
    Builder builder = builder();
    for (long position : positions) {
      builder.add(position);
    }
    return builder.build();
  }

  public static Builder builder() {
    return new Builder();
  }

  /**
   * The positions in 32-bit portable Roaring bytes, from the buffer's position to its limit.
   *
   * @throws PuffinFormatException when the bytes are not exactly one valid bitmap
   */
  public static PositionSet fromPortable(ByteBuffer portable) {
    return PortableRoaring.of(portable, KEY_SPAN).positions();
  }

  public boolean isEmpty() {
    return keys.length == 0;
  }

  public boolean contains(long position) {
    if (position < 0) {
      return false;
    }
    int at = Arrays.binarySearch(keys, key(position));
    return at >= 0 && bitmaps[at].contains((int) position);
  }

  public long cardinality() {
    long sum = 0;
    for (RoaringBitmap bitmap : bitmaps) {
      sum += bitmap.getLongCardinality();
    }
    return sum;
  }

  /** The least position, -1 when there is none. */
  public long min() {
    return isEmpty() ? -1 : position(keys[0], bitmaps[0].first());
  }

  /** The greatest position, -1 when there is none. */
  public long max() {
    int last = keys.length - 1;
    return isEmpty() ? -1 : position(keys[last], bitmaps[last].last());
  }

  /** Hands over every position, ascending. */
  public void forEach(LongConsumer action) {
    // Not RoaringBitmap.forEach: in 1.6.23 it passes over a run that begins at 2^31.
    int[] lows = new int[BATCH];
    for (int i = 0; i < keys.length; i++) {
      long base = (long) keys[i] << 32;
      BatchIterator batches = bitmaps[i].getBatchIterator();
      while (batches.hasNext()) {
        int count = batches.nextBatch(lows);
        for (int j = 0; j < count; j++) {
          action.accept(base | (lows[j] & LOW_BITS));
        }
      }
    }
  }

  /**
   * All positions, ascending: 8 bytes each, where the set itself may need far less.
   *
   * @throws IllegalStateException when there are more than an array can hold
   */
  public long[] toArray() {
    long cardinality = cardinality();
    if (cardinality > MAX_ARRAY_LENGTH) {
      throw new IllegalStateException(
          cardinality + " positions do not fit an array of at most " + MAX_ARRAY_LENGTH);
    }
    long[] positions = new long[(int) cardinality];
    int[] next = {0};
    forEach(position -> positions[next[0]++] = position);
    return positions;
  }

  public PositionSet union(PositionSet other) {
    if (other.isEmpty()) {
      return this;
    }
    if (isEmpty()) {
      return other;
    }
    Parts parts = new Parts();
    for (int i = 0; i < keys.length; i++) {
      RoaringBitmap theirs = other.bitmapOf(keys[i]);
      parts.add(keys[i], theirs == null ? bitmaps[i] : RoaringBitmap.or(bitmaps[i], theirs));
    }
    for (int i = 0; i < other.keys.length; i++) {
      if (bitmapOf(other.keys[i]) == null) {
        parts.add(other.keys[i], other.bitmaps[i]);
      }
    }
    return parts.toSet();
  }

  public PositionSet minus(PositionSet other) {
    Parts parts = new Parts();
    for (int i = 0; i < keys.length; i++) {
      RoaringBitmap theirs = other.bitmapOf(keys[i]);
      parts.add(keys[i], theirs == null ? bitmaps[i] : RoaringBitmap.andNot(bitmaps[i], theirs));
    }
    return parts.toSet();
  }

  /**
   * The positions in {@code [start, endExclusive)}, shifted so that {@code start} becomes 0: the
   * vector of a data file that holds these rows alone. Works on containers, not on positions.
   *
   * @throws IllegalArgumentException unless {@code 0 <= start <= endExclusive}
   */
  public PositionSet slice(long start, long endExclusive) {
    if (start < 0 || endExclusive < start) {
      throw new IllegalArgumentException(
          "slice must have 0 <= start <= end: [" + start + ", " + endExclusive + ")");
    }
    Parts parts = new Parts();
    for (int i = 0; i < keys.length; i++) {
      long base = (long) keys[i] << 32;
      if (base >= endExclusive || base + (KEY_SPAN - 1) < start) {
        continue;
      }
      // Shifted, the bitmap may straddle two keys. It is cut before it moves, so that nothing
      // leaves 32 bits: addOffset of 1.6.23 fails where a whole container would.
      int key = (int) Math.floorDiv(base - start, KEY_SPAN);
      long shift = Math.floorMod(base - start, KEY_SPAN);
      RoaringBitmap inside = within(bitmaps[i], start - base, endExclusive - base);
      parts.add(key, shifted(within(inside, 0, KEY_SPAN - shift), shift));
      parts.add(key + 1, shifted(within(inside, KEY_SPAN - shift, KEY_SPAN), shift - KEY_SPAN));
    }
    return parts.toSet();
  }

  /**
   * The set as 32-bit portable Roaring bytes: little-endian, read-only, with run containers where
   * they are smaller.
   *
   * @throws IllegalStateException when a position is {@code 2^32} or more
   */
  public ByteBuffer toPortable() {
    if (max() >= KEY_SPAN) {
      throw new IllegalStateException(
          "position " + max() + " does not fit 32-bit Roaring, the limit is 2^32-1");
    }
    RoaringBitmap bitmap = isEmpty() ? new RoaringBitmap() : bitmaps[0];
    ByteBuffer out = ByteBuffer.allocate(bitmap.serializedSizeInBytes());
    out.order(ByteOrder.LITTLE_ENDIAN);
    bitmap.serialize(out);
    return out.flip().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PositionSet that
        && Arrays.equals(keys, that.keys)
        && Arrays.equals(bitmaps, that.bitmaps);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(keys) + Arrays.hashCode(bitmaps);
  }

  /** The cardinality and the first few positions. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder().append(cardinality()).append(" positions [");
    int shown = 0;
    for (int i = 0; i < keys.length && shown < SHOWN; i++) {
      for (var lows = bitmaps[i].getIntIterator(); lows.hasNext() && shown < SHOWN; shown++) {
        text.append(shown == 0 ? "" : ", ").append(position(keys[i], lows.next()));
      }
    }
    return text.append(cardinality() > shown ? ", ...]" : "]").toString();
  }

  int keyCount() {
    return keys.length;
  }

  int key(int index) {
    return keys[index];
  }

  /** The low bits under the key at an index; the caller must not change them. */
  RoaringBitmap bitmap(int index) {
    return bitmaps[index];
  }

  private @Nullable RoaringBitmap bitmapOf(int key) {
    int at = Arrays.binarySearch(keys, key);
    return at < 0 ? null : bitmaps[at];
  }

  private static RoaringBitmap within(RoaringBitmap bitmap, long start, long endExclusive) {
    long from = Math.max(start, 0);
    long to = Math.min(endExclusive, KEY_SPAN);
    if (from == 0 && to == KEY_SPAN) {
      return bitmap;
    }
    if (from >= to) {
      return new RoaringBitmap();
    }
    return RoaringBitmap.and(bitmap, RoaringBitmap.bitmapOfRange(from, to));
  }

  private static RoaringBitmap shifted(RoaringBitmap bitmap, long shift) {
    return bitmap.isEmpty() || shift == 0 ? bitmap : RoaringBitmap.addOffset(bitmap, shift);
  }

  private static int key(long position) {
    return (int) (position >>> 32);
  }

  private static long position(int key, int low) {
    return (long) key << 32 | (low & LOW_BITS);
  }

  /** Collects bitmaps by key; several for one key are united. */
  static final class Parts {
    private final TreeMap<Integer, RoaringBitmap> byKey = new TreeMap<>();

    /** Copies the bitmap, which may be that of another set. */
    void add(int key, RoaringBitmap bitmap) {
      if (!bitmap.isEmpty()) {
        byKey.merge(key, bitmap, (a, b) -> RoaringBitmap.or(a, b));
      }
    }

    PositionSet toSet() {
      List<Map.Entry<Integer, RoaringBitmap>> parts = new ArrayList<>(byKey.entrySet());
      int[] keys = new int[parts.size()];
      RoaringBitmap[] bitmaps = new RoaringBitmap[parts.size()];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = parts.get(i).getKey();
        bitmaps[i] = canonical(parts.get(i).getValue());
      }
      return keys.length == 0 ? EMPTY : new PositionSet(keys, bitmaps);
    }

    /**
     * A copy in canonical form. Runs are dissolved first: left as they are, two that touch would
     * stay apart, and one as large as its array would stay a run.
     */
    private static RoaringBitmap canonical(RoaringBitmap bitmap) {
      RoaringBitmap copy = bitmap.clone();
      copy.removeRunCompression();
      copy.runOptimize();
      return copy;
    }
  }

  /** Collects positions in any order. Not safe for use by many threads. */
  public static final class Builder {
    private final TreeMap<Integer, RoaringBitmap> byKey = new TreeMap<>();
    private int lastKey = -1;
    private RoaringBitmap last = new RoaringBitmap();

    private Builder() {}

    /**
     * Adds one position.
     *
     * @throws IllegalArgumentException when it is negative
     */
    public Builder add(long position) {
      if (position < 0) {
        throw new IllegalArgumentException("position must be in [0, 2^63): " + position);
      }
      select(key(position)).add((int) position);
      return this;
    }

    /**
     * Adds the positions in {@code [start, endExclusive)}.
     *
     * @throws IllegalArgumentException unless {@code 0 <= start <= endExclusive}
     */
    public Builder addRange(long start, long endExclusive) {
      if (start < 0 || endExclusive < start) {
        throw new IllegalArgumentException(
            "range must have 0 <= start <= end: [" + start + ", " + endExclusive + ")");
      }
      long first = start & ~LOW_BITS;
      for (long base = first; base >= 0 && base < endExclusive; base += KEY_SPAN) {
        select(key(base)).add(Math.max(start - base, 0), Math.min(endExclusive - base, KEY_SPAN));
      }
      return this;
    }

    /** The positions added so far; the builder may go on. */
    public PositionSet build() {
      Parts parts = new Parts();
      byKey.forEach(parts::add);
      return parts.toSet();
    }

    private RoaringBitmap select(int key) {
      if (key != lastKey) {
        lastKey = key;
        last = byKey.computeIfAbsent(key, absent -> new RoaringBitmap());
      }
      return last;
    }
  }
}
