package dev.narwhal.lance.deletion;

import java.util.Arrays;
import org.roaringbitmap.BitmapContainer;
import org.roaringbitmap.Container;
import org.roaringbitmap.ContainerPointer;
import org.roaringbitmap.PeekableCharIterator;
import org.roaringbitmap.RoaringBitmap;
import org.roaringbitmap.RunContainer;

/**
 * The containers of a Roaring bitmap, each for 65536 offsets, laid out for copying bits, where a
 * run or a word of a bitmap container moves at once, and for counting. Shares the containers with
 * the bitmap, which must not change any more; the words of bitmap containers, which the library
 * does not show, are copied.
 */
final class DeletionBlocks {
  static final int BLOCK_SHIFT = 16;
  static final int BLOCK_SIZE = 1 << BLOCK_SHIFT;
  private static final long[] NO_WORDS = {};

  /** The high 16 bits of each container's offsets, ascending. */
  private final int[] keys;

  private final Container[] containers;

  /** The words of bitmap containers, empty beside others. */
  private final long[][] bitmapWords;

  /** Offsets in the containers before each, and at the end in all of them. */
  private final long[] before;

  private DeletionBlocks(int[] keys, Container[] containers, long[][] bitmapWords, long[] before) {
    this.keys = keys;
    this.containers = containers;
    this.bitmapWords = bitmapWords;
    this.before = before;
  }

  static DeletionBlocks of(RoaringBitmap bitmap) {
    int count = bitmap.getContainerCount();
    int[] keys = new int[count];
    Container[] containers = new Container[count];
    long[][] bitmapWords = new long[count][];
    long[] before = new long[count + 1];
    ContainerPointer pointer = bitmap.getContainerPointer();
    for (int i = 0; i < count; i++, pointer.advance()) {
      keys[i] = pointer.key();
      containers[i] = pointer.getContainer();
      bitmapWords[i] = NO_WORDS;
      before[i + 1] = before[i] + containers[i].getCardinality();
      if (containers[i] instanceof BitmapContainer) {
        bitmapWords[i] = new long[BLOCK_SIZE / Long.SIZE];
        containers[i].copyBitmapTo(bitmapWords[i], 0);
      }
    }
    return new DeletionBlocks(keys, containers, bitmapWords, before);
  }

  int count() {
    return keys.length;
  }

  /** The first offset that a container could hold. */
  long start(int block) {
    return (long) keys[block] << BLOCK_SHIFT;
  }

  Container container(int block) {
    return containers[block];
  }

  /** The words of a bitmap container, empty for others; not to be changed. */
  long[] words(int block) {
    return bitmapWords[block];
  }

  /** Offsets in the containers before this one; at {@link #count()} all of them. */
  long cardinalityBefore(int block) {
    return before[block];
  }

  /** See {@link DeletionVector#copyBits}; the arguments are checked there. */
  void copyBits(long start, int count, long[] words) {
    Arrays.fill(words, 0);
    long end = start + count;
    int block = firstBlock(start);
    for (; block < keys.length && count > 0; block++) {
      long blockStart = (long) keys[block] << BLOCK_SHIFT;
      if (blockStart >= end) {
        break;
      }
      int from = (int) Math.max(0, start - blockStart);
      int to = (int) Math.min(BLOCK_SIZE, end - blockStart);
      copyBlock(block, from, to, words, (int) (blockStart + from - start));
    }
  }

  /** Index of the first container that reaches {@code start} or lies behind it. */
  int firstBlock(long start) {
    if (start >>> BLOCK_SHIFT > Character.MAX_VALUE) {
      return keys.length;
    }
    int found = Arrays.binarySearch(keys, (int) (start >>> BLOCK_SHIFT));
    return found < 0 ? -found - 1 : found;
  }

  /** Bits {@code [from, to)} of a container go to {@code words} from bit {@code at} on. */
  private void copyBlock(int block, int from, int to, long[] words, int at) {
    Container container = containers[block];
    if (container instanceof RunContainer runs) {
      copyRuns(runs, from, to, words, at);
    } else if (bitmapWords[block].length > 0) {
      copyWords(bitmapWords[block], from, to, words, at);
    } else {
      copyValues(container, from, to, words, at);
    }
  }

  private static void copyRuns(RunContainer runs, int from, int to, long[] words, int at) {
    int low = 0;
    int high = runs.numberOfRuns();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (runs.getValue(middle) + runs.getLength(middle) < from) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    for (int run = low; run < runs.numberOfRuns() && runs.getValue(run) < to; run++) {
      int first = Math.max(from, runs.getValue(run));
      int end = Math.min(to, runs.getValue(run) + runs.getLength(run) + 1);
      setBits(words, at + first - from, at + end - from);
    }
  }

  private static void copyWords(long[] source, int from, int to, long[] words, int at) {
    int target = at;
    for (int bit = from; bit < to; ) {
      int take = Math.min(Long.SIZE - (target & 63), to - bit);
      long bits = source[bit >>> 6] >>> bit;
      if ((bit & 63) + take > Long.SIZE) {
        bits |= source[(bit >>> 6) + 1] << -bit;
      }
      words[target >>> 6] |= (bits & (-1L >>> -take)) << target;
      bit += take;
      target += take;
    }
  }

  private static void copyValues(Container container, int from, int to, long[] words, int at) {
    PeekableCharIterator values = container.getCharIterator();
    values.advanceIfNeeded((char) from);
    while (values.hasNext()) {
      int value = values.nextAsInt();
      if (value >= to) {
        return;
      }
      int bit = at + value - from;
      words[bit >>> 6] |= 1L << bit;
    }
  }

  private static void setBits(long[] words, int from, int to) {
    int first = from >>> 6;
    int last = (to - 1) >>> 6;
    long firstMask = -1L << from;
    long lastMask = -1L >>> -to;
    if (first == last) {
      words[first] |= firstMask & lastMask;
    } else {
      words[first] |= firstMask;
      Arrays.fill(words, first + 1, last, -1L);
      words[last] |= lastMask;
    }
  }
}
