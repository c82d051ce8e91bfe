package dev.narwhal.lance.datafile.array;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.proto.encodings20.ArrayEncoding;
import dev.narwhal.lance.proto.encodings20.Binary;
import dev.narwhal.lance.proto.encodings20.Bitpacked;
import dev.narwhal.lance.proto.encodings20.BitpackedForNonNeg;
import dev.narwhal.lance.proto.encodings20.Buffer;
import dev.narwhal.lance.proto.encodings20.Compression;
import dev.narwhal.lance.proto.encodings20.Constant;
import dev.narwhal.lance.proto.encodings20.Dictionary;
import dev.narwhal.lance.proto.encodings20.FixedSizeBinary;
import dev.narwhal.lance.proto.encodings20.FixedSizeList;
import dev.narwhal.lance.proto.encodings20.Flat;
import dev.narwhal.lance.proto.encodings20.Fsst;
import dev.narwhal.lance.proto.encodings20.Nullable;

/** Page messages in one word each. */
final class Encodings {
  private Encodings() {}

  static ArrayEncoding flat(int bits, int buffer) {
    return flat(bits, buffer, "");
  }

  static ArrayEncoding flat(int bits, int buffer, String scheme) {
    return ArrayEncoding.newBuilder()
        .setFlat(
            Flat.newBuilder()
                .setBitsPerValue(bits)
                .setBuffer(buffer(buffer))
                .setCompression(Compression.newBuilder().setScheme(scheme)))
        .build();
  }

  static ArrayEncoding noNulls(ArrayEncoding values) {
    return nullable(
        Nullable.newBuilder().setNoNulls(Nullable.NoNull.newBuilder().setValues(values)));
  }

  static ArrayEncoding someNulls(ArrayEncoding validity, ArrayEncoding values) {
    return nullable(
        Nullable.newBuilder()
            .setSomeNulls(Nullable.SomeNull.newBuilder().setValidity(validity).setValues(values)));
  }

  static ArrayEncoding allNulls() {
    return nullable(Nullable.newBuilder().setAllNulls(Nullable.AllNull.getDefaultInstance()));
  }

  static ArrayEncoding list(int dimension, ArrayEncoding items) {
    return ArrayEncoding.newBuilder()
        .setFixedSizeList(FixedSizeList.newBuilder().setDimension(dimension).setItems(items))
        .build();
  }

  static ArrayEncoding binary(ArrayEncoding indices, ArrayEncoding bytes, long nullAdjustment) {
    return ArrayEncoding.newBuilder()
        .setBinary(
            Binary.newBuilder()
                .setIndices(indices)
                .setBytes(bytes)
                .setNullAdjustment(nullAdjustment))
        .build();
  }

  static ArrayEncoding dictionary(ArrayEncoding indices, ArrayEncoding items, int count) {
    return ArrayEncoding.newBuilder()
        .setDictionary(
            Dictionary.newBuilder()
                .setIndices(indices)
                .setItems(items)
                .setNumDictionaryItems(count))
        .build();
  }

  static ArrayEncoding fsst(ArrayEncoding binary, byte[] table) {
    return ArrayEncoding.newBuilder()
        .setFsst(Fsst.newBuilder().setBinary(binary).setSymbolTable(ByteString.copyFrom(table)))
        .build();
  }

  static ArrayEncoding bitpacked(int bits, int valueBits, boolean signed, int buffer) {
    return ArrayEncoding.newBuilder()
        .setBitpacked(
            Bitpacked.newBuilder()
                .setCompressedBitsPerValue(bits)
                .setUncompressedBitsPerValue(valueBits)
                .setSigned(signed)
                .setBuffer(buffer(buffer)))
        .build();
  }

  static ArrayEncoding groups(int bits, int valueBits, int buffer) {
    return ArrayEncoding.newBuilder()
        .setBitpackedForNonNeg(
            BitpackedForNonNeg.newBuilder()
                .setCompressedBitsPerValue(bits)
                .setUncompressedBitsPerValue(valueBits)
                .setBuffer(buffer(buffer)))
        .build();
  }

  static ArrayEncoding fixedSizeBinary(int width, ArrayEncoding bytes) {
    return ArrayEncoding.newBuilder()
        .setFixedSizeBinary(FixedSizeBinary.newBuilder().setByteWidth(width).setBytes(bytes))
        .build();
  }

  static ArrayEncoding lists(ArrayEncoding offsets, long nullAdjustment, long itemCount) {
    return ArrayEncoding.newBuilder()
        .setList(
            dev.narwhal.lance.proto.encodings20.List.newBuilder()
                .setOffsets(offsets)
                .setNullOffsetAdjustment(nullAdjustment)
                .setNumItems(itemCount))
        .build();
  }

  static ArrayEncoding constant(byte... value) {
    return ArrayEncoding.newBuilder()
        .setConstant(Constant.newBuilder().setValue(ByteString.copyFrom(value)))
        .build();
  }

  private static ArrayEncoding nullable(Nullable.Builder nullable) {
    return ArrayEncoding.newBuilder().setNullable(nullable).build();
  }

  private static Buffer buffer(int index) {
    return Buffer.newBuilder().setBufferIndex(index).build();
  }
}
