package dev.narwhal.iceberg.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeNanoVector;
import org.apache.arrow.vector.TimeSecVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ColumnValuesTest {
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  /** A vector of one value, as row 1000 of column c. */
  private <V extends FieldVector> void withValue(
      ArrowType type, Class<V> kind, Consumer<V> setter, Consumer<ColumnValues> check) {
    Field field = Field.nullable("c", type);
    try (FieldVector vector = field.createVector(allocator)) {
      vector.allocateNew();
      setter.accept(kind.cast(vector));
      vector.setValueCount(1);
      ColumnValues values = values(field);
      values.bind(vector, 1000);
      check.accept(values);
    }
  }

  private static ColumnValues values(Field field) {
    return ColumnValues.of(
        TableMapping.of(List.of(SourceField.of(0, field)), MappingRules.ofVersion(3))
            .columns()
            .get(0));
  }

  private static void assertFault(Runnable read, String message) {
    assertThatThrownBy(read::run)
        .isInstanceOf(UnmappableValueException.class)
        .hasMessageStartingWith("column c, row 1000: ")
        .hasMessageContaining(message);
  }

  private static long asLong(ColumnValues values) {
    return ((LongValues) values).get(0);
  }

  @ParameterizedTest
  @CsvSource({"SECOND, 9223372036854, 1000000", "MILLISECOND, 9223372036854775, 1000"})
  void timestampsUpToTheEdgeOfMicrosecondsMapAndBeyondAreFaults(
      TimeUnit unit, long largest, long factor) {
    ArrowType type = new ArrowType.Timestamp(unit, null);
    withValue(
        type,
        TimeStampVector.class,
        v -> v.set(0, largest),
        values -> assertThat(asLong(values)).isEqualTo(largest * factor));
    withValue(
        type,
        TimeStampVector.class,
        v -> v.set(0, -largest),
        values -> assertThat(asLong(values)).isEqualTo(-largest * factor));
    for (long tooLarge : new long[] {largest + 1, -largest - 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
      withValue(
          type,
          TimeStampVector.class,
          v -> v.set(0, tooLarge),
          values -> assertFault(() -> asLong(values), "out of the range of 64-bit microseconds"));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = TimeUnit.class,
      names = {"MICROSECOND", "NANOSECOND"})
  void fineTimestampsKeepAll64Bits(TimeUnit unit) {
    withValue(
        new ArrowType.Timestamp(unit, "UTC"),
        TimeStampVector.class,
        v -> v.set(0, Long.MIN_VALUE),
        values -> assertThat(asLong(values)).isEqualTo(Long.MIN_VALUE));
  }

  @Test
  void nanosecondTimesMustBeWholeMicroseconds() {
    ArrowType type = new ArrowType.Time(TimeUnit.NANOSECOND, 64);
    withValue(
        type,
        TimeNanoVector.class,
        v -> v.set(0, 86_399_999_999_000L),
        values -> assertThat(asLong(values)).isEqualTo(86_399_999_999L));
    withValue(
        type,
        TimeNanoVector.class,
        v -> v.set(0, 1_001),
        values -> assertFault(() -> asLong(values), "1001 ns is not whole microseconds"));
  }

  @Test
  void timesMustLieWithinADay() {
    withValue(
        new ArrowType.Time(TimeUnit.SECOND, 32),
        TimeSecVector.class,
        v -> v.set(0, 86_400),
        values -> assertFault(() -> asLong(values), "not within a day"));
    withValue(
        new ArrowType.Time(TimeUnit.MICROSECOND, 64),
        TimeMicroVector.class,
        v -> v.set(0, -1),
        values -> assertFault(() -> asLong(values), "not within a day"));
  }

  @Test
  void date64MustBeWholeDaysWithinTheRangeOfDates() {
    ArrowType type = new ArrowType.Date(DateUnit.MILLISECOND);
    withValue(
        type,
        DateMilliVector.class,
        v -> v.set(0, -86_400_000L),
        values -> assertThat(((IntValues) values).get(0)).isEqualTo(-1));
    withValue(
        type,
        DateMilliVector.class,
        v -> v.set(0, 86_400_001L),
        values -> assertFault(() -> ((IntValues) values).get(0), "not on a day's boundary"));
    withValue(
        type,
        DateMilliVector.class,
        v -> v.set(0, 86_400_000L << 32),
        values -> assertFault(() -> ((IntValues) values).get(0), "range of Iceberg dates"));
  }

  @ParameterizedTest
  @CsvSource({"1", "9", "10", "18", "19", "37", "38"})
  void decimalsOfTooManyDigitsAreFaults(int precision) {
    BigInteger limit = BigInteger.TEN.pow(precision);
    for (BigInteger sign : List.of(BigInteger.ONE, BigInteger.ONE.negate())) {
      withDecimal(
          precision,
          limit.subtract(BigInteger.ONE).multiply(sign),
          values -> {
            values.load(0);
            assertThat(unscaled(values)).isEqualTo(limit.subtract(BigInteger.ONE).multiply(sign));
          });
      withDecimal(
          precision,
          limit.multiply(sign),
          values -> assertFault(() -> values.load(0), "more than its type's " + precision));
    }
  }

  private void withDecimal(int precision, BigInteger value, Consumer<DecimalValues> check) {
    byte[] bigEndian = value.toByteArray();
    withValue(
        new ArrowType.Decimal(precision, 0, 128),
        DecimalVector.class,
        v -> v.setBigEndian(0, bigEndian),
        values -> check.accept((DecimalValues) values));
    withValue(
        new ArrowType.Decimal(precision, 0, 256),
        Decimal256Vector.class,
        v -> v.setBigEndian(0, bigEndian),
        values -> check.accept((DecimalValues) values));
  }

  private static BigInteger unscaled(DecimalValues values) {
    return BigInteger.valueOf(values.high())
        .shiftLeft(64)
        .add(new BigInteger(Long.toUnsignedString(values.low())));
  }

  @Test
  void decimal256BeyondItsLower128BitsIsAFault() {
    withValue(
        new ArrowType.Decimal(38, 0, 256),
        Decimal256Vector.class,
        v -> v.setBigEndian(0, BigInteger.ONE.shiftLeft(200).toByteArray()),
        values -> assertFault(() -> ((DecimalValues) values).load(0), "more than"));
    withValue(
        new ArrowType.Decimal(38, 2, 256),
        Decimal256Vector.class,
        v -> v.set(0, new BigDecimal("-1.25")),
        values -> {
          ((DecimalValues) values).load(0);
          assertThat(unscaled((DecimalValues) values)).isEqualTo(-125);
        });
  }

  @ParameterizedTest
  @CsvSource({"ff", "c3", "e28028", "f09fa6", "6161eda08061"})
  void textThatIsNoUtf8IsAFault(String hex) {
    byte[] bytes = java.util.HexFormat.of().parseHex(hex);
    withValue(
        new ArrowType.Utf8(),
        VarCharVector.class,
        v -> v.setSafe(0, bytes),
        values -> assertFault(() -> ((BytesValues) values).load(0), "no UTF-8"));
  }

  @Test
  void refusesAVectorOfAnotherType() {
    try (IntVector vector = new IntVector("c", allocator)) {
      ColumnValues values = values(Field.nullable("c", new ArrowType.Utf8()));
      assertThatThrownBy(() -> values.bind(vector, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("column c")
          .hasMessageContaining("Int(32, true)");
    }
  }
}
