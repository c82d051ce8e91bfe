package dev.narwhal.lance.datafile.codec;

import dev.narwhal.lance.error.LanceFormatException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Strings as codes of one byte, each for a symbol of 1 to 8 bytes from a table of up to 255. Code
 * 255 is an escape: the byte behind it stands for itself. Values are coded on their own.
 *
 * <pre>
 * byte     size    order   meaning
 * 0        1       -       n = number of symbols
 * 1        2       -       details of the encoder
 * 3        1       -       bit 0: 1 = values are coded, 0 = values are stored as they are
 * 4        4       LE      magic 0x46535354
 * 8        8 * n   -       symbols, in text order, zero-filled
 * 8+8n     n       -       symbol lengths, 1 to 8
 * 8+9n     rest    -       not used; writers fill the table up to 2312 bytes
 * </pre>
 *
 * <p>Immutable, safe for use by many threads.
 *
 * <p>Source: file format notes, section 5.10.
 */
public final class FsstSymbolTable {
  private static final int MAGIC = 0x46535354;
  private static final int HEADER_BYTES = 8;
  private static final int ESCAPE = 255;
  private static final int SLACK = Long.BYTES - 1;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final boolean coded;
  private final long[] symbols;

  /** By code; 0 for codes without a symbol, which is how they are found out. */
  private final byte[] lengths;

  private FsstSymbolTable(boolean coded, long[] symbols, byte[] lengths) {
    this.coded = coded;
    this.symbols = symbols;
    this.lengths = lengths;
  }

  /**
   * Reads a table.
   *
   * @param table from position to limit; the position stays
   */
  public static FsstSymbolTable parse(ByteBuffer table) {
    if (table.remaining() < HEADER_BYTES) {
      throw new LanceFormatException(
          "FSST symbol table of " + table.remaining() + " bytes, expected at least 8");
    }
    ByteBuffer in = table.slice().order(ByteOrder.LITTLE_ENDIAN);
    int magic = in.getInt(4);
    if (magic != MAGIC) {
      throw new LanceFormatException(
          String.format("FSST magic 0x%08x, expected 0x%08x (at byte 4)", magic, MAGIC));
    }
    int count = in.get(0) & 0xFF;
    int lengthsAt = HEADER_BYTES + count * Long.BYTES;
    if (in.limit() < lengthsAt + count) {
      throw new LanceFormatException(
          "FSST symbol table of "
              + in.limit()
              + " bytes, expected at least "
              + (lengthsAt + count)
              + " for "
              + count
              + " symbols");
    }
    long[] symbols = new long[256];
    byte[] lengths = new byte[256];
    for (int code = 0; code < count; code++) {
      byte length = in.get(lengthsAt + code);
      if (length < 1 || length > Long.BYTES) {
        throw new LanceFormatException(
            "FSST symbol " + code + " of " + (length & 0xFF) + " bytes, expected 1 to 8");
      }
      symbols[code] = in.getLong(HEADER_BYTES + code * Long.BYTES);
      lengths[code] = length;
    }
    return new FsstSymbolTable((in.get(3) & 1) == 1, symbols, lengths);
  }

  /**
   * Decodes many values at once. Value i lies in {@code [offsets[i], offsets[i + 1])} of the bytes
   * behind {@code source}'s position; decoded it lies in {@code [decodedOffsets[i],
   * decodedOffsets[i + 1])} of the result.
   *
   * @param source its position stays
   * @param offsets {@code count + 1}, ascending, inside {@code source}; anything else is a format
   *     error
   * @param decodedOffsets filled with {@code count + 1} offsets, the first of them 0; may be the
   *     same array as {@code offsets}
   * @return the decoded bytes; up to 7 more may follow the last value's
   */
  public byte[] decode(ByteBuffer source, int[] offsets, int count, int[] decodedOffsets) {
    int start = offsets[0];
    int end = offsets[count];
    if (start < 0 || end < start || end > source.remaining()) {
      throw new LanceFormatException(
          "FSST values in ["
              + start
              + ", "
              + end
              + ") of a buffer of "
              + source.remaining()
              + " bytes");
    }
    byte[] codes = new byte[end - start];
    source.slice(source.position() + start, codes.length).get(codes);
    long total = measure(codes, offsets, count, decodedOffsets);
    if (!coded) {
      return codes;
    }
    byte[] decoded = new byte[Math.toIntExact(total) + SLACK];
    expand(codes, decoded);
    return decoded;
  }

  /** Checks every code and turns the offsets of codes into offsets of decoded bytes. */
  private long measure(byte[] codes, int[] offsets, int count, int[] decodedOffsets) {
    int start = offsets[0];
    long total = 0;
    int from = 0;
    for (int value = 0; value < count; value++) {
      int to = offsets[value + 1] - start;
      if (to < from || to > codes.length) {
        throw new LanceFormatException(
            "FSST value " + value + " in [" + from + ", " + to + ") of " + codes.length + " bytes");
      }
      decodedOffsets[value] = (int) total;
      total += coded ? decodedBytes(codes, from, to) : to - from;
      if (total > Integer.MAX_VALUE - SLACK) {
        throw new LanceFormatException("FSST values of more than 2 GiB in one buffer");
      }
      from = to;
    }
    decodedOffsets[count] = (int) total;
    return total;
  }

  private long decodedBytes(byte[] codes, int from, int to) {
    long bytes = 0;
    for (int i = from; i < to; i++) {
      int code = codes[i] & 0xFF;
      int length = lengths[code];
      if (length == 0) {
        if (code != ESCAPE) {
          throw new LanceFormatException("FSST code " + code + " has no symbol");
        }
        if (++i == to) {
          throw new LanceFormatException("FSST value ends in an escape");
        }
        length = 1;
      }
      bytes += length;
    }
    return bytes;
  }

  /** All codes are known to be good. Each symbol is stored as 8 bytes, the next one overlaps. */
  private void expand(byte[] codes, byte[] decoded) {
    int at = 0;
    for (int i = 0; i < codes.length; i++) {
      int code = codes[i] & 0xFF;
      int length = lengths[code];
      if (length == 0) {
        decoded[at++] = codes[++i];
      } else {
        LONG.set(decoded, at, symbols[code]);
        at += length;
      }
    }
  }
}
