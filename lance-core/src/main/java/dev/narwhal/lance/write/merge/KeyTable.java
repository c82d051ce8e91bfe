package dev.narwhal.lance.write.merge;

import java.io.IOException;
import java.util.Arrays;

/**
 * Keys of the source in memory, to be looked up by keys of the table: open addressing over the
 * distinct keys, and for each a chain of its rows in the source's order. Filled, then sealed, then
 * read. Duplicates in the source cost nothing more than a row each. One thread.
 */
final class KeyTable {
  private static final int NONE = -1;

  /** Two slots a key keep most searches to one step. */
  private static final int SLOTS_PER_KEY = 2;

  /** Bytes that a key takes besides those of its batch: two to four slots, and the chain. */
  private static final int BYTES_PER_KEY = 20;

  private final KeyBatch keys;
  private int[] slots = new int[0];
  private int[] next = new int[0];

  /**
   * @param kind a batch of the kind of keys that will be added
   */
  KeyTable(KeyBatch kind) {
    this.keys = kind.empty();
  }

  /** The keys, in the order in which they were added. */
  KeyBatch keys() {
    return keys;
  }

  /** Bytes of memory that it takes, or will once it is sealed. */
  long sizeBytes() {
    return keys.sizeBytes() + (long) BYTES_PER_KEY * keys.count();
  }

  /** Makes the keys searchable. */
  void seal() {
    int count = keys.count();
    slots = new int[Math.max(2, Integer.highestOneBit(Math.max(1, count)) * 2 * SLOTS_PER_KEY)];
    next = new int[count];
    Arrays.fill(slots, NONE);
    // backwards, so that each chain begins with the key that came first
    for (int key = count - 1; key >= 0; key--) {
      int slot = slotOf(keys, key);
      next[key] = slots[slot];
      slots[slot] = key;
    }
  }

  /** Hands on each pair of a key here and an equal one of the batch. */
  void probe(KeyBatch batch, PairRuns pairs) throws IOException {
    for (int i = 0, count = batch.count(); i < count; i++) {
      for (int key = slots[slotOf(batch, i)]; key != NONE; key = next[key]) {
        pairs.add(key, batch.tag(i));
      }
    }
  }

  /** The slot of an equal key, or the free one where it would be. */
  private int slotOf(KeyBatch batch, int key) {
    int mask = slots.length - 1;
    int slot = (int) batch.hash(key) & mask;
    while (slots[slot] != NONE && !keys.equals(slots[slot], batch, key)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
