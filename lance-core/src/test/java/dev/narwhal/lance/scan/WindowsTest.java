package dev.narwhal.lance.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 65536",
    "8, 65536",
    "129, 32768",
    "3000, 2048",
    "8388608, 1",
    "8388609, 1",
    "9223372036854775807, 1"
  })
  void rowsArePowersOfTwoThatFillTheTarget(long rowBytes, int rows) {
    assertThat(Windows.rows(rowBytes)).isEqualTo(rows);
  }

  @ParameterizedTest
  @CsvSource({
    "65536, 65536, 8388609, 32768",
    "65536, 65536, 131072000, 4096",
    "65536, 10, 16777216, 4",
    "2, 2, 9223372036854775807, 1"
  })
  void tooLargeAWindowIsAtLeastHalved(int rows, int count, long bytes, int fewer) {
    assertThat(Windows.fewer(rows, count, bytes)).isEqualTo(fewer);
  }

  @Test
  void widthsBeyondAnyIntegerAreOneRow() {
    Field list = list(1 << 30, list(1 << 30, list(1 << 30, leaf())));
    assertThat(Windows.varies(list)).isFalse();
    assertThat(Windows.rows(Windows.fixedBytes(List.of(list)))).isEqualTo(1);
  }

  @Test
  void onlyWhatVariesIsLeftToThePages() {
    Field text = new Field("s", FieldType.nullable(new ArrowType.Utf8()), null);
    Field struct = new Field("t", FieldType.nullable(new ArrowType.Struct()), List.of(text));
    assertThat(Windows.varies(struct)).isTrue();
    assertThat(Windows.fixedBytes(List.of(struct, list(100, leaf()), text))).isEqualTo(800);
  }

  private static Field leaf() {
    ArrowType type = new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
    return new Field("item", FieldType.nullable(type), null);
  }

  private static Field list(int size, Field item) {
    return new Field("l", FieldType.nullable(new ArrowType.FixedSizeList(size)), List.of(item));
  }
}
