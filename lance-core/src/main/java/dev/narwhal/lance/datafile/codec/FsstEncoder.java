package dev.narwhal.lance.datafile.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Codes strings with symbols that it learns from a sample of them; {@link FsstSymbolTable} has the
 * layout.
 *
 * <p>Learning goes in rounds. Each codes the sample with the symbols of the round before, counts
 * how often each symbol is used and each pair of symbols in sequence, and keeps those symbols and
 * joined pairs that cover most bytes. Source of the method: Boncz, Neumann, Leis, "FSST: Fast
 * Random Access String Compression", VLDB 2020.
 *
 * <p>Among symbols of three bytes and more, one for each first three bytes is kept: so one look
 * into a table finds the longest that can match. Immutable, safe for use by many threads.
 */
public final class FsstEncoder {
  /** Size of every table that Lance writes. */
  public static final int TABLE_BYTES = 8 + 256 * 8 + 256;

  /** Bytes that must follow the last value in an array to be coded. */
  public static final int SLACK = Long.BYTES;

  private static final int MAX_SYMBOLS = 255;
  private static final int ESCAPE = 255;
  private static final int ROUNDS = 5;
  private static final int SAMPLE_BYTES = 16 << 10;
  private static final int MAGIC = 0x46535354;
  private static final int SLOTS = 2048;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final long[] symbols;
  private final int[] lengths;

  /** By hash of three bytes: symbol code plus one, 0 for none. */
  private final short[] slots = new short[SLOTS];

  /** By two bytes: code and, shifted by 8, length of the symbol; 0 length for none. */
  private final short[] pairs = new short[1 << 16];

  /** The same by one byte. */
  private final short[] singles = new short[256];

  /**
   * @param symbols text order, the first byte lowest; zeros past the length
   * @param lengths 1 to 8
   */
  private FsstEncoder(long[] symbols, int[] lengths) {
    this.symbols = symbols;
    this.lengths = lengths;
    for (int code = 0; code < symbols.length; code++) {
      if (lengths[code] == 1) {
        singles[(int) symbols[code]] = (short) (1 << 8 | code);
      }
    }
    for (int two = 0; two < pairs.length; two++) {
      pairs[two] = singles[two & 0xFF];
    }
    for (int code = 0; code < symbols.length; code++) {
      if (lengths[code] == 2) {
        pairs[(int) symbols[code]] = (short) (2 << 8 | code);
      } else if (lengths[code] > 2) {
        slots[slot(symbols[code])] = (short) (code + 1);
      }
    }
  }

  /**
   * Learns symbols from some of the values.
   *
   * @param bytes with {@link #SLACK} bytes after the last value
   * @param offsets where each value starts in {@code bytes}, and where the last one ends
   */
  public static FsstEncoder learn(byte[] bytes, int[] offsets, int count) {
    int[] sample = sample(offsets, count);
    FsstEncoder encoder = new FsstEncoder(new long[0], new int[0]);
    Counts counts = new Counts();
    FsstGains gains = new FsstGains();
    for (int round = 0; round < ROUNDS; round++) {
      counts.clear();
      for (int i = 0; i < sample.length; i += 2) {
        encoder.count(bytes, sample[i], sample[i + 1], counts);
      }
      gains.clear();
      encoder.weigh(counts, gains);
      encoder = strongest(gains);
    }
    return encoder;
  }

  /** Starts and ends of stretches of values, evenly spread, of {@link #SAMPLE_BYTES} at most. */
  private static int[] sample(int[] offsets, int count) {
    int total = offsets[count] - offsets[0];
    if (total <= SAMPLE_BYTES) {
      int[] all = new int[2 * count];
      for (int i = 0; i < count; i++) {
        all[2 * i] = offsets[i];
        all[2 * i + 1] = offsets[i + 1];
      }
      return all;
    }
    int[] some = new int[2 * Math.min(count, SAMPLE_BYTES)];
    int size = 0;
    // a step that keeps the expected size; an odd one, lest it follow a period in the data
    int step = Math.max(1, (int) ((long) total / SAMPLE_BYTES)) | 1;
    int room = SAMPLE_BYTES;
    for (int i = 0; i < count && room > 0; i += step) {
      int length = Math.min(offsets[i + 1] - offsets[i], Math.min(room, 512));
      if (size + 2 <= some.length && length > 0) {
        some[size++] = offsets[i];
        some[size++] = offsets[i] + length;
        room -= length;
      }
    }
    return Arrays.copyOf(some, size);
  }

  /** Codes of a round: symbols, then 256 single bytes that an escape would code. */
  private static final class Counts {
    private static final int CODES = 512;
    private static final int BYTES = 256;

    private final int[] ones = new int[CODES];
    private final int[] twos = new int[CODES * CODES];

    void clear() {
      Arrays.fill(ones, 0);
      Arrays.fill(twos, 0);
    }
  }

  private void count(byte[] bytes, int from, int to, Counts counts) {
    int previous = -1;
    int at = from;
    while (at < to) {
      int match = match(bytes, at, to);
      int length = Math.max(1, match >>> 8);
      int code = match >>> 8 == 0 ? Counts.BYTES + (bytes[at] & 0xFF) : match & 0xFF;
      counts.ones[code]++;
      // a longer symbol may be cut later: its first byte alone must stay a candidate
      if (length > 1) {
        counts.ones[Counts.BYTES + (bytes[at] & 0xFF)]++;
      }
      if (previous >= 0) {
        counts.twos[previous * Counts.CODES + code]++;
        if (length > 1) {
          counts.twos[previous * Counts.CODES + Counts.BYTES + (bytes[at] & 0xFF)]++;
        }
      }
      previous = code;
      at += length;
    }
  }

  /** What each code of a round gains, and each pair of them as one symbol. */
  private void weigh(Counts counts, FsstGains gains) {
    int[] used = new int[Counts.CODES];
    int size = 0;
    for (int code = 0; code < Counts.CODES; code++) {
      if (counts.ones[code] > 0) {
        used[size++] = code;
      }
    }
    for (int i = 0; i < size; i++) {
      int first = used[i];
      long symbol = symbol(first);
      int length = length(first);
      // an escape takes two bytes, so single bytes gain more than they cover
      gains.add(symbol, length, (length == 1 ? 8L : length) * counts.ones[first]);
      for (int k = 0; k < size && length < Long.BYTES; k++) {
        int both = counts.twos[first * Counts.CODES + used[k]];
        if (both > 1) {
          int joined = Math.min(Long.BYTES, length + length(used[k]));
          gains.add(symbol | symbol(used[k]) << (8 * length), joined, (long) joined * both);
        }
      }
    }
  }

  private static FsstEncoder strongest(FsstGains gains) {
    long[] kept = new long[MAX_SYMBOLS];
    int[] lengths = new int[MAX_SYMBOLS];
    boolean[] taken = new boolean[SLOTS];
    int size = 0;
    for (int index : gains.ranked()) {
      if (size == MAX_SYMBOLS) {
        break;
      }
      long symbol = gains.symbol(index);
      if (gains.length(index) > 2) {
        int slot = slot(symbol);
        if (taken[slot]) {
          continue;
        }
        taken[slot] = true;
      }
      kept[size] = symbol;
      lengths[size++] = gains.length(index);
    }
    return new FsstEncoder(Arrays.copyOf(kept, size), Arrays.copyOf(lengths, size));
  }

  private long symbol(int code) {
    return code < Counts.BYTES ? symbols[code] : code - Counts.BYTES;
  }

  private int length(int code) {
    return code < Counts.BYTES ? lengths[code] : 1;
  }

  private static int slot(long word) {
    long three = (word & 0xFFFFFF) * 0x9E3779B97F4A7C15L;
    return (int) (three >>> 53);
  }

  /** Code and, shifted by 8, length of the symbol at a place; a length of 0 if there is none. */
  private int match(byte[] bytes, int at, int end) {
    long word = (long) LONG.get(bytes, at);
    int code = slots[slot(word)] - 1;
    if (code >= 0) {
      int length = lengths[code];
      long different = (word ^ symbols[code]) << (Long.SIZE - 8 * length);
      if (different == 0 && at + length <= end) {
        return length << 8 | code;
      }
    }
    return at + 1 < end ? pairs[(int) word & 0xFFFF] : singles[(int) word & 0xFF];
  }

  /**
   * Appends the coded values.
   *
   * @param bytes with {@link #SLACK} bytes after the last value
   * @param offsets where each value starts in {@code bytes}, and where the last one ends
   * @param codedOffsets filled with {@code count + 1} offsets into {@code target}; may be the same
   *     array as {@code offsets}
   */
  public void encode(
      byte[] bytes, int[] offsets, int count, GrowingBytes target, int[] codedOffsets) {
    int from = offsets[0];
    // an escape for every byte is the worst
    int end = target.extend(Math.multiplyExact(2, offsets[count] - from));
    byte[] out = target.array();
    codedOffsets[0] = end;
    for (int i = 0; i < count; i++) {
      int to = offsets[i + 1];
      end = encode(bytes, from, to, out, end);
      codedOffsets[i + 1] = end;
      from = to;
    }
    target.truncate(end);
  }

  private int encode(byte[] bytes, int from, int to, byte[] out, int start) {
    int at = from;
    int end = start;
    while (at < to) {
      int match = match(bytes, at, to);
      int length = match >>> 8;
      if (length == 0) {
        out[end++] = (byte) ESCAPE;
        out[end++] = bytes[at++];
      } else {
        out[end++] = (byte) match;
        at += length;
      }
    }
    return end;
  }

  /** The table that decodes. */
  public byte[] table() {
    GrowingBytes table = new GrowingBytes(TABLE_BYTES);
    table.put(symbols.length);
    table.put(0);
    table.put(symbols.length);
    table.put(1);
    table.putInt(MAGIC);
    for (long symbol : symbols) {
      table.putLong(symbol);
    }
    for (int length : lengths) {
      table.put(length);
    }
    table.fill(0, TABLE_BYTES - table.size());
    return Arrays.copyOf(table.array(), TABLE_BYTES);
  }
}
