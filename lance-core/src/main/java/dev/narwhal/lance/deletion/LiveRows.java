package dev.narwhal.lance.deletion;

import org.roaringbitmap.Container;
import org.roaringbitmap.RunContainer;

/**
 * Rank and select over the rows that are not deleted. Both find the container by binary search and
 * look into that one alone: at most 1024 words, 2047 runs, or a search among 4096 values, however
 * many rows are deleted.
 */
final class LiveRows {
  private final DeletionBlocks blocks;

  LiveRows(DeletionBlocks blocks) {
    this.blocks = blocks;
  }

  /** Deleted rows before an offset, which is at least 0. */
  long deletedBefore(long offset) {
    int block = blocks.firstBlock(offset);
    long before = blocks.cardinalityBefore(block);
    if (block == blocks.count() || blocks.start(block) >= offset) {
      return before;
    }
    int last = (int) (offset - blocks.start(block)) - 1;
    return before + blocks.container(block).rank((char) last);
  }

  /**
   * The offsets of live rows.
   *
   * @param indexes numbers of live rows before each, unsigned, ascending
   * @param out receives the offsets, unsigned in 33 bits: past the last deleted row nothing ends
   */
  void offsetsOf(int[] indexes, long[] out) {
    int block = -1;
    for (int i = 0; i < indexes.length; ) {
      long index = Integer.toUnsignedLong(indexes[i]);
      block = lastBlockAt(index, Math.max(0, block));
      int end = i + 1;
      if (block < 0) {
        out[i] = index;
      } else {
        long first = liveBefore(block);
        long live = DeletionBlocks.BLOCK_SIZE - cardinality(block);
        if (index - first >= live) {
          out[i] = index + blocks.cardinalityBefore(block + 1);
        } else {
          while (end < indexes.length && Integer.toUnsignedLong(indexes[end]) - first < live) {
            end++;
          }
          select(block, indexes, i, end, out);
        }
      }
      i = end;
    }
  }

  /** The last container with at most {@code index} live rows before it, -1 when there is none. */
  private int lastBlockAt(long index, int from) {
    int low = from;
    int high = blocks.count();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (liveBefore(middle) <= index) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  private long liveBefore(int block) {
    return blocks.start(block) - blocks.cardinalityBefore(block);
  }

  private long cardinality(int block) {
    return blocks.cardinalityBefore(block + 1) - blocks.cardinalityBefore(block);
  }

  private void select(int block, int[] indexes, int from, int to, long[] out) {
    Container container = blocks.container(block);
    if (container instanceof RunContainer runs) {
      selectBetweenRuns(runs, block, indexes, from, to, out);
    } else if (blocks.words(block).length > 0) {
      selectClearBits(block, indexes, from, to, out);
    } else {
      selectBetweenValues(container, block, indexes, from, to, out);
    }
  }

  private void selectBetweenRuns(
      RunContainer runs, int block, int[] indexes, int from, int to, long[] out) {
    long first = liveBefore(block);
    int run = 0;
    int deleted = 0;
    for (int i = from; i < to; i++) {
      int live = (int) (Integer.toUnsignedLong(indexes[i]) - first);
      while (run < runs.numberOfRuns() && runs.getValue(run) - deleted <= live) {
        deleted += runs.getLength(run) + 1;
        run++;
      }
      out[i] = blocks.start(block) + live + deleted;
    }
  }

  private void selectClearBits(int block, int[] indexes, int from, int to, long[] out) {
    long[] words = blocks.words(block);
    long first = liveBefore(block);
    int word = 0;
    int before = 0;
    for (int i = from; i < to; i++) {
      int live = (int) (Integer.toUnsignedLong(indexes[i]) - first);
      int here = Long.bitCount(~words[word]);
      while (before + here <= live) {
        before += here;
        here = Long.bitCount(~words[++word]);
      }
      long clear = ~words[word];
      for (int skip = live - before; skip > 0; skip--) {
        clear &= clear - 1;
      }
      out[i] = blocks.start(block) + (long) word * Long.SIZE + Long.numberOfTrailingZeros(clear);
    }
  }

  private void selectBetweenValues(
      Container values, int block, int[] indexes, int from, int to, long[] out) {
    long first = liveBefore(block);
    int low = 0;
    for (int i = from; i < to; i++) {
      int live = (int) (Integer.toUnsignedLong(indexes[i]) - first);
      int high = values.getCardinality();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (values.select(middle) - middle <= live) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      out[i] = blocks.start(block) + live + low;
    }
  }
}
