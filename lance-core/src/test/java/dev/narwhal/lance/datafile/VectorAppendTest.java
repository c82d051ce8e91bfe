package dev.narwhal.lance.datafile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VectorAppendTest {
  private static final Field INTS = nullable("x", new ArrowType.Int(32, true));
  private static final Field LARGE = nullable("large", ArrowType.LargeList.INSTANCE, INTS);

  static List<Field> fields() {
    Field list = nullable("list", ArrowType.List.INSTANCE, INTS);
    Field struct = nullable("struct", ArrowType.Struct.INSTANCE, INTS, LARGE);
    return List.of(
        INTS,
        list,
        LARGE,
        struct,
        nullable("lists", ArrowType.List.INSTANCE, LARGE),
        nullable("larges", ArrowType.LargeList.INSTANCE, LARGE),
        nullable("larges", ArrowType.LargeList.INSTANCE, struct),
        nullable("pairs", new ArrowType.FixedSizeList(2), LARGE));
  }

  @ParameterizedTest
  @MethodSource("fields")
  void theValuesOfOneFollowThoseOfTheOther(Field field) {
    try (BufferAllocator allocator = new RootAllocator();
        FieldVector target = filled(field, allocator, 7, 1);
        FieldVector more = filled(field, allocator, 100, 2);
        FieldVector none = filled(field, allocator, 0, 3)) {
      List<Object> expected = new ArrayList<>(values(target));
      expected.addAll(values(more));
      List<Object> added = values(more);
      VectorAppend.append(target, none);
      VectorAppend.append(target, more);
      VectorAppend.append(target, none);
      assertThat(values(target)).isEqualTo(expected);
      assertThat(values(more)).isEqualTo(added);
      target.validate();
    }
  }

  @ParameterizedTest
  @MethodSource("fields")
  void anEmptyVectorBecomesTheOther(Field field) {
    try (BufferAllocator allocator = new RootAllocator();
        FieldVector target = filled(field, allocator, 0, 1);
        FieldVector more = filled(field, allocator, 20, 2)) {
      VectorAppend.append(target, more);
      assertThat(values(target)).isEqualTo(values(more));
    }
  }

  private static Field nullable(String name, ArrowType type, Field... children) {
    return new Field(name, FieldType.nullable(type), List.of(children));
  }

  private static FieldVector filled(Field field, BufferAllocator allocator, int rows, int seed) {
    FieldVector vector = field.createVector(allocator);
    vector.allocateNew();
    fill(vector, rows, seed);
    return vector;
  }

  /** Every fourth slot is null; lists have 0 to 2 items. */
  private static void fill(FieldVector vector, int rows, int seed) {
    if (vector instanceof IntVector ints) {
      for (int i = 0; i < rows; i++) {
        if (i % 4 == 3) {
          ints.setNull(i);
        } else {
          ints.setSafe(i, 1000 * seed + i);
        }
      }
    } else if (vector instanceof ListVector lists) {
      int items = 0;
      for (int i = 0; i < rows; i++) {
        if (i % 4 == 3) {
          lists.setNull(i);
        } else {
          lists.startNewValue(i);
          lists.endValue(i, i % 3);
          items += i % 3;
        }
      }
      fill(lists.getDataVector(), items, seed);
    } else if (vector instanceof LargeListVector lists) {
      int items = 0;
      for (int i = 0; i < rows; i++) {
        if (i % 4 == 3) {
          lists.setNull(i);
        } else {
          lists.startNewValue(i);
          lists.endValue(i, i % 3);
          items += i % 3;
        }
      }
      fill(lists.getDataVector(), items, seed);
    } else if (vector instanceof FixedSizeListVector lists) {
      for (int i = 0; i < rows; i++) {
        if (i % 4 != 3) {
          lists.setNotNull(i);
        }
      }
      fill(lists.getDataVector(), 2 * rows, seed);
    } else if (vector instanceof StructVector structs) {
      for (FieldVector child : structs.getChildrenFromFields()) {
        fill(child, rows, seed);
      }
      for (int i = 0; i < rows; i++) {
        if (i % 4 == 3) {
          structs.setNull(i);
        } else {
          structs.setIndexDefined(i);
        }
      }
    }
    vector.setValueCount(rows);
  }

  private static List<Object> values(FieldVector vector) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < vector.getValueCount(); i++) {
      values.add(String.valueOf(vector.getObject(i)));
    }
    return values;
  }
}
