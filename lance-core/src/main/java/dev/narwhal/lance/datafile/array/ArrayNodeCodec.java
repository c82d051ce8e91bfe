package dev.narwhal.lance.datafile.array;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.proto.encodings20.ArrayEncoding;
import dev.narwhal.lance.proto.encodings20.Binary;
import dev.narwhal.lance.proto.encodings20.Buffer;
import dev.narwhal.lance.proto.encodings20.Compression;
import dev.narwhal.lance.proto.encodings20.Dictionary;
import dev.narwhal.lance.proto.encodings20.FixedSizeList;
import dev.narwhal.lance.proto.encodings20.Flat;
import dev.narwhal.lance.proto.encodings20.Nullable;
import dev.narwhal.lance.proto.encodings20.PackedStruct;
import dev.narwhal.lance.proto.encodings20.SimpleStruct;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;

/** {@code ArrayEncoding} messages to records and back. Source: file format sheet 2.1. */
public final class ArrayNodeCodec {
  /** Two levels of messages for one of encodings; real trees have about six. */
  private static final int MAX_MESSAGE_DEPTH = 40;

  private ArrayNodeCodec() {}

  static ArrayNode decode(ByteString encoding) {
    try {
      CodedInputStream in = encoding.newCodedInput();
      in.setRecursionLimit(MAX_MESSAGE_DEPTH);
      return node(ArrayEncoding.parseFrom(in));
    } catch (IOException e) {
      throw new LanceFormatException("array encoding is no valid message: " + e.getMessage(), e);
    }
  }

  private static ArrayNode node(ArrayEncoding encoding) {
    return switch (encoding.getArrayEncodingCase()) {
      case FLAT -> {
        var flat = encoding.getFlat();
        yield new ArrayNode.Flat(
            flat.getBitsPerValue(),
            buffer(flat.getBuffer()),
            compression(flat.getCompression().getScheme()));
      }
      case NULLABLE -> nullable(encoding.getNullable());
      case FIXED_SIZE_LIST -> {
        var list = encoding.getFixedSizeList();
        yield new ArrayNode.FixedSizeList(
            list.getDimension(), node(list.getItems()), list.getHasValidity());
      }
      case BINARY -> {
        var binary = encoding.getBinary();
        yield new ArrayNode.Binary(
            node(binary.getIndices()), node(binary.getBytes()), binary.getNullAdjustment());
      }
      case DICTIONARY -> {
        var dictionary = encoding.getDictionary();
        yield new ArrayNode.Dictionary(
            node(dictionary.getIndices()),
            node(dictionary.getItems()),
            dictionary.getNumDictionaryItems());
      }
      case FSST -> {
        var fsst = encoding.getFsst();
        yield new ArrayNode.Fsst(node(fsst.getBinary()), fsst.getSymbolTable());
      }
      case BITPACKED -> {
        var packed = encoding.getBitpacked();
        yield new ArrayNode.Bitpacked(
            packed.getCompressedBitsPerValue(),
            packed.getUncompressedBitsPerValue(),
            buffer(packed.getBuffer()),
            packed.getSigned());
      }
      case BITPACKED_FOR_NON_NEG -> {
        var packed = encoding.getBitpackedForNonNeg();
        yield new ArrayNode.BitpackedGroups(
            packed.getCompressedBitsPerValue(),
            packed.getUncompressedBitsPerValue(),
            buffer(packed.getBuffer()));
      }
      case FIXED_SIZE_BINARY -> {
        var binary = encoding.getFixedSizeBinary();
        yield new ArrayNode.FixedSizeBinary(node(binary.getBytes()), binary.getByteWidth());
      }
      case CONSTANT -> new ArrayNode.Constant(encoding.getConstant().getValue());
      case LIST -> {
        var list = encoding.getList();
        yield new ArrayNode.ListOffsets(
            node(list.getOffsets()), list.getNullOffsetAdjustment(), list.getNumItems());
      }
      case STRUCT -> new ArrayNode.StructHeader();
      case PACKED_STRUCT -> {
        var packed = encoding.getPackedStruct();
        yield new ArrayNode.PackedStruct(
            packed.getInnerList().stream().map(ArrayNodeCodec::node).toList(),
            buffer(packed.getBuffer()));
      }
      case ARRAYENCODING_NOT_SET -> new ArrayNode.Unsupported("an encoding that 2.0 does not have");
    };
  }

  private static ArrayNode nullable(Nullable nullable) {
    return switch (nullable.getNullabilityCase()) {
      case NO_NULLS -> new ArrayNode.NoNulls(node(nullable.getNoNulls().getValues()));
      case SOME_NULLS ->
          new ArrayNode.SomeNulls(
              node(nullable.getSomeNulls().getValidity()),
              node(nullable.getSomeNulls().getValues()));
      case ALL_NULLS -> new ArrayNode.AllNulls();
      case NULLABILITY_NOT_SET ->
          throw new LanceFormatException("nullable encoding does not say which rows are null");
    };
  }

  private static int buffer(Buffer buffer) {
    if (buffer.getBufferType() != Buffer.BufferType.page) {
      throw new UnsupportedFeatureException(
          "buffers of the " + buffer.getBufferType() + " are not supported, only the page's");
    }
    return buffer.getBufferIndex();
  }

  private static Optional<dev.narwhal.lance.datafile.codec.Compression> compression(String scheme) {
    return switch (scheme) {
      case "", "none" -> Optional.empty();
      case "zstd" -> Optional.of(dev.narwhal.lance.datafile.codec.Compression.ZSTD);
      case "lz4" -> Optional.of(dev.narwhal.lance.datafile.codec.Compression.LZ4);
      default -> throw new UnsupportedFeatureException("compression '" + scheme + "'");
    };
  }

  /** The message of a page that is written. */
  public static ByteString encode(ArrayNode node) {
    return message(node).toByteString();
  }

  private static ArrayEncoding message(ArrayNode node) {
    ArrayEncoding.Builder message = ArrayEncoding.newBuilder();
    if (node instanceof ArrayNode.Flat flat) {
      message.setFlat(flat(flat));
    } else if (node instanceof ArrayNode.NoNulls values) {
      message.setNullable(
          Nullable.newBuilder()
              .setNoNulls(Nullable.NoNull.newBuilder().setValues(message(values.values()))));
    } else if (node instanceof ArrayNode.SomeNulls values) {
      message.setNullable(
          Nullable.newBuilder()
              .setSomeNulls(
                  Nullable.SomeNull.newBuilder()
                      .setValidity(message(values.validity()))
                      .setValues(message(values.values()))));
    } else if (node instanceof ArrayNode.AllNulls) {
      message.setNullable(Nullable.newBuilder().setAllNulls(Nullable.AllNull.getDefaultInstance()));
    } else if (node instanceof ArrayNode.FixedSizeList list) {
      message.setFixedSizeList(
          FixedSizeList.newBuilder()
              .setDimension(list.dimension())
              .setItems(message(list.items()))
              .setHasValidity(list.hasValidity()));
    } else if (node instanceof ArrayNode.Binary binary) {
      message.setBinary(
          Binary.newBuilder()
              .setIndices(message(binary.indices()))
              .setBytes(message(binary.bytes()))
              .setNullAdjustment(binary.nullAdjustment()));
    } else if (node instanceof ArrayNode.Dictionary dictionary) {
      message.setDictionary(
          Dictionary.newBuilder()
              .setIndices(message(dictionary.indices()))
              .setItems(message(dictionary.items()))
              .setNumDictionaryItems(dictionary.itemCount()));
    } else if (node instanceof ArrayNode.ListOffsets list) {
      message.setList(
          dev.narwhal.lance.proto.encodings20.List.newBuilder()
              .setOffsets(message(list.offsets()))
              .setNullOffsetAdjustment(list.nullAdjustment())
              .setNumItems(list.itemCount()));
    } else if (node instanceof ArrayNode.StructHeader) {
      message.setStruct(SimpleStruct.getDefaultInstance());
    } else if (node instanceof ArrayNode.PackedStruct packed) {
      PackedStruct.Builder rows = PackedStruct.newBuilder().setBuffer(buffer(packed.buffer()));
      packed.fields().forEach(field -> rows.addInner(message(field)));
      message.setPackedStruct(rows);
    } else {
      throw new IllegalArgumentException("not for writing: " + node.describe());
    }
    return message.build();
  }

  private static Flat flat(ArrayNode.Flat flat) {
    Flat.Builder message =
        Flat.newBuilder().setBitsPerValue(flat.bits()).setBuffer(buffer(flat.buffer()));
    flat.compression()
        .ifPresent(
            scheme ->
                message.setCompression(
                    Compression.newBuilder().setScheme(scheme.name().toLowerCase(Locale.ROOT))));
    return message.build();
  }

  private static Buffer buffer(int index) {
    return Buffer.newBuilder().setBufferIndex(index).build();
  }
}
