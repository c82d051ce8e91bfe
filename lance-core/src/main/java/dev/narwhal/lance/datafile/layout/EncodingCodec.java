package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.codec.Compression;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.proto.encodings21.BufferCompression;
import dev.narwhal.lance.proto.encodings21.CompressionScheme;
import dev.narwhal.lance.proto.encodings21.CompressiveEncoding;
import dev.narwhal.lance.proto.encodings21.PackedStruct;
import dev.narwhal.lance.proto.encodings21.VariablePackedStruct;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** {@code CompressiveEncoding} messages to records and back. Source: file format sheet 5. */
final class EncodingCodec {
  private static final int MAX_DEPTH = 16;

  private EncodingCodec() {}

  static Encoding decode(CompressiveEncoding message) {
    return decode(message, 0);
  }

  private static Encoding decode(CompressiveEncoding message, int depth) {
    if (depth > MAX_DEPTH) {
      throw new LanceFormatException("encodings nest deeper than " + MAX_DEPTH);
    }
    return switch (message.getCompressionCase()) {
      case FLAT -> new Encoding.Flat(flatBits(message));
      case VARIABLE -> new Encoding.Variable(offsetBits(message));
      case CONSTANT ->
          new Encoding.Constant(
              message.getConstant().hasValue()
                  ? Optional.of(message.getConstant().getValue())
                  : Optional.empty());
      case OUT_OF_LINE_BITPACKING -> outOfLine(message);
      case INLINE_BITPACKING ->
          new Encoding.InlineBitpacking(
              wordBits(message.getInlineBitpacking().getUncompressedBitsPerValue()));
      case FSST ->
          new Encoding.Fsst(
              message.getFsst().getSymbolTable(), decode(message.getFsst().getValues(), depth + 1));
      case DICTIONARY -> new Encoding.Unsupported("dictionary");
      case RLE -> rle(message);
      case BYTE_STREAM_SPLIT -> byteStreamSplit(message);
      case GENERAL ->
          new Encoding.General(
              scheme(message.getGeneral().getCompression()),
              decode(message.getGeneral().getValues(), depth + 1));
      case FIXED_SIZE_LIST ->
          new Encoding.FixedSizeList(
              items(message.getFixedSizeList().getItemsPerValue()),
              message.getFixedSizeList().getHasValidity(),
              decode(message.getFixedSizeList().getValues(), depth + 1));
      case PACKED_STRUCT -> packed(message.getPackedStruct(), depth);
      case VARIABLE_PACKED_STRUCT -> variablePacked(message.getVariablePackedStruct(), depth);
      case COMPRESSION_NOT_SET ->
          message.getUnknownFields().asMap().isEmpty()
              ? missing()
              : new Encoding.Unsupported(
                  "encoding " + message.getUnknownFields().asMap().keySet().iterator().next());
    };
  }

  private static Encoding missing() {
    throw new LanceFormatException("an encoding is missing");
  }

  private static int flatBits(CompressiveEncoding message) {
    if (!message.hasFlat()) {
      throw new UnsupportedFeatureException(
          message.getCompressionCase() + " inside another encoding, expected FLAT");
    }
    long bits = message.getFlat().getBitsPerValue();
    if (bits != 1 && (bits < 8 || bits % 8 != 0 || bits > Integer.MAX_VALUE)) {
      throw new LanceFormatException(
          "flat values of " + Long.toUnsignedString(bits) + " bits, expected 1 or a multiple of 8");
    }
    return (int) bits;
  }

  private static int offsetBits(CompressiveEncoding message) {
    int bits = flatBits(message.getVariable().getOffsets());
    if (bits != 32 && bits != 64) {
      throw new LanceFormatException("offsets of " + bits + " bits, expected 32 or 64");
    }
    return bits;
  }

  private static Encoding outOfLine(CompressiveEncoding message) {
    int bits = wordBits(message.getOutOfLineBitpacking().getUncompressedBitsPerValue());
    CompressiveEncoding values = message.getOutOfLineBitpacking().getValues();
    if (!values.hasFlat()) {
      throw new UnsupportedFeatureException(
          values.getCompressionCase() + " inside bit-packing, expected FLAT");
    }
    // any width here: the only flat values that need not be whole bytes
    long packed = values.getFlat().getBitsPerValue();
    if (packed < 0 || packed > bits) {
      throw new LanceFormatException(
          "bit-packed width " + Long.toUnsignedString(packed) + ", expected 0 to " + bits);
    }
    return new Encoding.OutOfLineBitpacking(bits, (int) packed);
  }

  private static Encoding rle(CompressiveEncoding message) {
    int lengthBits = flatBits(message.getRle().getRunLengths());
    if (lengthBits != 8) {
      throw new UnsupportedFeatureException(
          "run lengths of " + lengthBits + " bits, expected 8; files of 2.3 may have them");
    }
    return new Encoding.Rle(wordBits(flatBits(message.getRle().getValues())));
  }

  private static Encoding byteStreamSplit(CompressiveEncoding message) {
    int bits = flatBits(message.getByteStreamSplit().getValues());
    if (bits != 32 && bits != 64) {
      throw new LanceFormatException(
          "byte-stream split values of " + bits + " bits, expected 32 or 64");
    }
    return new Encoding.ByteStreamSplit(bits);
  }

  private static Encoding packed(PackedStruct message, int depth) {
    List<Integer> widths = new ArrayList<>();
    long rowBytes = 0;
    for (long bits : message.getBitsPerValueList()) {
      int bytes = wholeBytes(bits);
      rowBytes += bytes;
      widths.add(bytes);
    }
    if (widths.isEmpty() || rowBytes > Integer.MAX_VALUE) {
      throw new LanceFormatException(
          "packed structs of " + widths.size() + " fields and " + rowBytes + " bytes");
    }
    return new Encoding.PackedStruct(widths, decode(message.getValues(), depth + 1));
  }

  private static Encoding variablePacked(VariablePackedStruct message, int depth) {
    List<Encoding.PackedField> fields = new ArrayList<>();
    for (VariablePackedStruct.FieldEncoding field : message.getFieldsList()) {
      Encoding values = decode(field.getValue(), depth + 1);
      fields.add(
          switch (field.getLayoutCase()) {
            case BITS_PER_VALUE ->
                new Encoding.PackedField(
                    values,
                    OptionalInt.of(wholeBytes(field.getBitsPerValue())),
                    OptionalInt.empty());
            case BITS_PER_LENGTH ->
                new Encoding.PackedField(
                    values,
                    OptionalInt.empty(),
                    OptionalInt.of(lengthBytes(field.getBitsPerLength())));
            case LAYOUT_NOT_SET ->
                throw new LanceFormatException("packed field has neither value nor length bits");
          });
    }
    if (fields.isEmpty()) {
      throw new LanceFormatException("packed structs of no fields");
    }
    return new Encoding.VariablePackedStruct(fields);
  }

  private static int wholeBytes(long bits) {
    if (bits < 8 || bits % 8 != 0 || bits > Integer.MAX_VALUE) {
      throw new LanceFormatException(
          "packed field of " + Long.toUnsignedString(bits) + " bits, expected a multiple of 8");
    }
    return (int) bits / 8;
  }

  private static int lengthBytes(long bits) {
    if (bits != 32 && bits != 64) {
      throw new LanceFormatException(
          "packed lengths of " + Long.toUnsignedString(bits) + " bits, expected 32 or 64");
    }
    return (int) bits / 8;
  }

  private static int wordBits(long bits) {
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
      throw new LanceFormatException(
          "words of " + Long.toUnsignedString(bits) + " bits, expected 8, 16, 32 or 64");
    }
    return (int) bits;
  }

  private static int items(long items) {
    if (items < 1 || items > Integer.MAX_VALUE) {
      throw new LanceFormatException(
          "lists of " + Long.toUnsignedString(items) + " items, expected 1 to 2^31-1");
    }
    return (int) items;
  }

  private static Compression scheme(BufferCompression compression) {
    return switch (compression.getScheme()) {
      case COMPRESSION_ALGORITHM_LZ4 -> Compression.LZ4;
      case COMPRESSION_ALGORITHM_ZSTD -> Compression.ZSTD;
      case COMPRESSION_ALGORITHM_UNSPECIFIED, UNRECOGNIZED ->
          throw new UnsupportedFeatureException(
              "compression scheme " + compression.getSchemeValue() + ", known are lz4 and zstd");
    };
  }

  static CompressiveEncoding encode(Encoding encoding) {
    CompressiveEncoding.Builder message = CompressiveEncoding.newBuilder();
    if (encoding instanceof Encoding.Flat flat) {
      message.setFlat(flat(flat.bits()));
    } else if (encoding instanceof Encoding.Variable variable) {
      message.setVariable(
          dev.narwhal.lance.proto.encodings21.Variable.newBuilder()
              .setOffsets(encode(new Encoding.Flat(variable.offsetBits()))));
    } else if (encoding instanceof Encoding.OutOfLineBitpacking packed) {
      message.setOutOfLineBitpacking(
          dev.narwhal.lance.proto.encodings21.OutOfLineBitpacking.newBuilder()
              .setUncompressedBitsPerValue(packed.bits())
              .setValues(CompressiveEncoding.newBuilder().setFlat(flat(packed.packedBits()))));
    } else if (encoding instanceof Encoding.InlineBitpacking packed) {
      message.setInlineBitpacking(
          dev.narwhal.lance.proto.encodings21.InlineBitpacking.newBuilder()
              .setUncompressedBitsPerValue(packed.bits()));
    } else if (encoding instanceof Encoding.Fsst fsst) {
      message.setFsst(
          dev.narwhal.lance.proto.encodings21.Fsst.newBuilder()
              .setSymbolTable(fsst.symbolTable())
              .setValues(encode(fsst.values())));
    } else if (encoding instanceof Encoding.Rle rle) {
      message.setRle(
          dev.narwhal.lance.proto.encodings21.Rle.newBuilder()
              .setValues(encode(new Encoding.Flat(rle.bits())))
              .setRunLengths(encode(new Encoding.Flat(Byte.SIZE))));
    } else if (encoding instanceof Encoding.ByteStreamSplit split) {
      message.setByteStreamSplit(
          dev.narwhal.lance.proto.encodings21.ByteStreamSplit.newBuilder()
              .setValues(encode(new Encoding.Flat(split.bits()))));
    } else if (encoding instanceof Encoding.General general) {
      message.setGeneral(
          dev.narwhal.lance.proto.encodings21.General.newBuilder()
              .setCompression(encode(general.scheme()))
              .setValues(encode(general.values())));
    } else if (encoding instanceof Encoding.FixedSizeList list) {
      message.setFixedSizeList(
          dev.narwhal.lance.proto.encodings21.FixedSizeList.newBuilder()
              .setItemsPerValue(list.items())
              .setHasValidity(list.hasValidity())
              .setValues(encode(list.values())));
    } else if (encoding instanceof Encoding.PackedStruct packed) {
      PackedStruct.Builder fields = PackedStruct.newBuilder().setValues(encode(packed.values()));
      packed.fieldBytes().forEach(bytes -> fields.addBitsPerValue(8L * bytes));
      message.setPackedStruct(fields);
    } else if (encoding instanceof Encoding.VariablePackedStruct packed) {
      message.setVariablePackedStruct(encode(packed));
    } else {
      throw new IllegalArgumentException("not for writing: " + encoding.describe());
    }
    return message.build();
  }

  private static VariablePackedStruct encode(Encoding.VariablePackedStruct packed) {
    VariablePackedStruct.Builder message = VariablePackedStruct.newBuilder();
    for (Encoding.PackedField field : packed.fields()) {
      var encoded =
          VariablePackedStruct.FieldEncoding.newBuilder().setValue(encode(field.values()));
      field.bytes().ifPresent(bytes -> encoded.setBitsPerValue(8L * bytes));
      field.lengthBytes().ifPresent(bytes -> encoded.setBitsPerLength(8L * bytes));
      message.addFields(encoded);
    }
    return message.build();
  }

  private static dev.narwhal.lance.proto.encodings21.Flat flat(int bits) {
    return dev.narwhal.lance.proto.encodings21.Flat.newBuilder().setBitsPerValue(bits).build();
  }

  private static BufferCompression encode(Compression scheme) {
    return switch (scheme) {
      case LZ4 ->
          BufferCompression.newBuilder()
              .setScheme(CompressionScheme.COMPRESSION_ALGORITHM_LZ4)
              .build();
      // the level that Lance records for its default
      case ZSTD ->
          BufferCompression.newBuilder()
              .setScheme(CompressionScheme.COMPRESSION_ALGORITHM_ZSTD)
              .setLevel(0)
              .build();
    };
  }
}
