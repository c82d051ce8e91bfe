package dev.narwhal.lance.datafile.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * JSON in binary, as columns of the logical type {@code json} hold it. A value is a container:
 *
 * <pre>
 * size      order   meaning
 * 4         BE      bits 31-29: 1 scalar, 2 object, 4 array; bits 28-0: count n
 * 4 * m     BE      entries: bits 30-28 type, bits 27-0 length of the payload in bytes
 *                   scalar: 1; array: n; object: n of the keys, then n of the values
 * rest      -       payloads, in the order of the entries
 * </pre>
 *
 * <p>Types of entries: 0 null, 1 string (UTF-8, not escaped), 2 number, 3 false, 4 true, 5 another
 * container. A number is a tag byte and a big-endian value: 0x00 zero, 0x40 signed and 0x50
 * unsigned integer of 1, 2, 4 or 8 bytes, 0x60 float64. Source: file format sheet 7.4.
 *
 * <p>The text is what real Lance makes of the same bytes: no spaces, shortest numbers.
 */
public final class Jsonb {
  /** Containers inside containers; parsers of JSON stop at about half of it. */
  private static final int MAX_DEPTH = 256;

  private static final int SCALAR = 1;
  private static final int OBJECT = 2;
  private static final int ARRAY = 4;

  private static final byte[] HEX = "0123456789abcdef".getBytes(US_ASCII);

  private final ByteBuffer in;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private Jsonb(ByteBuffer in) {
    this.in = in;
  }

  /**
   * The text of one value, in UTF-8. Strings are copied as they are, which is not checked to be
   * UTF-8.
   *
   * @param value exactly the value; its position and order stay
   */
  public static byte[] toText(ByteBuffer value) {
    Jsonb jsonb = new Jsonb(value.slice().order(ByteOrder.BIG_ENDIAN));
    jsonb.container(0, jsonb.in.limit(), 0);
    return jsonb.out.toByteArray();
  }

  private void container(int start, int end, int depth) {
    if (depth > MAX_DEPTH) {
      throw new LanceFormatException("JSONB nests deeper than " + MAX_DEPTH);
    }
    int header = word(start, end);
    int kind = header >>> 29;
    int count = header & 0x1FFF_FFFF;
    int entries = kind == SCALAR ? 1 : kind == OBJECT ? 2 * count : count;
    if (kind != SCALAR && kind != OBJECT && kind != ARRAY) {
      throw new LanceFormatException("JSONB container 0x" + Integer.toHexString(header));
    }
    int first = start + Integer.BYTES;
    if (entries > (end - first) / Integer.BYTES) {
      throw new LanceFormatException(
          "JSONB container of " + entries + " entries in " + (end - first) + " bytes");
    }
    int payload = first + Integer.BYTES * entries;
    int left =
        switch (kind) {
          case SCALAR -> values(first, 1, payload, end, depth);
          case ARRAY -> array(first, count, payload, end, depth);
          default -> object(first, count, payload, end, depth);
        };
    if (left != end) {
      throw new LanceFormatException((end - left) + " bytes after a JSONB container");
    }
  }

  private int array(int entries, int count, int payload, int end, int depth) {
    out.write('[');
    int next = values(entries, count, payload, end, depth);
    out.write(']');
    return next;
  }

  /** Values with commas between them; gives where their payloads end. */
  private int values(int entries, int count, int payload, int end, int depth) {
    int at = payload;
    for (int i = 0; i < count; i++) {
      if (i > 0) {
        out.write(',');
      }
      int entry = in.getInt(entries + Integer.BYTES * i);
      int next = next(entry, at, end);
      value(entry, at, next, depth);
      at = next;
    }
    return at;
  }

  private int object(int entries, int count, int payload, int end, int depth) {
    int valueEntries = entries + Integer.BYTES * count;
    int key = payload;
    int value = payload;
    for (int i = 0; i < count; i++) {
      value = next(in.getInt(entries + Integer.BYTES * i), value, end);
    }
    out.write('{');
    for (int i = 0; i < count; i++) {
      if (i > 0) {
        out.write(',');
      }
      int keyEntry = in.getInt(entries + Integer.BYTES * i);
      if (type(keyEntry) != 1) {
        throw new LanceFormatException("JSONB key of type " + type(keyEntry) + ", expected 1");
      }
      int nextKey = next(keyEntry, key, end);
      string(key, nextKey);
      key = nextKey;
      out.write(':');
      int valueEntry = in.getInt(valueEntries + Integer.BYTES * i);
      int nextValue = next(valueEntry, value, end);
      value(valueEntry, value, nextValue, depth);
      value = nextValue;
    }
    out.write('}');
    return value;
  }

  private void value(int entry, int start, int end, int depth) {
    switch (type(entry)) {
      case 0 -> literal("null", start, end);
      case 1 -> string(start, end);
      case 2 -> number(start, end);
      case 3 -> literal("false", start, end);
      case 4 -> literal("true", start, end);
      case 5 -> container(start, end, depth + 1);
      default ->
          throw new UnsupportedFeatureException("JSONB of type " + type(entry) + ", known are 0-5");
    }
  }

  private void literal(String text, int start, int end) {
    if (start != end) {
      throw new LanceFormatException("JSONB " + text + " of " + (end - start) + " bytes");
    }
    out.writeBytes(text.getBytes(US_ASCII));
  }

  private void number(int start, int end) {
    int tag = start < end ? in.get(start) & 0xFF : -1;
    int size = end - start - 1;
    String text =
        switch (tag) {
          case 0x00 -> "0";
          case 0x40 -> Long.toString(integer(start + 1, size));
          case 0x50 -> Long.toUnsignedString(unsigned(start + 1, size));
          case 0x60 -> real(start + 1, size);
          case 0x70 -> throw new UnsupportedFeatureException("JSONB decimals");
          default -> throw new LanceFormatException("JSONB number of tag " + tag);
        };
    if (tag == 0 && size != 0) {
      throw badSize(size);
    }
    out.writeBytes(text.getBytes(US_ASCII));
  }

  private String real(int at, int size) {
    if (size != Double.BYTES) {
      throw badSize(size);
    }
    double value = in.getDouble(at);
    if (!Double.isFinite(value)) {
      throw new LanceFormatException("JSONB number " + value + ", which JSON does not have");
    }
    return ShortestDouble.text(value);
  }

  private long integer(int at, int size) {
    return switch (size) {
      case 1 -> in.get(at);
      case 2 -> in.getShort(at);
      case 4 -> in.getInt(at);
      case 8 -> in.getLong(at);
      default -> throw badSize(size);
    };
  }

  private long unsigned(int at, int size) {
    long value = integer(at, size);
    return size == Long.BYTES ? value : value & ((1L << (8 * size)) - 1);
  }

  private static LanceFormatException badSize(int size) {
    return new LanceFormatException("JSONB number of " + size + " bytes");
  }

  private void string(int start, int end) {
    out.write('"');
    for (int i = start; i < end; i++) {
      byte octet = in.get(i);
      switch (octet) {
        case '"', '\\' -> escape(octet);
        case '\b' -> escape('b');
        case '\f' -> escape('f');
        case '\n' -> escape('n');
        case '\r' -> escape('r');
        case '\t' -> escape('t');
        default -> {
          if (octet >= 0 && octet < ' ') {
            out.writeBytes("\\u00".getBytes(US_ASCII));
            out.write(HEX[octet >>> 4]);
            out.write(HEX[octet & 15]);
          } else {
            out.write(octet);
          }
        }
      }
    }
    out.write('"');
  }

  private void escape(int character) {
    out.write('\\');
    out.write(character);
  }

  private int word(int at, int end) {
    if (end - at < Integer.BYTES) {
      throw new LanceFormatException("JSONB container of " + (end - at) + " bytes");
    }
    return in.getInt(at);
  }

  private static int type(int entry) {
    return entry >>> 28 & 7;
  }

  /** Where the payload of an entry ends. */
  private static int next(int entry, int start, int end) {
    int length = entry & 0x0FFF_FFFF;
    if (length > end - start) {
      throw new LanceFormatException(
          "JSONB payload of " + length + " bytes, " + (end - start) + " are left");
    }
    return start + length;
  }
}
