package dev.narwhal.conformance;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.DurationVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeMilliVector;
import org.apache.arrow.vector.TimeNanoVector;
import org.apache.arrow.vector.TimeSecVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;

/**
 * Fills vectors of any primitive type with values of a shape, the same for the same seed.
 *
 * <p>A shape is a sequence of 64-bit seeds, and a type maps a seed to a value; so a run of seeds is
 * a run of equal values in every type, and few seeds are few values.
 */
final class RandomColumns {
  private RandomColumns() {}

  /** How the values of a column follow on each other. */
  enum Shape {
    /** All bits random. */
    UNIFORM,
    /** Random below 1,000: few bits. */
    SMALL,
    /** As many below zero as above, few bits. */
    AROUND_ZERO,
    ASCENDING,
    /** Runs of 1 to 400 equal values. */
    RUNS,
    /** 20 distinct values with all bits. */
    FEW,
    CONSTANT,
    /** Few bits, and one in 300 with all of them. */
    OUTLIERS,
    /** Ends of the ranges, zero and its neighbours; NaN, infinity and minus zero. */
    EXTREMES;

    private static final long[] ENDS = {
      0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE, 127, -128
    };

    private long next(Random random, long previous) {
      return switch (this) {
        case UNIFORM -> random.nextLong();
        case SMALL -> random.nextInt(1000);
        case AROUND_ZERO -> random.nextInt(400) - 200;
        case ASCENDING -> previous + random.nextInt(3);
        case RUNS -> random.nextInt(200) == 0 ? random.nextInt(50) : previous;
        case FEW -> mix(random.nextInt(20));
        case CONSTANT -> 77;
        case OUTLIERS -> random.nextInt(300) == 0 ? random.nextLong() : random.nextInt(16);
        case EXTREMES -> ENDS[random.nextInt(ENDS.length)];
      };
    }
  }

  /** Which values are null. */
  enum Nulls {
    NONE,
    /** One in five, scattered. */
    SOME,
    /** Long stretches with and without. */
    STRETCHES,
    ALL;

    boolean next(Random random, boolean previous) {
      return switch (this) {
        case NONE -> false;
        case SOME -> random.nextInt(5) == 0;
        case STRETCHES -> (random.nextInt(300) == 0) != previous;
        case ALL -> true;
      };
    }
  }

  /** Sets a value; the row's validity included. */
  @FunctionalInterface
  private interface Setter {
    void set(int row, long seed);
  }

  /** Allocates {@code vector} and fills it; with nulls only where its field is nullable. */
  static void fill(FieldVector vector, int rows, Shape shape, Nulls nulls, long seed) {
    Random random = new Random(seed ^ vector.getName().hashCode());
    vector.setInitialCapacity(Math.max(rows, 1));
    vector.allocateNew();
    Setter setter = setter(vector, nulls, random);
    long value = 0;
    boolean isNull = false;
    for (int row = 0; row < rows; row++) {
      value = shape.next(random, value);
      isNull = vector.getField().isNullable() && nulls.next(random, isNull);
      if (isNull) {
        vector.setNull(row);
      } else {
        setter.set(row, value);
      }
    }
    vector.setValueCount(rows);
  }

  private static Setter setter(FieldVector vector, Nulls nulls, Random random) {
    return switch (vector.getMinorType()) {
      case BIT -> (row, seed) -> ((BitVector) vector).setSafe(row, (int) (seed & 1));
      case TINYINT -> (row, seed) -> ((TinyIntVector) vector).setSafe(row, (byte) seed);
      case SMALLINT -> (row, seed) -> ((SmallIntVector) vector).setSafe(row, (short) seed);
      case INT -> (row, seed) -> ((IntVector) vector).setSafe(row, (int) seed);
      case BIGINT -> (row, seed) -> ((BigIntVector) vector).setSafe(row, seed);
      case UINT1 -> (row, seed) -> ((UInt1Vector) vector).setSafe(row, (byte) seed);
      case UINT2 -> (row, seed) -> ((UInt2Vector) vector).setSafe(row, (char) seed);
      case UINT4 -> (row, seed) -> ((UInt4Vector) vector).setSafe(row, (int) seed);
      case UINT8 -> (row, seed) -> ((UInt8Vector) vector).setSafe(row, seed);
      case FLOAT2 -> (row, seed) -> ((Float2Vector) vector).setSafe(row, (short) seed);
      case FLOAT4 -> (row, seed) -> ((Float4Vector) vector).setSafe(row, (float) real(seed));
      case FLOAT8 -> (row, seed) -> ((Float8Vector) vector).setSafe(row, real(seed));
      case DECIMAL -> {
        DecimalVector decimals = (DecimalVector) vector;
        yield (row, seed) ->
            decimals.setSafe(row, decimal(seed, decimals.getPrecision(), decimals.getScale()));
      }
      case DECIMAL256 -> {
        Decimal256Vector decimals = (Decimal256Vector) vector;
        yield (row, seed) ->
            decimals.setSafe(row, decimal(seed, decimals.getPrecision(), decimals.getScale()));
      }
      case DATEDAY -> (row, seed) -> ((DateDayVector) vector).setSafe(row, (int) (seed % 100_000));
      case DATEMILLI ->
          (row, seed) -> ((DateMilliVector) vector).setSafe(row, seed % 100_000 * 86_400_000L);
      case TIMESEC -> (row, seed) -> ((TimeSecVector) vector).setSafe(row, (int) ofDay(seed, 1));
      case TIMEMILLI ->
          (row, seed) -> ((TimeMilliVector) vector).setSafe(row, (int) ofDay(seed, 1000));
      case TIMEMICRO ->
          (row, seed) -> ((TimeMicroVector) vector).setSafe(row, ofDay(seed, 1_000_000));
      case TIMENANO ->
          (row, seed) -> ((TimeNanoVector) vector).setSafe(row, ofDay(seed, 1_000_000_000));
      case TIMESTAMPSEC,
          TIMESTAMPMILLI,
          TIMESTAMPMICRO,
          TIMESTAMPNANO,
          TIMESTAMPSECTZ,
          TIMESTAMPMILLITZ,
          TIMESTAMPMICROTZ,
          TIMESTAMPNANOTZ ->
          (row, seed) -> ((TimeStampVector) vector).setSafe(row, seed);
      case DURATION -> (row, seed) -> ((DurationVector) vector).setSafe(row, seed);
      case VARCHAR -> (row, seed) -> ((VarCharVector) vector).setSafe(row, text(seed));
      case LARGEVARCHAR -> (row, seed) -> ((LargeVarCharVector) vector).setSafe(row, text(seed));
      case VARBINARY ->
          (row, seed) -> ((VarBinaryVector) vector).setSafe(row, bytes(seed, (int) (seed & 15)));
      case LARGEVARBINARY ->
          (row, seed) ->
              ((LargeVarBinaryVector) vector).setSafe(row, bytes(seed, (int) (seed & 15)));
      case FIXEDSIZEBINARY -> {
        FixedSizeBinaryVector binaries = (FixedSizeBinaryVector) vector;
        yield (row, seed) -> binaries.setSafe(row, bytes(seed, binaries.getByteWidth()));
      }
      case FIXED_SIZE_LIST -> list((FixedSizeListVector) vector, nulls, random);
      default -> throw new IllegalArgumentException("not a primitive type: " + vector.getField());
    };
  }

  private static Setter list(FixedSizeListVector lists, Nulls nulls, Random random) {
    FieldVector items = lists.getDataVector();
    Setter item = setter(items, nulls, random);
    boolean itemNulls = items.getField().isNullable() && nulls == Nulls.SOME;
    int size = lists.getListSize();
    return (row, seed) -> {
      lists.setNotNull(row);
      for (int i = 0; i < size; i++) {
        if (itemNulls && random.nextInt(10) == 0) {
          items.setNull(row * size + i);
        } else {
          item.set(row * size + i, seed + i);
        }
      }
    };
  }

  private static double real(long seed) {
    if (seed == Long.MAX_VALUE) {
      return Double.NaN;
    }
    if (seed == Long.MIN_VALUE) {
      return Double.NEGATIVE_INFINITY;
    }
    if (seed == -1) {
      return -0.0;
    }
    return (int) seed == seed ? seed * 0.25 : seed * 1.0e-3;
  }

  private static BigDecimal decimal(long seed, int precision, int scale) {
    BigInteger wide = BigInteger.valueOf(seed).pow(3);
    return new BigDecimal(wide.remainder(BigInteger.TEN.pow(precision)), scale);
  }

  private static long ofDay(long seed, long perSecond) {
    return Math.floorMod(seed, 86_400L * perSecond);
  }

  private static byte[] text(long seed) {
    String text = "narwhal é漢🙂 " + Long.toUnsignedString(mix(seed), 36);
    int start = (int) Math.floorMod(seed, 9L);
    return text.substring(start).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    long state = seed;
    for (int i = 0; i < length; i++) {
      state = mix(state);
      bytes[i] = (byte) state;
    }
    return bytes;
  }

  /** Spreads the bits of a seed over all 64. */
  private static long mix(long seed) {
    long z = seed + 0x9E37_79B9_7F4A_7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return z ^ (z >>> 31);
  }
}
