package dev.narwhal.cli.rows;

import static dev.narwhal.cli.rows.Batches.NO_DICTIONARIES;
import static dev.narwhal.cli.rows.Batches.field;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.IntervalDayVector;
import org.apache.arrow.vector.IntervalMonthDayNanoVector;
import org.apache.arrow.vector.IntervalYearVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TemporalRowsTest {
  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("values")
  void writesStoredNumbersAsIso(ArrowType type, long stored, String expected) throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot batch =
            Batches.batch(
                allocator, field("x", type), BaseFixedWidthVector.class, v -> set(v, stored))) {
      assertThat(Batches.json(batch, NO_DICTIONARIES)).isEqualTo("{\"x\":" + expected + "}\n");
    }
  }

  static Stream<Arguments> values() {
    ArrowType days = new ArrowType.Date(DateUnit.DAY);
    ArrowType millis = new ArrowType.Date(DateUnit.MILLISECOND);
    return Stream.of(
        Arguments.of(days, 0, "\"1970-01-01\""),
        Arguments.of(days, -1, "\"1969-12-31\""),
        Arguments.of(days, 20_484, "\"2026-01-31\""),
        Arguments.of(days, Integer.MAX_VALUE, "\"+5881580-07-11\""),
        Arguments.of(days, Integer.MIN_VALUE, "\"-5877641-06-23\""),
        Arguments.of(millis, -86_400_000L, "\"1969-12-31\""),
        Arguments.of(millis, 86_400_001L, "\"1970-01-02T00:00:00.001\""),
        Arguments.of(time(TimeUnit.SECOND, 32), 86_399, "\"23:59:59\""),
        Arguments.of(time(TimeUnit.MILLISECOND, 32), 36_000_000, "\"10:00:00\""),
        Arguments.of(time(TimeUnit.MILLISECOND, 32), 36_000_050, "\"10:00:00.050\""),
        Arguments.of(time(TimeUnit.MICROSECOND, 64), 1, "\"00:00:00.000001\""),
        Arguments.of(time(TimeUnit.NANOSECOND, 64), 86_399_999_999_999L, "\"23:59:59.999999999\""),
        Arguments.of(time(TimeUnit.SECOND, 32), 86_400, "86400"),
        Arguments.of(time(TimeUnit.NANOSECOND, 64), -1, "-1"),
        Arguments.of(timestamp(TimeUnit.SECOND, null), 0, "\"1970-01-01T00:00:00\""),
        Arguments.of(timestamp(TimeUnit.SECOND, "UTC"), 0, "\"1970-01-01T00:00:00Z\""),
        Arguments.of(
            timestamp(TimeUnit.MILLISECOND, "Europe/Berlin"), -1, "\"1969-12-31T23:59:59.999Z\""),
        Arguments.of(timestamp(TimeUnit.MICROSECOND, null), -1, "\"1969-12-31T23:59:59.999999\""),
        Arguments.of(
            timestamp(TimeUnit.NANOSECOND, "+05:30"),
            Long.MIN_VALUE,
            "\"1677-09-21T00:12:43.145224192Z\""),
        Arguments.of(
            timestamp(TimeUnit.MICROSECOND, null),
            Long.MAX_VALUE,
            "\"+294247-01-10T04:00:54.775807\""),
        Arguments.of(timestamp(TimeUnit.SECOND, null), Long.MAX_VALUE, "9223372036854775807"),
        Arguments.of(duration(TimeUnit.SECOND), 3_661, "\"PT1H1M1S\""),
        Arguments.of(duration(TimeUnit.MILLISECOND), -1_500, "\"PT-1.5S\""),
        Arguments.of(
            duration(TimeUnit.MICROSECOND), Long.MIN_VALUE, "\"PT-2562047788H-54.775808S\""),
        Arguments.of(duration(TimeUnit.NANOSECOND), 1, "\"PT0.000000001S\""));
  }

  @Test
  void writesIntervalsAsIso() throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot months =
            Batches.batch(
                allocator,
                field("x", new ArrowType.Interval(IntervalUnit.YEAR_MONTH)),
                IntervalYearVector.class,
                v -> {
                  v.setSafe(0, 14);
                  v.setValueCount(1);
                });
        VectorSchemaRoot days =
            Batches.batch(
                allocator,
                field("x", new ArrowType.Interval(IntervalUnit.DAY_TIME)),
                IntervalDayVector.class,
                v -> {
                  v.setSafe(0, 3, 4_500);
                  v.setValueCount(1);
                });
        VectorSchemaRoot nanos =
            Batches.batch(
                allocator,
                field("x", new ArrowType.Interval(IntervalUnit.MONTH_DAY_NANO)),
                IntervalMonthDayNanoVector.class,
                v -> {
                  v.setSafe(0, 1, 2, 3_000_000_000L);
                  v.setValueCount(1);
                })) {
      assertThat(Batches.json(months, NO_DICTIONARIES)).isEqualTo("{\"x\":\"P1Y2M\"}\n");
      assertThat(Batches.json(days, NO_DICTIONARIES)).isEqualTo("{\"x\":\"P3DT4.5S\"}\n");
      assertThat(Batches.json(nanos, NO_DICTIONARIES)).isEqualTo("{\"x\":\"P1M2DT3S\"}\n");
    }
  }

  private static void set(BaseFixedWidthVector vector, long stored) {
    BitVectorHelper.setBit(vector.getValidityBuffer(), 0);
    if (vector.getTypeWidth() == 4) {
      vector.getDataBuffer().setInt(0, Math.toIntExact(stored));
    } else {
      vector.getDataBuffer().setLong(0, stored);
    }
    vector.setValueCount(1);
  }

  private static ArrowType time(TimeUnit unit, int bits) {
    return new ArrowType.Time(unit, bits);
  }

  private static ArrowType timestamp(
      TimeUnit unit, @org.jspecify.annotations.Nullable String zone) {
    return new ArrowType.Timestamp(unit, zone);
  }

  private static ArrowType duration(TimeUnit unit) {
    return new ArrowType.Duration(unit);
  }
}
