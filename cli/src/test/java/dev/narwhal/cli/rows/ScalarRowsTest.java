package dev.narwhal.cli.rows;

import static dev.narwhal.cli.rows.Batches.NO_DICTIONARIES;
import static dev.narwhal.cli.rows.Batches.field;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
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
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every scalar type, its extremes and null, in both text forms. */
class ScalarRowsTest {
  @ParameterizedTest(name = "{0}")
  @MethodSource("columns")
  void writesEveryScalar(
      String claim, ArrowType type, Consumer<FieldVector> fill, String json, String csv)
      throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot batch =
            Batches.batch(allocator, field("x", type), FieldVector.class, fill)) {
      assertThat(Batches.json(batch, NO_DICTIONARIES)).isEqualTo(lines(json, "{\"x\":", "}\n"));
      assertThat(Batches.csv(batch, NO_DICTIONARIES)).isEqualTo("x\r\n" + lines(csv, "", "\r\n"));
    }
  }

  private static String lines(String values, String before, String after) {
    StringBuilder text = new StringBuilder();
    for (String value : values.split(" ; ", -1)) {
      text.append(before).append(value.strip()).append(after);
    }
    return text.toString();
  }

  static Stream<Arguments> columns() {
    return Stream.of(
        column(
            "null type",
            ArrowType.Null.INSTANCE,
            NullVector.class,
            v -> v.setValueCount(2),
            "null ; null",
            " ; "),
        column(
            "bool",
            ArrowType.Bool.INSTANCE,
            BitVector.class,
            v -> {
              v.setSafe(0, 1);
              v.setSafe(1, 0);
              v.setValueCount(3);
            },
            "true ; false ; null",
            "true ; false ; "),
        column(
            "int8",
            new ArrowType.Int(8, true),
            TinyIntVector.class,
            v -> {
              v.setSafe(0, -128);
              v.setSafe(1, 127);
              v.setValueCount(2);
            },
            "-128 ; 127",
            "-128 ; 127"),
        column(
            "int16",
            new ArrowType.Int(16, true),
            SmallIntVector.class,
            v -> {
              v.setSafe(0, -32768);
              v.setSafe(1, 32767);
              v.setValueCount(2);
            },
            "-32768 ; 32767",
            "-32768 ; 32767"),
        column(
            "int32",
            new ArrowType.Int(32, true),
            IntVector.class,
            v -> {
              v.setSafe(0, Integer.MIN_VALUE);
              v.setSafe(2, Integer.MAX_VALUE);
              v.setValueCount(3);
            },
            "-2147483648 ; null ; 2147483647",
            "-2147483648 ;  ; 2147483647"),
        column(
            "int64",
            new ArrowType.Int(64, true),
            BigIntVector.class,
            v -> {
              v.setSafe(0, Long.MIN_VALUE);
              v.setSafe(1, Long.MAX_VALUE);
              v.setValueCount(2);
            },
            "-9223372036854775808 ; 9223372036854775807",
            "-9223372036854775808 ; 9223372036854775807"),
        column(
            "uint8",
            new ArrowType.Int(8, false),
            UInt1Vector.class,
            v -> {
              v.setSafe(0, 255);
              v.setValueCount(1);
            },
            "255",
            "255"),
        column(
            "uint16",
            new ArrowType.Int(16, false),
            UInt2Vector.class,
            v -> {
              v.setSafe(0, 65535);
              v.setValueCount(1);
            },
            "65535",
            "65535"),
        column(
            "uint32",
            new ArrowType.Int(32, false),
            UInt4Vector.class,
            v -> {
              v.setSafe(0, -1);
              v.setValueCount(1);
            },
            "4294967295",
            "4294967295"),
        column(
            "uint64",
            new ArrowType.Int(64, false),
            UInt8Vector.class,
            v -> {
              v.setSafe(0, -1L);
              v.setSafe(1, Long.MIN_VALUE);
              v.setSafe(2, 7L);
              v.setValueCount(3);
            },
            "18446744073709551615 ; 9223372036854775808 ; 7",
            "18446744073709551615 ; 9223372036854775808 ; 7"),
        column(
            "float16 as its number",
            new ArrowType.FloatingPoint(FloatingPointPrecision.HALF),
            Float2Vector.class,
            v -> {
              v.setSafe(0, (short) 0x3c00);
              v.setSafe(1, (short) 0x0001);
              v.setSafe(2, (short) 0x7bff);
              v.setSafe(3, (short) 0xfc00);
              v.setSafe(4, (short) 0x7e00);
              v.setValueCount(5);
            },
            "1.0 ; 5.9604645E-8 ; 65504.0 ; \"-Infinity\" ; \"NaN\"",
            "1.0 ; 5.9604645E-8 ; 65504.0 ; -Infinity ; NaN"),
        column(
            "float32 with shortest digits",
            new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE),
            Float4Vector.class,
            v -> {
              v.setSafe(0, 0.1f);
              v.setSafe(1, -0.0f);
              v.setSafe(2, Float.MIN_VALUE);
              v.setSafe(3, Float.NaN);
              v.setSafe(4, Float.POSITIVE_INFINITY);
              v.setValueCount(5);
            },
            "0.1 ; -0.0 ; 1.4E-45 ; \"NaN\" ; \"Infinity\"",
            "0.1 ; -0.0 ; 1.4E-45 ; NaN ; Infinity"),
        column(
            "float64 with shortest digits",
            new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE),
            Float8Vector.class,
            v -> {
              v.setSafe(0, 0.1);
              v.setSafe(1, 2.0E-3);
              v.setSafe(2, Double.MAX_VALUE);
              v.setSafe(3, Double.NEGATIVE_INFINITY);
              v.setValueCount(4);
            },
            "0.1 ; 0.002 ; 1.7976931348623157E308 ; \"-Infinity\"",
            "0.1 ; 0.002 ; 1.7976931348623157E308 ; -Infinity"),
        column(
            "decimal128, all digits of the scale",
            new ArrowType.Decimal(38, 2, 128),
            DecimalVector.class,
            v -> {
              v.setSafe(0, new BigDecimal("1.20"));
              v.setSafe(1, new BigDecimal("-999999999999999999999999999999999999.99"));
              v.setSafe(2, new BigDecimal("0.00"));
              v.setValueCount(3);
            },
            "1.20 ; -999999999999999999999999999999999999.99 ; 0.00",
            "1.20 ; -999999999999999999999999999999999999.99 ; 0.00"),
        column(
            "decimal128 with a negative scale, without an exponent",
            new ArrowType.Decimal(5, -3, 128),
            DecimalVector.class,
            v -> {
              v.setSafe(0, new BigDecimal(BigInteger.valueOf(12), -3));
              v.setValueCount(1);
            },
            "12000",
            "12000"),
        column(
            "decimal256",
            new ArrowType.Decimal(76, 1, 256),
            Decimal256Vector.class,
            v -> {
              v.setSafe(0, new BigDecimal("-" + "9".repeat(75) + ".9"));
              v.setValueCount(1);
            },
            "-" + "9".repeat(75) + ".9",
            "-" + "9".repeat(75) + ".9"),
        column(
            "utf8",
            ArrowType.Utf8.INSTANCE,
            VarCharVector.class,
            v -> {
              v.setSafe(0, "plain".getBytes(UTF_8));
              v.setSafe(1, "a,b \"c\"".getBytes(UTF_8));
              v.setSafe(2, "".getBytes(UTF_8));
              v.setNull(3);
              v.setSafe(4, "schön 🐋".getBytes(UTF_8));
              v.setSafe(5, "tab\tquote'".getBytes(UTF_8));
              v.setSafe(6, "x".repeat(300).getBytes(UTF_8));
              v.setValueCount(7);
            },
            "\"plain\" ; \"a,b \\\"c\\\"\" ; \"\" ; null ; \"schön 🐋\" ; \"tab\\tquote'\" ; \""
                + "x".repeat(300)
                + "\"",
            "plain ; \"a,b \"\"c\"\"\" ; \"\" ;  ; schön 🐋 ; tab\tquote' ; " + "x".repeat(300)),
        column(
            "malformed utf8 stays printable",
            ArrowType.Utf8.INSTANCE,
            VarCharVector.class,
            v -> {
              v.setSafe(0, new byte[] {'a', (byte) 0xff, 'b'});
              v.setValueCount(1);
            },
            "\"a\uFFFDb\"",
            "a\uFFFDb"),
        column(
            "large_utf8",
            ArrowType.LargeUtf8.INSTANCE,
            LargeVarCharVector.class,
            v -> {
              v.setSafe(0, "ab".getBytes(UTF_8));
              v.setSafe(1, "cde".getBytes(UTF_8));
              v.setValueCount(3);
            },
            "\"ab\" ; \"cde\" ; null",
            "ab ; cde ; "),
        column(
            "binary as base64",
            ArrowType.Binary.INSTANCE,
            VarBinaryVector.class,
            v -> {
              v.setSafe(0, new byte[] {0, (byte) 0xff, (byte) 0xfe, (byte) 0xfb});
              v.setSafe(1, new byte[0]);
              v.setValueCount(3);
            },
            "\"AP/++w==\" ; \"\" ; null",
            "AP/++w== ; \"\" ; "),
        column(
            "large_binary as base64",
            ArrowType.LargeBinary.INSTANCE,
            LargeVarBinaryVector.class,
            v -> {
              v.setSafe(0, new byte[] {1, 2, 3});
              v.setValueCount(1);
            },
            "\"AQID\"",
            "AQID"),
        column(
            "fixed_size_binary as base64",
            new ArrowType.FixedSizeBinary(3),
            FixedSizeBinaryVector.class,
            v -> {
              v.setSafe(0, new byte[] {1, 2, 3});
              v.setSafe(1, new byte[] {4, 5, 6});
              v.setValueCount(2);
            },
            "\"AQID\" ; \"BAUG\"",
            "AQID ; BAUG"));
  }

  private static <V extends FieldVector> Arguments column(
      String claim, ArrowType type, Class<V> vector, Consumer<V> fill, String json, String csv) {
    Consumer<FieldVector> any = v -> fill.accept(vector.cast(v));
    return Arguments.of(claim, type, any, json, csv);
  }
}
