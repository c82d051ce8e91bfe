package dev.narwhal.lance.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.ObjIntConsumer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.Types.MinorType;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VectorSelectionTest {
  private static final int ROWS = 1_000;

  /** Which rows are chosen: by structure, since run lengths decide the path taken. */
  enum Choice {
    NONE,
    ALL,
    FIRST,
    LAST,
    SCATTERED,
    DENSE,
    ALTERNATING,
    LONG_RUNS;

    long[] mask(Random random) {
      long[] words = new long[(ROWS + 63) / 64];
      for (int i = 0; i < ROWS; i++) {
        boolean chosen =
            switch (this) {
              case NONE -> false;
              case ALL -> true;
              case FIRST -> i == 0;
              case LAST -> i == ROWS - 1;
              case SCATTERED -> random.nextInt(20) == 0;
              case DENSE -> random.nextInt(20) != 0;
              case ALTERNATING -> (i & 1) == 1;
              case LONG_RUNS -> (i / 130) % 2 == 1;
            };
        if (chosen) {
          words[i >>> 6] |= 1L << i;
        }
      }
      return words;
    }
  }

  @ParameterizedTest
  @EnumSource(Choice.class)
  void copiesTheChosenRowsOfEveryKindOfVector(Choice choice) {
    try (BufferAllocator allocator = new RootAllocator()) {
      for (boolean nulls : new boolean[] {false, true}) {
        Random random = new Random(choice.name().hashCode());
        List<FieldVector> sources = sources(allocator, random, nulls);
        try {
          long[] mask = choice.mask(random);
          RowRuns runs = RowRuns.ofMask(mask, ROWS);
          for (FieldVector source : sources) {
            List<Object> expected = new ArrayList<>();
            for (int i = 0; i < ROWS; i++) {
              if ((mask[i >>> 6] >>> i & 1) == 1) {
                expected.add(source.getObject(i));
              }
            }
            try (FieldVector copy = VectorSelection.select(source, runs, allocator)) {
              List<Object> actual = new ArrayList<>();
              for (int i = 0; i < copy.getValueCount(); i++) {
                actual.add(copy.getObject(i));
              }
              assertThat(actual).as("%s, nulls %s", source.getField(), nulls).isEqualTo(expected);
              assertThat(runs.toOffsets()).hasSize(expected.size());
            }
          }
        } finally {
          sources.forEach(FieldVector::close);
        }
      }
    }
  }

  /** Arrow gives items that no list has no offsets at all, when it reads or slices a batch. */
  @Test
  void itemsThatNoListHasNeedNoBuffers() {
    try (BufferAllocator allocator = new RootAllocator()) {
      for (ArrowType items :
          List.of(new ArrowType.Utf8(), new ArrowType.LargeUtf8(), new ArrowType.List())) {
        for (ArrowType lists : List.of(new ArrowType.List(), new ArrowType.LargeList())) {
          Field below = Field.nullable("below", new ArrowType.Utf8());
          Field item =
              new Field(
                  "item",
                  FieldType.nullable(items),
                  items instanceof ArrowType.List ? List.of(below) : List.of());
          Field field = new Field("l", FieldType.nullable(lists), List.of(item));
          try (FieldVector source = field.createVector(allocator)) {
            ArrowBuf validity = allocator.buffer(1);
            ArrowBuf offsets = allocator.buffer(5 * Long.BYTES);
            validity.setByte(0, 0b1010);
            offsets.setZero(0, 5 * Long.BYTES);
            source.loadFieldBuffers(new ArrowFieldNode(4, 2), List.of(validity, offsets));
            validity.close();
            offsets.close();
            try (FieldVector copy = VectorSelection.select(source, new int[] {3, 0}, allocator)) {
              assertThat(copy.getValueCount()).isEqualTo(2);
              assertThat(copy.getObject(0)).isEqualTo(List.of());
              assertThat(copy.getObject(1)).isNull();
            }
          }
        }
      }
    }
  }

  private static List<FieldVector> sources(
      BufferAllocator allocator, Random random, boolean nulls) {
    List<FieldVector> sources = new ArrayList<>();
    sources.add(new NullVector("null", ROWS));
    BitVector bits = new BitVector("bit", allocator);
    sources.add(filled(bits, random, nulls, (v, i) -> v.setSafe(i, random.nextInt(2))));
    TinyIntVector bytes = new TinyIntVector("tiny", allocator);
    sources.add(filled(bytes, random, nulls, (v, i) -> v.setSafe(i, random.nextInt(256))));
    IntVector ints = new IntVector("int", allocator);
    sources.add(filled(ints, random, nulls, (v, i) -> v.setSafe(i, random.nextInt())));
    BigIntVector longs = new BigIntVector("long", allocator);
    sources.add(filled(longs, random, nulls, (v, i) -> v.setSafe(i, random.nextLong())));
    DecimalVector decimals = new DecimalVector("decimal", allocator, 38, 2);
    sources.add(
        filled(
            decimals,
            random,
            nulls,
            (v, i) -> v.setSafe(i, BigDecimal.valueOf(random.nextInt(), 2))));
    VarCharVector texts = new VarCharVector("text", allocator);
    sources.add(filled(texts, random, nulls, (v, i) -> v.setSafe(i, text(random))));
    LargeVarCharVector large = new LargeVarCharVector("large", allocator);
    sources.add(filled(large, random, nulls, (v, i) -> v.setSafe(i, text(random))));
    sources.add(fixedSizeLists(allocator, random, nulls));
    sources.add(lists(allocator, random, nulls));
    sources.add(largeLists(allocator, random, nulls));
    sources.add(structs(allocator, random, nulls));
    sources.add(childless(allocator, random, nulls));
    return sources;
  }

  private static <V extends FieldVector> V filled(
      V vector, Random random, boolean nulls, ObjIntConsumer<V> set) {
    vector.setInitialCapacity(ROWS);
    vector.allocateNew();
    for (int i = 0; i < ROWS; i++) {
      if (!nulls || random.nextInt(4) != 0) {
        set.accept(vector, i);
      }
    }
    vector.setValueCount(ROWS);
    return vector;
  }

  private static byte[] text(Random random) {
    return "x"
        .repeat(random.nextInt(30))
        .concat(Integer.toString(random.nextInt()))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static FieldVector fixedSizeLists(
      BufferAllocator allocator, Random random, boolean nulls) {
    FixedSizeListVector lists = FixedSizeListVector.empty("fsl", 3, allocator);
    Float4Vector items =
        (Float4Vector)
            lists.addOrGetVector(FieldType.nullable(MinorType.FLOAT4.getType())).getVector();
    lists.setInitialCapacity(ROWS);
    lists.allocateNew();
    for (int i = 0; i < ROWS; i++) {
      if (!nulls || random.nextInt(4) != 0) {
        lists.setNotNull(i);
      }
      for (int j = 0; j < 3; j++) {
        items.setSafe(i * 3 + j, random.nextFloat());
      }
    }
    lists.setValueCount(ROWS);
    return lists;
  }

  private static FieldVector lists(BufferAllocator allocator, Random random, boolean nulls) {
    ListVector lists = ListVector.empty("list", allocator);
    IntVector items =
        (IntVector) lists.addOrGetVector(FieldType.nullable(MinorType.INT.getType())).getVector();
    lists.allocateNew();
    int at = 0;
    for (int i = 0; i < ROWS; i++) {
      if (!nulls || random.nextInt(4) != 0) {
        int size = random.nextInt(5);
        lists.startNewValue(i);
        for (int j = 0; j < size; j++) {
          items.setSafe(at++, random.nextInt());
        }
        lists.endValue(i, size);
      }
    }
    lists.setValueCount(ROWS);
    return lists;
  }

  private static FieldVector largeLists(BufferAllocator allocator, Random random, boolean nulls) {
    LargeListVector lists = LargeListVector.empty("largeList", allocator);
    IntVector items =
        (IntVector) lists.addOrGetVector(FieldType.nullable(MinorType.INT.getType())).getVector();
    lists.allocateNew();
    int at = 0;
    for (int i = 0; i < ROWS; i++) {
      if (!nulls || random.nextInt(4) != 0) {
        int size = random.nextInt(5);
        lists.startNewValue(i);
        for (int j = 0; j < size; j++) {
          items.setSafe(at++, random.nextInt());
        }
        lists.endValue(i, size);
      }
    }
    lists.setValueCount(ROWS);
    return lists;
  }

  private static FieldVector structs(BufferAllocator allocator, Random random, boolean nulls) {
    Field field =
        new Field(
            "struct",
            FieldType.nullable(ArrowType.Struct.INSTANCE),
            List.of(
                new Field("a", FieldType.nullable(MinorType.INT.getType()), null),
                new Field("b", FieldType.nullable(MinorType.VARCHAR.getType()), null)));
    StructVector structs = (StructVector) field.createVector(allocator);
    structs.allocateNew();
    for (int i = 0; i < ROWS; i++) {
      if (!nulls || random.nextInt(4) != 0) {
        structs.setIndexDefined(i);
        structs.getChild("a", IntVector.class).setSafe(i, random.nextInt());
        structs.getChild("b", VarCharVector.class).setSafe(i, text(random));
      }
    }
    structs.setValueCount(ROWS);
    return structs;
  }

  private static FieldVector childless(BufferAllocator allocator, Random random, boolean nulls) {
    StructVector structs = StructVector.empty("childless", allocator);
    structs.setValueCount(ROWS);
    for (int i = 0; i < ROWS; i++) {
      if (!nulls || random.nextInt(4) != 0) {
        structs.setIndexDefined(i);
      }
    }
    return structs;
  }
}
