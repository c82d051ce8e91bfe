package dev.narwhal.lance.datafile.array;

import static java.util.stream.Collectors.joining;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.datafile.codec.Compression;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What an {@code ArrayEncoding} message says: a tree that refers to the page's buffers by index.
 * Numbers are as in the file, unchecked unless they are said to be. Source: file format sheet 2.1.
 */
public sealed interface ArrayNode {
  /** For people: {@code nullable(flat 32)}. */
  String describe();

  /**
   * Values of one width, back to back.
   *
   * @param bits u64
   * @param compression of the whole buffer as one unit
   */
  record Flat(long bits, int buffer, Optional<Compression> compression) implements ArrayNode {
    @Override
    public String describe() {
      String flat = "flat " + Long.toUnsignedString(bits);
      return compression
          .map(scheme -> scheme.name().toLowerCase(Locale.ROOT) + "(" + flat + ")")
          .orElse(flat);
    }
  }

  /** Values, none of them null. */
  record NoNulls(ArrayNode values) implements ArrayNode {
    @Override
    public String describe() {
      return "no nulls(" + values.describe() + ")";
    }
  }

  /** Values beside a bitmap, 1 = valid. */
  record SomeNulls(ArrayNode validity, ArrayNode values) implements ArrayNode {
    @Override
    public String describe() {
      return "nullable(" + values.describe() + ")";
    }
  }

  /** Only nulls, no buffers. */
  record AllNulls() implements ArrayNode {
    @Override
    public String describe() {
      return "all nulls";
    }
  }

  /**
   * Lists of one length.
   *
   * @param dimension u32
   */
  record FixedSizeList(int dimension, ArrayNode items, boolean hasValidity) implements ArrayNode {
    @Override
    public String describe() {
      return "fixed-size list "
          + Integer.toUnsignedString(dimension)
          + "("
          + items.describe()
          + ")";
    }
  }

  /**
   * Byte strings behind 64-bit end offsets.
   *
   * @param nullAdjustment u64, added to the offset of a null
   */
  record Binary(ArrayNode indices, ArrayNode bytes, long nullAdjustment) implements ArrayNode {
    @Override
    public String describe() {
      return "binary(" + bytes.describe() + ")";
    }
  }

  /**
   * Indices into items.
   *
   * @param itemCount u32
   */
  record Dictionary(ArrayNode indices, ArrayNode items, int itemCount) implements ArrayNode {
    @Override
    public String describe() {
      return "dictionary(" + indices.describe() + ", " + items.describe() + ")";
    }
  }

  /**
   * End offsets of lists, whose items are in the columns that follow.
   *
   * @param nullAdjustment u64, added to the offset of a null list
   * @param itemCount u64, items of all lists of the page
   */
  record ListOffsets(ArrayNode offsets, long nullAdjustment, long itemCount) implements ArrayNode {
    @Override
    public String describe() {
      return "list(" + offsets.describe() + ")";
    }
  }

  /** The header of a struct, whose children are in the columns that follow. */
  record StructHeader() implements ArrayNode {
    @Override
    public String describe() {
      return "struct";
    }
  }

  /** Byte strings, each coded with a symbol table. */
  record Fsst(ArrayNode binary, ByteString symbolTable) implements ArrayNode {
    @Override
    public String describe() {
      return "fsst(" + binary.describe() + ")";
    }
  }

  /**
   * Integers of few bits back to back, least significant first.
   *
   * @param bits u64, of a stored value
   * @param valueBits u64, of a decoded value
   * @param signed whether the top stored bit is the sign
   */
  record Bitpacked(long bits, long valueBits, int buffer, boolean signed) implements ArrayNode {
    @Override
    public String describe() {
      return "bit-packed " + Long.toUnsignedString(bits);
    }
  }

  /**
   * Integers in groups of 1024, see {@link dev.narwhal.lance.datafile.codec.FastLanes}.
   *
   * @param bits u64, of a stored value
   * @param valueBits u64, of a decoded value
   */
  record BitpackedGroups(long bits, long valueBits, int buffer) implements ArrayNode {
    @Override
    public String describe() {
      return "bit-packed groups " + Long.toUnsignedString(bits);
    }
  }

  /**
   * Byte strings of one length.
   *
   * @param widthBytes u32
   */
  record FixedSizeBinary(ArrayNode bytes, int widthBytes) implements ArrayNode {
    @Override
    public String describe() {
      return "fixed-size binary " + Integer.toUnsignedString(widthBytes);
    }
  }

  /** One value for all rows. */
  record Constant(ByteString value) implements ArrayNode {
    @Override
    public String describe() {
      return "constant";
    }
  }

  /**
   * Structs row by row, without padding.
   *
   * @param fields they tell widths; the buffers they name mean nothing
   */
  record PackedStruct(List<ArrayNode> fields, int buffer) implements ArrayNode {
    public PackedStruct {
      fields = List.copyOf(fields);
    }

    @Override
    public String describe() {
      return "packed struct("
          + fields.stream().map(ArrayNode::describe).collect(joining(", "))
          + ")";
    }
  }

  /**
   * Known to the format, not to us.
   *
   * @param name for messages
   */
  record Unsupported(String name) implements ArrayNode {
    @Override
    public String describe() {
      return name;
    }
  }
}
