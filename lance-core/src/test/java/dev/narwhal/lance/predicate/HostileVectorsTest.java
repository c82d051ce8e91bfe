package dev.narwhal.lance.predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.impl.UnionListWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Offsets that lead out of a buffer are refused before memory is read by them. */
class HostileVectorsTest {
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void close() {
    allocator.close();
  }

  private static void evaluate(String where, FieldVector vector, int rows) {
    Schema schema = new Schema(List.of(vector.getField()));
    Predicate.parse(where, schema).evaluate(Map.of(vector.getName(), vector), rows);
  }

  @ParameterizedTest
  @CsvSource({"0,5,2,9", "0,-1,2,3", "-4,0,1,2", "0,1,2,100000000", "0,1,2147483647,-2147483648"})
  void refusesOffsetsOfStrings(int first, int second, int third, int fourth) {
    try (VarCharVector vector = new VarCharVector("s", allocator)) {
      for (int row = 0; row < 3; row++) {
        vector.setSafe(row, new byte[] {'a'});
      }
      vector.setValueCount(3);
      evaluate("s = 'a'", vector, 3);
      int[] offsets = {first, second, third, fourth};
      for (int i = 0; i < 4; i++) {
        vector.getOffsetBuffer().setInt(4L * i, offsets[i]);
      }
      for (String where :
          List.of("s = 'a'", "s LIKE 'a%'", "s LIKE '%a'", "s IN ('a')", "s > 'a'")) {
        assertThatThrownBy(() -> evaluate(where, vector, 3))
            .as(where)
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  @Test
  void refusesLargeOffsetsPastTheirRange() {
    try (LargeVarCharVector vector = new LargeVarCharVector("s", allocator)) {
      vector.setSafe(0, new byte[] {'a'});
      vector.setValueCount(1);
      for (long offset : new long[] {1L << 32, Long.MAX_VALUE, -1, Long.MIN_VALUE}) {
        vector.getOffsetBuffer().setLong(8, offset);
        assertThatThrownBy(() -> evaluate("s = 'a'", vector, 1))
            .isInstanceOf(IllegalArgumentException.class);
      }
      vector.getOffsetBuffer().setLong(8, 1);
    }
  }

  @Test
  void takesStringsThatDoNotBeginAtOffsetZero() {
    try (VarCharVector vector = new VarCharVector("s", allocator)) {
      vector.setSafe(0, new byte[] {'x', 'y', 'a', 'b'});
      vector.setValueCount(1);
      vector.getOffsetBuffer().setInt(0, 2);
      Schema schema = new Schema(List.of(vector.getField()));
      Map<String, FieldVector> columns = Map.of("s", vector);
      for (String where :
          List.of("s = 'ab'", "s LIKE 'a%'", "s LIKE '%b'", "s IN ('ab')", "s < 'ac'")) {
        assertThat(Predicate.parse(where, schema).evaluate(columns, 1).cardinality())
            .as(where)
            .isOne();
      }
    }
  }

  @Test
  void refusesOffsetsOfLists() {
    try (ListVector vector = ListVector.empty("l", allocator)) {
      UnionListWriter writer = vector.getWriter();
      writer.startList();
      writer.bigInt().writeBigInt(1);
      writer.endList();
      writer.setValueCount(1);
      assertThat(vector.getField().getType()).isEqualTo(ArrowType.List.INSTANCE);
      evaluate("array_has(l, 1)", vector, 1);
      for (int offset : new int[] {2, -1, Integer.MAX_VALUE}) {
        vector.getOffsetBuffer().setInt(4, offset);
        assertThatThrownBy(() -> evaluate("array_has(l, 1)", vector, 1))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("a list of items");
      }
      vector.getOffsetBuffer().setInt(4, 1);
    }
  }
}
