package dev.narwhal.lance.datafile.array;

import dev.narwhal.lance.datafile.codec.FastLanes;
import dev.narwhal.lance.datafile.page.Bits;
import dev.narwhal.lance.datafile.page.FixedValues;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Integers stored in fewer bits than they have. Source: file format sheet 2.1, 6. */
final class PackedDecoders {
  private PackedDecoders() {}

  /**
   * Back to back, least significant bit first, as very old writers did.
   *
   * @param bits of a stored value, in [1, valueBits]
   * @param valueBits 8, 16, 32 or 64
   */
  record Sequential(PageBytes bytes, int bits, int valueBits, boolean signed)
      implements ArrayDecoder {
    @Override
    public Decoded decode(long first, int count, Scratch scratch) throws IOException {
      long firstBit = first * bits;
      int shift = (int) (firstBit & 7);
      long endBit = shift + (long) count * bits;
      if (endBit > Integer.MAX_VALUE) {
        throw new UnsupportedFeatureException(
            "a list of " + count + " bit-packed values takes 256 MiB or more");
      }
      ByteBuffer part = bytes.read(firstBit >>> 3, (endBit + 7) >>> 3, scratch);
      int width = valueBits / 8;
      ByteBuffer values = scratch.bytes(count * width);
      int unused = Long.SIZE - bits;
      for (int i = 0; i < count; i++) {
        long value = Bits.getWord(part, shift + i * bits, bits);
        if (signed) {
          value = value << unused >> unused;
        }
        switch (width) {
          case 1 -> values.put(i, (byte) value);
          case 2 -> values.putShort(2 * i, (short) value);
          case 4 -> values.putInt(4 * i, (int) value);
          default -> values.putLong(8 * i, value);
        }
      }
      return Decoded.of(new FixedValues(values, width, count));
    }

    @Override
    public long bitsPerValue() {
      return valueBits;
    }
  }

  /**
   * In groups of 1024; the last one is padded.
   *
   * @param bits of a stored value, in [0, valueBits]
   * @param valueBits 8, 16, 32 or 64
   */
  record Groups(PageBytes bytes, int bits, int valueBits) implements ArrayDecoder {
    @Override
    public Decoded decode(long first, int count, Scratch scratch) throws IOException {
      long firstGroup = first / FastLanes.GROUP;
      int skip = (int) (first % FastLanes.GROUP);
      int groups = (skip + count + FastLanes.GROUP - 1) / FastLanes.GROUP;
      int groupBytes = FastLanes.packedBytes(bits);
      ByteBuffer part = bytes.read(firstGroup * groupBytes, (long) groups * groupBytes, scratch);
      int width = valueBits / 8;
      ByteBuffer values = scratch.bytes(Math.multiplyExact(groups * FastLanes.GROUP, width));
      FastLanes lanes = scratch.lanes(valueBits);
      for (int group = 0; group < groups; group++) {
        lanes.unpack(part.position(group * groupBytes), bits, FastLanes.GROUP, values);
      }
      ByteBuffer wanted = values.slice(skip * width, count * width);
      return Decoded.of(new FixedValues(wanted.order(ByteOrder.LITTLE_ENDIAN), width, count));
    }

    @Override
    public long bitsPerValue() {
      return valueBits;
    }
  }
}
