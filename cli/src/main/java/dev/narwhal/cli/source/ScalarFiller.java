package dev.narwhal.cli.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Base64;
import java.util.Optional;
import org.apache.arrow.memory.util.Float16;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** Values that are not nested, into their vectors. */
final class ScalarFiller {
  private ScalarFiller() {}

  static void set(FieldVector vector, int index, Object value) {
    ArrowType type = vector.getField().getType();
    switch (type.getTypeID()) {
      case Bool -> ((BitVector) vector).setSafe(index, bool(value) ? 1 : 0);
      case Int -> integer(vector, (ArrowType.Int) type, index, value);
      case FloatingPoint -> floating(vector, (ArrowType.FloatingPoint) type, index, value);
      case Decimal -> decimal(vector, (ArrowType.Decimal) type, index, value);
      case Utf8 -> ((VarCharVector) vector).setSafe(index, text(value));
      case LargeUtf8 -> ((LargeVarCharVector) vector).setSafe(index, text(value));
      case Binary -> ((VarBinaryVector) vector).setSafe(index, bytes(value));
      case LargeBinary -> ((LargeVarBinaryVector) vector).setSafe(index, bytes(value));
      case FixedSizeBinary -> fixed((FixedSizeBinaryVector) vector, index, value);
      case Date, Time, Timestamp, Duration -> TemporalFiller.set(vector, index, value);
      default ->
          throw BadValueException.of(value, "a type that can be read from files, not " + type);
    }
  }

  private static boolean bool(Object value) {
    if (value instanceof Boolean bool) {
      return bool;
    }
    throw BadValueException.of(value, "true or false");
  }

  private static void integer(FieldVector vector, ArrowType.Int type, int index, Object value) {
    int bits = type.getBitWidth();
    boolean signed = type.getIsSigned();
    BigInteger number = whole(value, type);
    if (signed ? number.bitLength() >= bits : number.signum() < 0 || number.bitLength() > bits) {
      throw outOfRange(value, type);
    }
    long v = number.longValue();
    switch (bits) {
      case 8 -> {
        if (signed) {
          ((TinyIntVector) vector).setSafe(index, (int) v);
        } else {
          ((UInt1Vector) vector).setSafe(index, (int) v);
        }
      }
      case 16 -> {
        if (signed) {
          ((SmallIntVector) vector).setSafe(index, (int) v);
        } else {
          ((UInt2Vector) vector).setSafe(index, (int) v);
        }
      }
      case 32 -> {
        if (signed) {
          ((IntVector) vector).setSafe(index, (int) v);
        } else {
          ((UInt4Vector) vector).setSafe(index, (int) v);
        }
      }
      default -> {
        if (signed) {
          ((BigIntVector) vector).setSafe(index, v);
        } else {
          ((UInt8Vector) vector).setSafe(index, v);
        }
      }
    }
  }

  private static BigInteger whole(Object value, ArrowType.Int type) {
    if (value instanceof Long number) {
      return BigInteger.valueOf(number);
    }
    if (value instanceof BigInteger number) {
      return number;
    }
    if (value instanceof NumberText number && number.isWhole()) {
      return number.whole().orElseThrow(() -> outOfRange(value, type));
    }
    throw BadValueException.of(
        value, (type.getIsSigned() ? "int" : "uint") + type.getBitWidth() + ", a whole number");
  }

  private static BadValueException outOfRange(Object value, ArrowType.Int type) {
    boolean signed = type.getIsSigned();
    BigInteger end = BigInteger.ONE.shiftLeft(signed ? type.getBitWidth() - 1 : type.getBitWidth());
    BigInteger start = signed ? end.negate() : BigInteger.ZERO;
    return BadValueException.of(
        value, "an integer in [" + start + ", " + end.subtract(BigInteger.ONE) + "]");
  }

  private static void floating(
      FieldVector vector, ArrowType.FloatingPoint type, int index, Object value) {
    double number = real(value);
    switch (type.getPrecision()) {
      case HALF -> {
        short half = Float16.toFloat16((float) number);
        requireKept(value, number, Float16.toFloat(half), "a float16, at most 65504");
        ((Float2Vector) vector).setSafe(index, half);
      }
      case SINGLE -> {
        float single = value instanceof NumberText text ? text.floatValue() : (float) number;
        requireKept(value, number, single, "a float32, at most 3.4028235e38");
        ((Float4Vector) vector).setSafe(index, single);
      }
      case DOUBLE -> {
        if (Double.isInfinite(number) && !isInfinity(value)) {
          throw BadValueException.of(value, "a float64, at most 1.7976931348623157e308");
        }
        ((Float8Vector) vector).setSafe(index, number);
      }
    }
  }

  /** Decimal text is rounded, as always; what is binary already must stay what it is. */
  private static void requireKept(Object value, double given, double stored, String expected) {
    boolean binary = value instanceof Double || value instanceof Float;
    boolean overflow =
        Double.isInfinite(stored) && !(Double.isInfinite(given) && isInfinity(value));
    if (overflow || (binary && stored != given && !Double.isNaN(given))) {
      throw BadValueException.of(value, expected + (overflow ? "" : ", without loss"));
    }
  }

  private static boolean isInfinity(Object value) {
    return value instanceof String || value instanceof Double || value instanceof Float;
  }

  private static double real(Object value) {
    if (value instanceof NumberText number) {
      return number.doubleValue();
    }
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    if (value instanceof String text) {
      switch (text) {
        case "NaN" -> {
          return Double.NaN;
        }
        case "Infinity" -> {
          return Double.POSITIVE_INFINITY;
        }
        case "-Infinity" -> {
          return Double.NEGATIVE_INFINITY;
        }
        default -> {
          // said below
        }
      }
    }
    throw BadValueException.of(value, "a number");
  }

  private static void decimal(FieldVector vector, ArrowType.Decimal type, int index, Object value) {
    String expected =
        "a decimal of " + type.getPrecision() + " digits, " + type.getScale() + " after the point";
    BigDecimal scaled =
        decimal(value, type).orElseThrow(() -> BadValueException.of(value, expected));
    if (vector instanceof Decimal256Vector wide) {
      wide.setSafe(index, scaled);
    } else {
      ((DecimalVector) vector).setSafe(index, scaled);
    }
  }

  private static Optional<BigDecimal> decimal(Object value, ArrowType.Decimal type) {
    int precision = type.getPrecision();
    int scale = type.getScale();
    if (value instanceof NumberText number) {
      return number.decimal(precision, scale);
    }
    if (value instanceof BigDecimal number) {
      return NumberText.fit(number, precision, scale);
    }
    if (value instanceof Long number) {
      return NumberText.fit(BigDecimal.valueOf(number), precision, scale);
    }
    return value instanceof BigInteger number
        ? NumberText.fit(new BigDecimal(number), precision, scale)
        : Optional.empty();
  }

  private static byte[] text(Object value) {
    if (value instanceof String text) {
      requireWholeCharacters(text);
      return text.getBytes(UTF_8);
    }
    throw BadValueException.of(value, "text");
  }

  /** An escape in JSON can stand for half of a character, which has no UTF-8. */
  private static void requireWholeCharacters(String text) {
    for (int i = 0; i < text.length(); ) {
      int character = text.codePointAt(i);
      if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
        throw new BadValueException(
            "text with \\u%04x alone, half of a surrogate pair, at character %d"
                .formatted(character, i + 1));
      }
      i += Character.charCount(character);
    }
  }

  private static byte[] bytes(Object value) {
    if (value instanceof byte[] bytes) {
      return bytes;
    }
    if (value instanceof String text) {
      try {
        return Base64.getDecoder().decode(text);
      } catch (IllegalArgumentException e) {
        // said below
      }
    }
    throw BadValueException.of(value, "bytes as base64");
  }

  private static void fixed(FixedSizeBinaryVector vector, int index, Object value) {
    byte[] bytes = bytes(value);
    if (bytes.length != vector.getByteWidth()) {
      throw new BadValueException(bytes.length + " bytes, expected " + vector.getByteWidth());
    }
    vector.setSafe(index, bytes);
  }
}
