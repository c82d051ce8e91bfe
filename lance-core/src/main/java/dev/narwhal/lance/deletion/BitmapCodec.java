package dev.narwhal.lance.deletion;

import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.roaringbitmap.ArrayContainer;
import org.roaringbitmap.BitmapContainer;
import org.roaringbitmap.Container;
import org.roaringbitmap.RoaringBitmap;
import org.roaringbitmap.RunContainer;

/**
 * A deletion file in bitmap encoding: a 32-bit Roaring bitmap in its portable serialisation, and
 * nothing else. All numbers are little-endian.
 *
 * <pre>
 * u32               cookie: 12346; or 12347 in the low and k - 1 in the high 16 bits
 * u32               k = number of containers             only with cookie 12346
 * (k + 7) / 8       bit i: container i is a run one      only with cookie 12347
 * k times u16 u16   key, cardinality - 1; keys ascend
 * k times u32       position of each container           not with cookie 12347 and k &lt; 4
 * k containers:
 *   runs            u16 n, n times (u16 first, u16 length - 1); they ascend without overlap
 *   cardinality up to 4096    the low 16 bits, ascending
 *   else                      8192 bytes, a bitmap
 * </pre>
 *
 * <p>The containers are built here from checked bytes; the library's own reader believes too much.
 * Lance writes no run containers, but it reads them; ours are written where the caller asks for the
 * smallest file.
 *
 * <p>Source: table format sheet 4.4; Roaring format specification.
 */
public final class BitmapCodec {
  private static final int COOKIE = 12346;
  private static final int RUN_COOKIE = 12347;
  private static final int MAX_CONTAINERS = 1 << 16;
  private static final int MAX_ARRAY_CARDINALITY = 4096;
  private static final int BITMAP_WORDS = 1024;
  private static final int NO_POSITIONS_BELOW = 4;

  private BitmapCodec() {}

  /**
   * The offsets that a file holds.
   *
   * @param bytes the whole file, from position to limit; its position stays
   * @param physicalRows rows of the fragment, in [0, 2^32]; an offset past them is a format error
   */
  public static DeletionVector decode(ByteBuffer bytes, long physicalRows) {
    return DeletionVector.owning(new Decoder(bytes).bitmap(physicalRows));
  }

  /** The file's bytes, without run containers: read-only, little-endian, position 0. */
  public static ByteBuffer encode(DeletionVector vector) {
    return vector.toPortableBytes();
  }

  /** The same with run containers where they are smaller than the other two kinds. */
  public static ByteBuffer encodeWithRuns(DeletionVector vector) {
    return vector.toPortableBytesWithRuns();
  }

  /** One pass over the bytes. */
  private static final class Decoder {
    private final ByteBuffer in;

    Decoder(ByteBuffer bytes) {
      in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    }

    RoaringBitmap bitmap(long physicalRows) {
      int cookie = u32("cookie");
      boolean withRuns = (cookie & 0xFFFF) == RUN_COOKIE;
      if (!withRuns && cookie != COOKIE) {
        throw fault(
            "Roaring cookie " + Integer.toUnsignedString(cookie) + ", expected 12346 or 12347");
      }
      int count = withRuns ? (cookie >>> 16) + 1 : u32("number of containers");
      if (count < 0 || count > MAX_CONTAINERS) {
        throw fault(Integer.toUnsignedString(count) + " containers, at most 65536 are possible");
      }
      byte[] runFlags = new byte[0];
      if (withRuns) {
        require((count + 7) / 8, "run flags");
        runFlags = new byte[(count + 7) / 8];
        in.get(runFlags);
      }
      boolean withPositions = !withRuns || count >= NO_POSITIONS_BELOW;
      require(count * (withPositions ? 8 : 4), "container headers");
      int headers = in.position();
      int positions = headers + 4 * count;
      in.position(withPositions ? positions + 4 * count : positions);

      RoaringBitmap bitmap = new RoaringBitmap();
      int previousKey = -1;
      for (int i = 0; i < count; i++) {
        int key = in.getChar(headers + 4 * i);
        int cardinality = in.getChar(headers + 4 * i + 2) + 1;
        if (key <= previousKey) {
          throw fault("key " + key + " of container " + i + " does not ascend from " + previousKey);
        }
        previousKey = key;
        if (withPositions && in.getInt(positions + 4 * i) != in.position()) {
          throw fault("container " + i + " is said to be at " + in.getInt(positions + 4 * i));
        }
        boolean runs = withRuns && (runFlags[i / 8] >>> i % 8 & 1) == 1;
        bitmap.append((char) key, runs ? runs(i, cardinality) : plain(i, cardinality));
      }
      if (in.hasRemaining()) {
        throw fault(in.remaining() + " bytes are left after the last container");
      }
      requireInFragment(bitmap, physicalRows);
      return bitmap;
    }

    private Container plain(int index, int cardinality) {
      return cardinality <= MAX_ARRAY_CARDINALITY
          ? array(index, cardinality)
          : words(index, cardinality);
    }

    private Container array(int index, int cardinality) {
      require(2 * cardinality, "array container");
      char[] values = new char[cardinality];
      in.asCharBuffer().get(values);
      for (int i = 1; i < cardinality; i++) {
        if (values[i] <= values[i - 1]) {
          throw fault("values of array container " + index + " do not ascend");
        }
      }
      in.position(in.position() + 2 * cardinality);
      return new ArrayContainer(values);
    }

    private Container words(int index, int cardinality) {
      require(8 * BITMAP_WORDS, "bitmap container");
      long[] words = new long[BITMAP_WORDS];
      in.asLongBuffer().get(words);
      int bits = 0;
      for (long word : words) {
        bits += Long.bitCount(word);
      }
      requireCardinality(index, bits, cardinality);
      in.position(in.position() + 8 * BITMAP_WORDS);
      return new BitmapContainer(words, cardinality);
    }

    private Container runs(int index, int cardinality) {
      require(2, "number of runs");
      int runs = in.getChar();
      require(4 * runs, "run container");
      char[] merged = new char[2 * runs];
      int last = -1;
      int end = -1;
      int sum = 0;
      for (int i = 0; i < runs; i++) {
        int first = in.getChar();
        int length = in.getChar() + 1;
        if (first < end || first + length > MAX_CONTAINERS) {
          throw fault(
              "run of "
                  + length
                  + " from "
                  + first
                  + " in container "
                  + index
                  + ", free from "
                  + end);
        }
        if (first == end) {
          // runs that touch are one to the library's comparisons
          merged[2 * last + 1] += (char) length;
        } else {
          last++;
          merged[2 * last] = (char) first;
          merged[2 * last + 1] = (char) (length - 1);
        }
        end = first + length;
        sum += length;
      }
      requireCardinality(index, sum, cardinality);
      return new RunContainer(merged, last + 1);
    }

    private void requireCardinality(int index, int found, int cardinality) {
      if (found != cardinality) {
        throw fault(
            "container " + index + " holds " + found + " values, its header says " + cardinality);
      }
    }

    private int u32(String what) {
      require(4, what);
      return in.getInt();
    }

    private void require(int bytes, String what) {
      if (in.remaining() < bytes) {
        throw fault(
            bytes + " bytes expected for the " + what + ", " + in.remaining() + " are left");
      }
    }

    private LanceFormatException fault(String what) {
      return new LanceFormatException(what + " (at byte " + in.position() + ")");
    }
  }

  private static void requireInFragment(RoaringBitmap bitmap, long physicalRows) {
    if (!bitmap.isEmpty() && Integer.toUnsignedLong(bitmap.last()) >= physicalRows) {
      throw new LanceFormatException(
          "deleted offset "
              + Integer.toUnsignedString(bitmap.last())
              + " in a fragment of "
              + physicalRows
              + " rows");
    }
  }
}
