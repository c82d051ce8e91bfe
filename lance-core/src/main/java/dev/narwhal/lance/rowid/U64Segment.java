package dev.narwhal.lance.rowid;

import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A run of row ids in one of the five encodings. Positions are 0-based within the segment. Source:
 * table format sheet 2.8 and 10.3.
 */
sealed interface U64Segment
    permits U64Segment.Range, U64Segment.RangeWithHoles, U64Segment.RangeWithBitmap, Listed {
  /** The row offsets of a fragment are u32, so no sequence is longer. */
  long MAX_LENGTH = 1L << 32;

  /** Number of ids, {@code 0..2^32}. */
  long length();

  /**
   * Writes the ids at {@code [start, start + count)} to {@code out} from {@code at}. The caller has
   * checked the range.
   */
  void copyTo(long start, int count, long[] out, int at);

  /** An id that no id of the segment is below, as unsigned. The segment is not empty. */
  long first();

  /** An id that no id of the segment is above, as unsigned. The segment is not empty. */
  long last();

  /**
   * The position of an id, without looking at every one.
   *
   * @param from the least position that counts; an id may be listed twice
   * @return -1 when it is not there
   */
  long find(long id, long from);

  /** Consecutive ids from {@code start}. */
  record Range(long start, long length) implements U64Segment {
    static Range of(long start, long end) {
      return new Range(start, requireLength(start, end, 0));
    }

    @Override
    public void copyTo(long from, int count, long[] out, int at) {
      long first = start + from;
      for (int i = 0; i < count; i++) {
        out[at + i] = first + i;
      }
    }

    @Override
    public long first() {
      return start;
    }

    @Override
    public long last() {
      return start + length - 1;
    }

    @Override
    public long find(long id, long from) {
      long position = id - start;
      return position >= from && position < length ? position : -1;
    }
  }

  /** Consecutive ids but for some. */
  final class RangeWithHoles implements U64Segment {
    private final long start;
    private final long length;
    private final EncodedU64Array holes;

    private RangeWithHoles(long start, long length, EncodedU64Array holes) {
      this.start = start;
      this.length = length;
      this.holes = holes;
    }

    static RangeWithHoles of(long start, long end, EncodedU64Array holes) {
      long length = requireLength(start, end, holes.size());
      if (!holes.isStrictlyAscending()) {
        throw new LanceFormatException("holes of a range are not in ascending order");
      }
      int last = holes.size() - 1;
      if (last >= 0
          && (Long.compareUnsigned(holes.get(0), start) < 0
              || Long.compareUnsigned(holes.get(last), end) >= 0)) {
        throw new LanceFormatException(
            "hole outside the range "
                + Long.toUnsignedString(start)
                + ".."
                + Long.toUnsignedString(end));
      }
      return new RangeWithHoles(start, length, holes);
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public void copyTo(long from, int count, long[] out, int at) {
      int hole = holesBefore(from);
      long id = start + from + hole;
      for (int i = 0; i < count; i++, id++) {
        while (hole < holes.size() && holes.get(hole) == id) {
          hole++;
          id++;
        }
        out[at + i] = id;
      }
    }

    @Override
    public long first() {
      return start;
    }

    @Override
    public long last() {
      return start + length + holes.size() - 1;
    }

    @Override
    public long find(long id, long from) {
      long slot = id - start;
      if (slot < 0 || slot >= length + holes.size()) {
        return -1;
      }
      int hole = holes.lowerBound(id);
      if (hole < holes.size() && holes.get(hole) == id) {
        return -1;
      }
      return slot - hole >= from ? slot - hole : -1;
    }

    /** Holes below the id at a position: hole k lies before it iff at most that many ids do. */
    private int holesBefore(long position) {
      int low = 0;
      int high = holes.size();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (holes.get(middle) - start - middle <= position) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }

  /** The ids of a range whose bit is set, least significant bit of each byte first. */
  final class RangeWithBitmap implements U64Segment {
    private static final int WORDS_PER_BLOCK = 8;

    private final long start;
    private final long slots;
    private final long[] words;

    /** Set bits before each block of words. */
    private final long[] ranks;

    private final long length;

    private RangeWithBitmap(long start, long slots, long[] words, long[] ranks, long length) {
      this.start = start;
      this.slots = slots;
      this.words = words;
      this.ranks = ranks;
      this.length = length;
    }

    /** Bits past the range are ignored; too few of them are an error. */
    static RangeWithBitmap of(long start, long end, ByteBuffer bitmap) {
      long slots = requireOrdered(start, end);
      if (slots < 0 || (slots >>> 3) + ((slots & 7) == 0 ? 0 : 1) > bitmap.remaining()) {
        throw new LanceFormatException(
            "bitmap of "
                + bitmap.remaining()
                + " bytes is too short for a range of "
                + Long.toUnsignedString(slots)
                + " ids");
      }
      long[] words = toWords(bitmap, slots);
      long[] ranks = new long[(words.length + WORDS_PER_BLOCK - 1) / WORDS_PER_BLOCK];
      long length = 0;
      for (int i = 0; i < words.length; i++) {
        if (i % WORDS_PER_BLOCK == 0) {
          ranks[i / WORDS_PER_BLOCK] = length;
        }
        length += Long.bitCount(words[i]);
      }
      if (length > MAX_LENGTH) {
        throw new LanceFormatException("segment of " + length + " ids, at most 2^32 are possible");
      }
      return new RangeWithBitmap(start, slots, words, ranks, length);
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public void copyTo(long from, int count, long[] out, int at) {
      if (count == 0) {
        return;
      }
      int word = wordOf(from);
      long skip = from - rank(word);
      long bits = words[word];
      for (; skip > 0; skip--) {
        bits &= bits - 1;
      }
      for (int i = 0; i < count; bits &= bits - 1) {
        while (bits == 0) {
          bits = words[++word];
        }
        out[at + i++] = start + ((long) word << 6) + Long.numberOfTrailingZeros(bits);
      }
    }

    @Override
    public long first() {
      return start;
    }

    @Override
    public long last() {
      return start + slots - 1;
    }

    @Override
    public long find(long id, long from) {
      long slot = id - start;
      if (slot < 0 || slot >= slots) {
        return -1;
      }
      int word = (int) (slot >>> 6);
      if ((words[word] >>> slot & 1) == 0) {
        return -1;
      }
      long position = rank(word) + Long.bitCount(words[word] & ~(-1L << slot));
      return position >= from ? position : -1;
    }

    /** The word that holds the set bit of a position. */
    private int wordOf(long position) {
      int low = 0;
      int high = ranks.length - 1;
      while (low < high) {
        int middle = (low + high + 1) >>> 1;
        if (ranks[middle] <= position) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      int word = low * WORDS_PER_BLOCK;
      long before = ranks[low];
      while (before + Long.bitCount(words[word]) <= position) {
        before += Long.bitCount(words[word++]);
      }
      return word;
    }

    private long rank(int word) {
      int block = word / WORDS_PER_BLOCK;
      long rank = ranks[block];
      for (int i = block * WORDS_PER_BLOCK; i < word; i++) {
        rank += Long.bitCount(words[i]);
      }
      return rank;
    }

    private static long[] toWords(ByteBuffer bitmap, long slots) {
      ByteBuffer in = bitmap.slice().order(ByteOrder.LITTLE_ENDIAN);
      long[] words = new long[(int) ((slots + 63) >>> 6)];
      for (int i = 0; i < words.length; i++) {
        if (in.limit() - i * 8L >= 8) {
          words[i] = in.getLong(i * 8);
        } else {
          for (int b = i * 8; b < in.limit(); b++) {
            words[i] |= (in.get(b) & 0xFFL) << ((b & 7) * 8);
          }
        }
      }
      if ((slots & 63) != 0) {
        words[words.length - 1] &= -1L >>> (64 - (slots & 63));
      }
      return words;
    }
  }

  private static long requireOrdered(long start, long end) {
    if (Long.compareUnsigned(start, end) > 0) {
      throw new LanceFormatException(
          "range ends at "
              + Long.toUnsignedString(end)
              + ", before its start "
              + Long.toUnsignedString(start));
    }
    return end - start;
  }

  private static long requireLength(long start, long end, int holes) {
    long slots = requireOrdered(start, end);
    long length = slots - holes;
    if (slots < 0 || length < 0 || length > MAX_LENGTH) {
      throw new LanceFormatException(
          "range of "
              + Long.toUnsignedString(slots)
              + " ids with "
              + holes
              + " holes: between 0 and 2^32 can remain");
    }
    return length;
  }
}
