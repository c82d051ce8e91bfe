package dev.narwhal.lance.datafile.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Builders against a plain list of values, for each shape. */
class VectorBuilderTest {
  private static final int SLOTS = 50;
  private static final int ROWS = 3000;

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.narwhal.lance.RandomSeeds#seeds")
  void fillsVectorsAsAListIsFilled(long seed) {
    for (Field field :
        List.of(
            leaf(new ArrowType.Bool()),
            leaf(new ArrowType.Int(8, true)),
            leaf(new ArrowType.Int(16, true)),
            leaf(new ArrowType.Int(32, true)),
            leaf(new ArrowType.Int(64, true)),
            leaf(new ArrowType.Decimal(38, 0, 128)),
            leaf(new ArrowType.FixedSizeBinary(3)),
            leaf(new ArrowType.Utf8()),
            leaf(new ArrowType.LargeBinary()),
            list(2, list(3, leaf(new ArrowType.Int(32, true)))),
            list(5, leaf(new ArrowType.Bool())),
            leaf(new ArrowType.Null()))) {
      fill(field, new Random(seed));
    }
  }

  private static void fill(Field field, Random random) {
    ValueShape shape = ValueShape.of(field);
    List<@Nullable Object> model = new ArrayList<>();
    boolean grows = random.nextBoolean();
    try (BufferAllocator allocator = new RootAllocator();
        VectorBuilder builder = VectorBuilder.of(shape, grows ? 0 : ROWS, allocator)) {
      while (builder.rows() < ROWS) {
        if (grows) {
          builder.reserve(Math.min(ROWS - builder.rows(), 200));
        }
        append(shape, builder, model, random);
      }
      nullSome(builder, model, random);
      try (FieldVector vector = builder.build(field, allocator)) {
        vector.validate();
        List<@Nullable Object> found = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
          found.add(ShapeValues.at(vector, i));
        }
        assertThat(found).as(field.toString()).isEqualTo(model);
      }
    }
  }

  private static void append(
      ValueShape shape, VectorBuilder builder, List<@Nullable Object> model, Random random) {
    int most = ROWS - builder.rows();
    if (shape instanceof ValueShape.Nothing) {
      int count = Math.min(most, 1 + random.nextInt(100));
      builder.appendEmpty(count);
      for (int i = 0; i < count; i++) {
        model.add(null);
      }
      return;
    }
    ShapeValues source = ShapeValues.random(shape, SLOTS, random);
    switch (random.nextInt(4)) {
      case 0 -> {
        int from = random.nextInt(SLOTS);
        int count = Math.min(most, random.nextInt(SLOTS - from + 1));
        builder.append(source.values(), from, count);
        model.addAll(source.plain().subList(from, from + count));
      }
      case 1 -> {
        int count = Math.min(most, random.nextInt(200));
        int[] indices = random.ints(count + 2L, 0, SLOTS).toArray();
        builder.gather(source.values(), indices, 2, count);
        for (int i = 2; i < count + 2; i++) {
          model.add(source.plain().get(indices[i]));
        }
      }
      case 2 -> {
        int count = Math.min(most, random.nextInt(100));
        int index = random.nextInt(SLOTS);
        builder.repeat(source.values(), index, count);
        for (int i = 0; i < count; i++) {
          model.add(source.plain().get(index));
        }
      }
      default -> {
        int count = Math.min(most, random.nextInt(10));
        builder.validity().setNull(builder.rows(), count);
        if (random.nextBoolean()) {
          builder.appendEmpty(count);
        } else {
          int[] none = random.ints(count, -1, 0).toArray();
          builder.gather(source.values(), none, 0, count);
        }
        for (int i = 0; i < count; i++) {
          model.add(null);
        }
      }
    }
  }

  private static void nullSome(VectorBuilder builder, List<@Nullable Object> model, Random random) {
    int at = random.nextInt(ROWS - 200);
    short[] levels = new short[200];
    for (int i = 0; i < 150; i++) {
      levels[i + 50] = (short) random.nextInt(3);
      if (levels[i + 50] != 0) {
        model.set(at + i, null);
      }
    }
    for (int i = 0; i < 150; i++) {
      // rows that were null before stay so: levels write both ways
      if (!builder.validity().isValid(at + i)) {
        levels[i + 50] = 1;
      }
    }
    builder.validity().fromLevels(at, levels, 50, 150);
    assertThat(builder.validity().nullCount(builder.rows())).isGreaterThanOrEqualTo(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 63, 64, 65})
  void startsWithAllSlotsValid(int rows) {
    try (BufferAllocator allocator = new RootAllocator();
        VectorBuilder builder = VectorBuilder.of(new ValueShape.Bit(), rows, allocator)) {
      builder.appendEmpty(rows);
      try (FieldVector vector = builder.build(leaf(new ArrowType.Bool()), allocator)) {
        assertThat(vector.getNullCount()).isZero();
        assertThat(vector.getValueCount()).isEqualTo(rows);
      }
    }
  }

  @Test
  void refusesVectorsOf2GiB() {
    try (BufferAllocator allocator = new RootAllocator()) {
      assertThatThrownBy(() -> VectorBuilder.of(new ValueShape.FixedWidth(32), 1 << 26, allocator))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("smaller batches");
      ValueShape lists = new ValueShape.FixedList(1 << 30, new ValueShape.FixedWidth(4));
      assertThatThrownBy(() -> VectorBuilder.of(lists, 2, allocator))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("smaller batches");
    }
  }

  @Test
  void refusesByteStringsOf2GiB() {
    try (BufferAllocator allocator = new RootAllocator();
        VectorBuilder builder = VectorBuilder.of(new ValueShape.Variable(32), 1 << 12, allocator)) {
      Values values = new VariableValues(ByteBuffer.allocate(1 << 20), new int[] {0, 1 << 20}, 1);
      assertThatThrownBy(() -> builder.repeat(values, 0, 1 << 12))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("smaller batches");
    }
  }

  @Test
  void valuesCheckTheirBytes() {
    ByteBuffer seven = ByteBuffer.allocate(7).order(ByteOrder.LITTLE_ENDIAN);
    assertThatThrownBy(() -> new FixedValues(seven, 4, 2)).isInstanceOf(LanceFormatException.class);
    assertThatThrownBy(() -> new BitValues(seven, 57)).isInstanceOf(LanceFormatException.class);
    assertThatThrownBy(() -> new VariableValues(seven, new int[] {0, 8}, 1))
        .isInstanceOf(LanceFormatException.class);
    assertThatThrownBy(() -> new VariableValues(seven, new int[] {0, 5, 4}, 2))
        .isInstanceOf(LanceFormatException.class);
    assertThatThrownBy(() -> new VariableValues(seven, new int[] {-1, 5}, 1))
        .isInstanceOf(LanceFormatException.class);
    Values items = new FixedValues(seven, 1, 7);
    assertThatThrownBy(() -> new ListValues(2, items, 4)).isInstanceOf(LanceFormatException.class);
    assertThatThrownBy(() -> new ListValues(3, items, ByteBuffer.allocate(0), 2))
        .isInstanceOf(LanceFormatException.class);
  }

  private static Field leaf(ArrowType type) {
    return new Field("x", FieldType.nullable(type), List.of());
  }

  private static Field list(int size, Field item) {
    return new Field("x", FieldType.nullable(new ArrowType.FixedSizeList(size)), List.of(item));
  }

  @Test
  void knowsTheWidthOfEveryLeaf() {
    assertThat(ValueShape.of(leaf(new ArrowType.FloatingPoint(FloatingPointPrecision.HALF))))
        .isEqualTo(new ValueShape.FixedWidth(2));
    assertThatThrownBy(() -> ValueShape.of(list(2, leaf(new ArrowType.Utf8()))))
        .isInstanceOf(UnsupportedFeatureException.class);
    assertThatThrownBy(() -> ValueShape.of(leaf(new ArrowType.Struct())))
        .isInstanceOf(UnsupportedFeatureException.class);
  }
}
