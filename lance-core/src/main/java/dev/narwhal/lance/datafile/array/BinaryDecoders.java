package dev.narwhal.lance.datafile.array;

import dev.narwhal.lance.datafile.codec.FsstSymbolTable;
import dev.narwhal.lance.datafile.page.Bits;
import dev.narwhal.lance.datafile.page.FixedValues;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.VariableValues;
import dev.narwhal.lance.error.LanceFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Nodes whose values are byte strings. Source: file format sheet 2.4, 5.10. */
final class BinaryDecoders {
  private BinaryDecoders() {}

  /**
   * Behind end offsets. The offset of a null is raised by more than any offset can be.
   *
   * @param ends 8 bytes each, without nulls of its own
   * @param nullAdjustment u64, one more than the bytes of all values, so at least 1
   * @param averageBytes of a value
   */
  record Strings(ArrayDecoder ends, PageBytes bytes, long nullAdjustment, long averageBytes)
      implements ArrayDecoder {
    @Override
    public Decoded decode(long first, int count, Scratch scratch) throws IOException {
      // a value starts where the one before ends
      int lead = first == 0 ? 0 : 1;
      Decoded decoded = ends.decode(first - lead, count + lead, scratch);
      ByteBuffer raw = ((FixedValues) decoded.values()).bytes();
      int[] offsets = scratch.ints(count + 1);
      ByteBuffer validity = null;
      long start = lead == 0 ? 0 : end(raw.getLong(0));
      long previous = start;
      offsets[0] = 0;
      for (int i = 0; i < count; i++) {
        long stored = raw.getLong(8 * (i + lead));
        long end = end(stored);
        if (end < previous || end - start > Integer.MAX_VALUE) {
          throw new LanceFormatException(
              "value "
                  + (first + i)
                  + " ends at "
                  + Long.toUnsignedString(end)
                  + ", the one before at "
                  + previous);
        }
        if (end != stored) {
          if (validity == null) {
            validity = allValid(count, scratch);
          }
          validity.put(i >>> 3, (byte) (validity.get(i >>> 3) & ~(1 << (i & 7))));
        }
        offsets[i + 1] = (int) (end - start);
        previous = end;
      }
      ByteBuffer part = bytes.read(start, previous - start, scratch);
      return valid(Decoded.of(new VariableValues(part, offsets, count)), validity, count);
    }

    @Override
    public long bitsPerValue() {
      return 8 * (Long.BYTES + averageBytes);
    }

    private long end(long stored) {
      return Long.compareUnsigned(stored, nullAdjustment) < 0 ? stored : stored - nullAdjustment;
    }
  }

  /** Coded with a symbol table. */
  record Fsst(ArrayDecoder codes, FsstSymbolTable table) implements ArrayDecoder {
    @Override
    public Decoded decode(long first, int count, Scratch scratch) throws IOException {
      Decoded decoded = codes.decode(first, count, scratch);
      VariableValues coded = (VariableValues) decoded.values();
      int[] offsets = scratch.ints(count + 1);
      byte[] plain = table.decode(coded.bytes(), coded.offsets(), count, offsets);
      return valid(
          Decoded.of(new VariableValues(ByteBuffer.wrap(plain), offsets, count)),
          decoded.validity().orElse(null),
          count);
    }

    @Override
    public long bitsPerValue() {
      return codes.bitsPerValue();
    }
  }

  /** All of one length. */
  record OneLength(PageBytes bytes, int widthBytes) implements ArrayDecoder {
    @Override
    public Decoded decode(long first, int count, Scratch scratch) throws IOException {
      ByteBuffer part = bytes.read(first * widthBytes, (long) count * widthBytes, scratch);
      int[] offsets = scratch.ints(count + 1);
      for (int i = 0; i <= count; i++) {
        offsets[i] = i * widthBytes;
      }
      return Decoded.of(new VariableValues(part, offsets, count));
    }

    @Override
    public long bitsPerValue() {
      return 8L * Math.max(widthBytes, Integer.BYTES);
    }
  }

  static ByteBuffer allValid(int count, Scratch scratch) {
    ByteBuffer bits = scratch.bytes(Bits.bytes(count));
    for (int i = 0; i < bits.limit(); i++) {
      bits.put(i, (byte) -1);
    }
    return bits;
  }

  private static Decoded valid(Decoded decoded, @Nullable ByteBuffer validity, int count) {
    return validity == null ? decoded : decoded.withValidity(validity, count);
  }
}
