package dev.narwhal.lance.datafile.write;

import com.google.protobuf.UnsafeByteOperations;
import dev.narwhal.lance.datafile.codec.FsstEncoder;
import dev.narwhal.lance.datafile.codec.GrowingBytes;
import dev.narwhal.lance.datafile.layout.Encoding;

/** Byte strings of a page, coded with symbols when that pays. */
final class CodedStrings {
  private static final int LEAST_CODED = 32 << 10;
  private static final int LEAST_LONGEST = 5;

  private final Encoding encoding;
  private final byte[] bytes;
  private final int[] offsets;

  private CodedStrings(Encoding encoding, byte[] bytes, int[] offsets) {
    this.encoding = encoding;
    this.bytes = bytes;
    this.offsets = offsets;
  }

  /** The values as they are stored; without codes they share the arrays of the values. */
  static CodedStrings of(VariableLeaf values, EncodingHints hints) {
    Encoding plain = new Encoding.Variable(values.offsetBits());
    int count = values.count();
    int size = values.offsets()[count];
    byte[] bytes = values.bytes();
    if (!values.isText()
        || hints.plain()
        || hints.compression().isPresent()
        || size < LEAST_CODED
        || values.longest() < LEAST_LONGEST) {
      return new CodedStrings(plain, bytes, values.offsets());
    }
    FsstEncoder encoder = FsstEncoder.learn(bytes, values.offsets(), count);
    GrowingBytes coded = new GrowingBytes(size + (size >>> 3));
    int[] offsets = new int[count + 1];
    encoder.encode(bytes, values.offsets(), count, coded, offsets);
    if (coded.size() + FsstEncoder.TABLE_BYTES >= size) {
      return new CodedStrings(plain, bytes, values.offsets());
    }
    return new CodedStrings(
        new Encoding.Fsst(UnsafeByteOperations.unsafeWrap(encoder.table()), plain),
        coded.array(),
        offsets);
  }

  Encoding encoding() {
    return encoding;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Where each value starts, and where the last one ends. */
  int[] offsets() {
    return offsets;
  }
}
