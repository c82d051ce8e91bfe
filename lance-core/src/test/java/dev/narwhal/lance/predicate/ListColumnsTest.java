package dev.narwhal.lance.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lists of each layout: {@code [1, 2], null, [3, null], [1, 1]}. */
class ListColumnsTest {
  static Stream<ArrowType> layouts() {
    return Stream.of(
        ArrowType.List.INSTANCE, ArrowType.LargeList.INSTANCE, new ArrowType.FixedSizeList(2));
  }

  private static void fill(FieldVector vector) {
    BigIntVector items;
    if (vector instanceof ListVector list) {
      items = (BigIntVector) list.getDataVector();
      for (int row : new int[] {0, 2, 3}) {
        list.startNewValue(row);
        list.endValue(row, 2);
      }
    } else if (vector instanceof LargeListVector list) {
      items = (BigIntVector) list.getDataVector();
      for (int row : new int[] {0, 2, 3}) {
        list.startNewValue(row);
        list.endValue(row, 2);
      }
    } else {
      FixedSizeListVector list = (FixedSizeListVector) vector;
      items = (BigIntVector) list.getDataVector();
      for (int row : new int[] {0, 2, 3}) {
        list.startNewValue(row);
      }
    }
    // in a fixed-size list the null row has its items too
    int hidden = vector instanceof FixedSizeListVector ? 2 : 0;
    long[] values = {1, 2, 3, -1, 1, 1};
    for (int i = 0; i < values.length; i++) {
      int item = i < 2 ? i : i + hidden;
      if (values[i] < 0) {
        items.setNull(item);
      } else {
        items.setSafe(item, values[i]);
      }
    }
    vector.setValueCount(4);
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void areSearchedAndMeasured(ArrowType layout) {
    try (BufferAllocator allocator = new RootAllocator();
        FieldVector vector =
            SampleRows.field("l", layout, SampleRows.integer("item", 64, true))
                .createVector(allocator)) {
      vector.allocateNew();
      fill(vector);
      Schema schema = new Schema(List.of(vector.getField()));
      Map.of(
              "array_has(l, 1)", List.of(0, 3),
              "NOT array_has(l, 1)", List.of(2),
              "array_has_any(l, [2, 3])", List.of(0, 2),
              "array_has_all(l, [1, 2])", List.of(0),
              "array_length(l) = 2", List.of(0, 2, 3),
              "l[2] IS NULL", List.of(1, 2),
              "l[-1] = 1", List.of(3),
              "array_position(l, 2) = 2", List.of(0),
              "l IS NULL", List.of(1),
              "array_has(l, l[1])", List.of(0, 2, 3))
          .forEach(
              (where, rows) ->
                  assertThat(
                          Predicate.parse(where, schema)
                              .evaluate(Map.of("l", vector), 4)
                              .toOffsets())
                      .as(where)
                      .containsExactly(rows.stream().mapToInt(Integer::intValue).toArray()));
    }
  }
}
