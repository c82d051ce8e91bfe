package dev.narwhal.lance.datafile.layout;

import static java.util.stream.Collectors.joining;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.datafile.codec.Compression;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** A {@code CompressiveEncoding}, its numbers checked. Source: file format sheet 5. */
public sealed interface Encoding {
  /** In a few words, for messages: {@code general(zstd, variable 32)}. */
  String describe();

  /** Bits of one decoded fixed-width value; empty when values have no fixed width. */
  default OptionalInt valueBits() {
    return OptionalInt.empty();
  }

  /**
   * Values back to back.
   *
   * @param bits per value: 1, or a multiple of 8
   */
  record Flat(int bits) implements Encoding {
    @Override
    public String describe() {
      return "flat " + bits;
    }

    @Override
    public OptionalInt valueBits() {
      return OptionalInt.of(bits);
    }
  }

  /**
   * Byte strings behind offsets.
   *
   * @param offsetBits 32 or 64
   */
  record Variable(int offsetBits) implements Encoding {
    @Override
    public String describe() {
      return "variable " + offsetBits;
    }
  }

  /**
   * One value, or nothing but nulls when there is none.
   *
   * @param value its bytes, little-endian
   */
  record Constant(Optional<ByteString> value) implements Encoding {
    @Override
    public String describe() {
      return "constant";
    }
  }

  /**
   * Groups of 1024 of one width.
   *
   * @param bits T, 8, 16, 32 or 64
   * @param packedBits W, 0 to T
   */
  record OutOfLineBitpacking(int bits, int packedBits) implements Encoding {
    @Override
    public String describe() {
      return "bitpacking " + bits + " to " + packedBits;
    }

    @Override
    public OptionalInt valueBits() {
      return OptionalInt.of(bits);
    }
  }

  /**
   * A group of 1024 that brings its width.
   *
   * @param bits T, 8, 16, 32 or 64
   */
  record InlineBitpacking(int bits) implements Encoding {
    @Override
    public String describe() {
      return "inline-bitpacking " + bits;
    }

    @Override
    public OptionalInt valueBits() {
      return OptionalInt.of(bits);
    }
  }

  /**
   * Byte strings coded with symbols.
   *
   * @param symbolTable not yet checked
   */
  record Fsst(ByteString symbolTable, Encoding values) implements Encoding {
    @Override
    public String describe() {
      return "fsst(" + values.describe() + ")";
    }
  }

  /**
   * Runs, with lengths of 8 bits.
   *
   * @param bits of a run value: 8, 16, 32 or 64
   */
  record Rle(int bits) implements Encoding {
    @Override
    public String describe() {
      return "rle " + bits;
    }

    @Override
    public OptionalInt valueBits() {
      return OptionalInt.of(bits);
    }
  }

  /**
   * Bytes of equal significance together.
   *
   * @param bits of a value: 32 or 64
   */
  record ByteStreamSplit(int bits) implements Encoding {
    @Override
    public String describe() {
      return "byte-stream-split " + bits;
    }

    @Override
    public OptionalInt valueBits() {
      return OptionalInt.of(bits);
    }
  }

  /** Compressed units around another encoding. */
  record General(Compression scheme, Encoding values) implements Encoding {
    @Override
    public String describe() {
      return "general(" + scheme.name().toLowerCase(Locale.ROOT) + ", " + values.describe() + ")";
    }

    @Override
    public OptionalInt valueBits() {
      return values.valueBits();
    }
  }

  /**
   * Lists of one length.
   *
   * @param items per list, {@code >= 1}
   * @param hasValidity whether items have a validity bitmap
   */
  record FixedSizeList(int items, boolean hasValidity, Encoding values) implements Encoding {
    @Override
    public String describe() {
      return "fixed-size-list("
          + items
          + (hasValidity ? ", nullable " : ", ")
          + values.describe()
          + ")";
    }
  }

  /**
   * Structs row by row, fields of fixed width back to back without padding.
   *
   * @param fieldBytes width of each field, each {@code >= 1}; their sum is at most 2^31-1
   * @param values of whole rows
   */
  record PackedStruct(List<Integer> fieldBytes, Encoding values) implements Encoding {
    public PackedStruct {
      fieldBytes = List.copyOf(fieldBytes);
    }

    /** Bytes of a row. */
    int rowBytes() {
      return fieldBytes.stream().mapToInt(Integer::intValue).sum();
    }

    @Override
    public String describe() {
      return "packed-struct("
          + fieldBytes.stream().map(bytes -> "" + 8 * (long) bytes).collect(joining(", "))
          + ": "
          + values.describe()
          + ")";
    }
  }

  /** Structs row by row, fields of any width, each field with an encoding of its own. */
  record VariablePackedStruct(List<PackedField> fields) implements Encoding {
    public VariablePackedStruct {
      fields = List.copyOf(fields);
    }

    @Override
    public String describe() {
      return "variable-packed-struct("
          + fields.stream().map(field -> field.values().describe()).collect(joining(", "))
          + ")";
    }
  }

  /**
   * A field in rows of a variable packed struct. Exactly one of {@code bytes} and {@code
   * lengthBytes} is there.
   *
   * @param bytes of each value, {@code >= 1}
   * @param lengthBytes of the length before each value, 4 or 8
   */
  record PackedField(Encoding values, OptionalInt bytes, OptionalInt lengthBytes) {}

  /**
   * An encoding that is known by name only.
   *
   * @param name for messages
   */
  record Unsupported(String name) implements Encoding {
    @Override
    public String describe() {
      return name;
    }
  }
}
