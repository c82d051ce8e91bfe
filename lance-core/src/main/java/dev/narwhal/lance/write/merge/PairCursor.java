package dev.narwhal.lance.write.merge;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * All pairs in the order of the source rows: the runs merged by a heap of those that are not at
 * their end. Pairs of one row come run by run. One thread.
 */
final class PairCursor implements Closeable {
  private final List<PairSource> sources;

  /** Indexes of sources, the one with the lowest row first. */
  private final int[] heap;

  private int size;
  private boolean started;

  PairCursor(List<PairSource> sources) {
    this.sources = List.copyOf(sources);
    this.heap = new int[sources.size()];
  }

  /** Moves to the next pair; false after the last. */
  boolean next() throws IOException {
    if (!started) {
      started = true;
      for (int i = 0; i < heap.length; i++) {
        if (sources.get(i).next()) {
          heap[size] = i;
          up(size++);
        }
      }
    } else if (size > 0) {
      if (!sources.get(heap[0]).next()) {
        heap[0] = heap[--size];
      }
      down();
    }
    return size > 0;
  }

  /** Number of the source row. */
  long row() {
    return sources.get(heap[0]).row();
  }

  /** Row address in the table. */
  long address() {
    return sources.get(heap[0]).address();
  }

  private boolean isBefore(int first, int second) {
    long left = sources.get(first).row();
    long right = sources.get(second).row();
    return left < right || (left == right && first < second);
  }

  private void up(int from) {
    int at = from;
    while (at > 0 && isBefore(heap[at], heap[(at - 1) / 2])) {
      swap(at, (at - 1) / 2);
      at = (at - 1) / 2;
    }
  }

  private void down() {
    int at = 0;
    while (true) {
      int least = at;
      for (int child = 2 * at + 1; child <= 2 * at + 2 && child < size; child++) {
        if (isBefore(heap[child], heap[least])) {
          least = child;
        }
      }
      if (least == at) {
        return;
      }
      swap(at, least);
      at = least;
    }
  }

  private void swap(int first, int second) {
    int index = heap[first];
    heap[first] = heap[second];
    heap[second] = index;
  }

  @Override
  public void close() throws IOException {
    for (PairSource source : sources) {
      source.close();
    }
  }
}
