package dev.narwhal.lance.datafile.layout;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.datafile.codec.Compression;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** A {@code CompressiveEncoding}, its numbers checked. Source: file format sheet 5. */
sealed interface Encoding {
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
