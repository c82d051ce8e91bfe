package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.Values;
import dev.narwhal.lance.datafile.page.VariableValues;
import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Takes zipped rows apart: levels here, values there. One thread; for one use. */
final class Unzip {
  private final ZipFormat format;
  private final LevelMeaning meaning;
  private final ByteBuffer bytes;
  private final Scratch scratch;
  private final ByteBuffer together;
  private short[] repetition;
  private short[] definition;
  private int[] valueEnds;
  private int levels;
  private int values;
  private int rows;

  /**
   * Resets the scratch memory.
   *
   * @param bytes little-endian, addressed from index 0
   * @param rows rows that will be added, about
   */
  Unzip(ZipFormat format, ByteBuffer bytes, int rows, Scratch scratch) {
    scratch.reset();
    this.format = format;
    this.meaning = format.meaning();
    this.bytes = bytes;
    this.scratch = scratch;
    this.together = scratch.bytes(bytes.remaining());
    this.repetition = scratch.shorts(rows + 1);
    this.definition = scratch.shorts(rows + 1);
    this.valueEnds = scratch.ints(rows + 2);
    valueEnds[0] = 0;
  }

  /**
   * Adds so many rows, which take exactly the bytes {@code [start, end)}. With lists there is a
   * level for every row, so that together they have no more rows than calls only if each has one.
   */
  void add(int start, int end, int count) {
    boolean lists = meaning.maxRepetition() > 0;
    int firstLevel = levels;
    if (lists && start == end) {
      throw tooShort(start, end);
    }
    int at = start;
    while (lists ? at < end : levels < firstLevel + count) {
      at = addLevel(at, end, at == start);
    }
    rows += count;
    if (at != end) {
      throw new LanceFormatException(
          count + " zipped rows of " + (at - start) + " bytes, expected " + (end - start));
    }
  }

  /** Gives all rows that were added to {@code out}. */
  void appendTo(LeafBuilder out) {
    DecodedLevels decoded = new DecodedLevels(meaning, repetition, definition, levels, scratch);
    if (decoded.rows() != rows || decoded.values() != values) {
      throw new LanceFormatException(
          "zipped levels of " + decoded.rows() + " rows, expected " + rows);
    }
    decoded.append(0, rows, values(decoded), null, out);
  }

  private Values values(DecodedLevels decoded) {
    ByteBuffer plain = together.duplicate().flip().order(ByteOrder.LITTLE_ENDIAN);
    FixedZipValues fixed = format.fixed();
    ZipValues variable = format.variable();
    if (fixed != null) {
      return fixed.decode(plain, values, scratch);
    }
    if (variable != null) {
      return variable.decode(
          new VariableValues(plain, valueEnds, values), decoded.valueLevels(scratch), scratch);
    }
    throw new IllegalStateException("a zipped page has values of one width or of any");
  }

  private int addLevel(int start, int end, boolean startsRow) {
    if (format.controlBytes() > end - start) {
      throw tooShort(start, end);
    }
    long word = word(start);
    long d = word & ((1L << format.definitionBits()) - 1);
    long r = word >>> format.definitionBits() & ((1L << format.repetitionBits()) - 1);
    if (d > meaning.maxDefinition()
        || r > meaning.maxRepetition()
        || (startsRow && r != meaning.maxRepetition())) {
      throw new LanceFormatException(
          "repetition "
              + r
              + " and definition "
              + d
              + (startsRow ? " at the start of a row" : "")
              + ", the page's layers allow "
              + meaning.maxRepetition()
              + " and "
              + meaning.maxDefinition());
    }
    if (levels == repetition.length || levels == definition.length) {
      repetition = Arrays.copyOf(repetition, 2 * levels);
      definition = Arrays.copyOf(definition, 2 * levels);
    }
    repetition[levels] = (short) r;
    definition[levels] = (short) d;
    levels++;
    int at = start + format.controlBytes();
    return d <= meaning.maxVisible() ? addValue(at, end, d == 0) : at;
  }

  /** Returns where the value ends. */
  private int addValue(int start, int end, boolean valid) {
    int at = start;
    long length = 0;
    FixedZipValues fixed = format.fixed();
    if (fixed != null) {
      length = fixed.widthBytes();
    } else if (valid) {
      if (format.lengthBytes() > end - at) {
        throw tooShort(at, end);
      }
      length =
          format.lengthBytes() == Integer.BYTES
              ? Integer.toUnsignedLong(bytes.getInt(at))
              : bytes.getLong(at);
      at += format.lengthBytes();
    }
    if (length < 0 || length > end - at) {
      throw new LanceFormatException(
          "zipped value of "
              + Long.toUnsignedString(length)
              + " bytes where its row has "
              + (end - at));
    }
    int to = together.position();
    together.put(to, bytes, at, (int) length);
    together.position(to + (int) length);
    values++;
    if (values == valueEnds.length) {
      valueEnds = Arrays.copyOf(valueEnds, 2 * values);
    }
    valueEnds[values] = to + (int) length;
    return at + (int) length;
  }

  private long word(int at) {
    return switch (format.controlBytes()) {
      case 0 -> 0;
      case 1 -> bytes.get(at) & 0xFF;
      case 2 -> bytes.getShort(at) & 0xFFFF;
      default -> Integer.toUnsignedLong(bytes.getInt(at));
    };
  }

  private static LanceFormatException tooShort(int start, int end) {
    return new LanceFormatException(
        "zipped row has " + (end - start) + " bytes left, too few for its control word or length");
  }
}
