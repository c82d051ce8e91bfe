package dev.narwhal.lance.write.merge;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Keys of some rows, none of them null, each with a tag that says which row it is of: a row number
 * of the source, or a row address of the table. Keys are words where all key columns together have
 * at most 8 bytes, else byte strings; see {@link KeyEncoder}. Grows as keys are added, and may be
 * filled again. One thread.
 */
final class KeyBatch {
  /** More bytes do not fit one array. */
  private static final int MAX_BYTES = Integer.MAX_VALUE - 64;

  private static final int FIRST_CAPACITY = 1024;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final boolean words;

  /** Keeps a source from choosing keys that all fall into one place. */
  private final long seed;

  private int count;
  private long[] tags = new long[FIRST_CAPACITY];

  /** The keys themselves if they are words, else their hashes. */
  private long[] values = new long[FIRST_CAPACITY];

  /** Where each key's bytes end; unused for words. */
  private int[] ends;

  private byte[] bytes;
  private int used;

  /**
   * @param words whether keys are words
   * @param seed of the hashes
   */
  KeyBatch(boolean words, long seed) {
    this.words = words;
    this.seed = seed;
    this.ends = new int[words ? 0 : FIRST_CAPACITY];
    this.bytes = new byte[words ? 0 : FIRST_CAPACITY];
  }

  /** Another one for keys of the same kind. */
  KeyBatch empty() {
    return new KeyBatch(words, seed);
  }

  boolean isWords() {
    return words;
  }

  void clear() {
    count = 0;
    used = 0;
  }

  int count() {
    return count;
  }

  long tag(int key) {
    return tags[key];
  }

  /** All 64 bits are mixed well. */
  long hash(int key) {
    return words ? mixed(values[key] ^ seed) : values[key];
  }

  /** A key that is a word. */
  long word(int key) {
    return values[key];
  }

  /** Bytes that the keys take; the arrays around them have up to twice as many. */
  long sizeBytes() {
    return 16L * count + (words ? 0 : 4L * count + used);
  }

  void addWord(long tag, long word) {
    add(tag, word);
  }

  /** Begins a key of bytes; what {@link #put} is given until {@link #endKey} is its content. */
  void endKey(long tag) {
    int start = count == 0 ? 0 : ends[count - 1];
    long hash = hash(bytes, start, used, seed);
    add(tag, hash);
    ends[count - 1] = used;
  }

  /** Forgets the bytes that were put since the last key. */
  void dropKey() {
    used = count == 0 ? 0 : ends[count - 1];
  }

  void put(byte value) {
    reserve(1);
    bytes[used++] = value;
  }

  void putInt(int value) {
    put((byte) value);
    put((byte) (value >>> 8));
    put((byte) (value >>> 16));
    put((byte) (value >>> 24));
  }

  /**
   * Room for more bytes of the key that is being made.
   *
   * @return where in {@link #bytes} they start
   * @throws IllegalStateException when an array cannot hold them
   */
  int reserve(int length) {
    long needed = (long) used + length;
    if (needed > MAX_BYTES) {
      throw new IllegalStateException(
          "keys of " + needed + " bytes in one batch; give the source in smaller batches");
    }
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_BYTES, Math.max(needed, 2L * bytes.length)));
    }
    return used;
  }

  /** Counts bytes that were written to reserved room. */
  void advance(int length) {
    used += length;
  }

  /** Bytes that were put so far, those of the key that is being made among them. */
  int usedBytes() {
    return used;
  }

  /** The keys' bytes; valid until more are added. */
  byte[] bytes() {
    return bytes;
  }

  int start(int key) {
    return key == 0 ? 0 : ends[key - 1];
  }

  int length(int key) {
    return ends[key] - start(key);
  }

  /** Appends a key of another batch of the same kind. */
  void add(KeyBatch from, int key) {
    if (!words) {
      int length = from.length(key);
      reserve(length);
      System.arraycopy(from.bytes, from.start(key), bytes, used, length);
      used += length;
    }
    add(from.tags[key], from.values[key]);
    if (!words) {
      ends[count - 1] = used;
    }
  }

  /** Whether another key can be added without the byte array growing past what is possible. */
  boolean hasRoomFor(KeyBatch from, int key) {
    return count < Integer.MAX_VALUE / 4 && (words || (long) used + from.length(key) <= MAX_BYTES);
  }

  /** Whether a key equals one of another batch of the same kind. */
  boolean equals(int key, KeyBatch other, int otherKey) {
    if (values[key] != other.values[otherKey]) {
      return false;
    }
    return words
        || Arrays.equals(
            bytes, start(key), ends[key], other.bytes, other.start(otherKey), other.ends[otherKey]);
  }

  private void add(long tag, long value) {
    if (count == tags.length) {
      int capacity = Math.multiplyExact(2, count);
      tags = Arrays.copyOf(tags, capacity);
      values = Arrays.copyOf(values, capacity);
      if (!words) {
        ends = Arrays.copyOf(ends, capacity);
      }
    }
    tags[count] = tag;
    values[count] = value;
    count++;
  }

  private static long hash(byte[] bytes, int start, int end, long seed) {
    long hash = seed ^ (end - start);
    int at = start;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      hash = mixed(hash ^ (long) LONGS.get(bytes, at));
    }
    long rest = 0;
    for (; at < end; at++) {
      rest = rest << 8 | (bytes[at] & 0xFF);
    }
    return mixed(hash ^ rest);
  }

  /** The finaliser of SplitMix64: each bit of the input moves about half of the output's. */
  private static long mixed(long value) {
    long mixed = value;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
