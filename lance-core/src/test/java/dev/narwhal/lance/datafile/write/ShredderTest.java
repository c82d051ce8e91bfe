package dev.narwhal.lance.datafile.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.datafile.layout.Layer;
import dev.narwhal.lance.datafile.write.PathNode.Kind;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Levels as the file format sheet, 3.4 to 3.6, has them. */
class ShredderTest {
  private static final PathNode LEAF = node(Kind.LEAF);

  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  private static PathNode node(Kind kind) {
    return new PathNode(kind, "n", true, 0, 1);
  }

  /** Rows {@code [1, null], null, [], [5]}. */
  @Test
  void theExampleOfTheSheet() {
    Shredder shredder = new Shredder(List.of(node(Kind.LIST), LEAF), new FixedLeaf(Integer.BYTES));
    try (ListVector lists = lists()) {
      IntVector items = (IntVector) lists.getDataVector();
      lists.startNewValue(0);
      items.setSafe(0, 1);
      items.setNull(1);
      lists.endValue(0, 2);
      lists.setNull(1);
      lists.startNewValue(2);
      lists.endValue(2, 0);
      lists.startNewValue(3);
      items.setSafe(2, 5);
      lists.endValue(3, 1);
      lists.setValueCount(4);
      shredder.bind(lists, 0);
      shredder.append(0, 4);
    }
    PageLevels levels = PageLevels.of(shredder.path(), shredder.levels());
    assertThat(levels.layers()).containsExactly(Layer.NULLABLE_ITEM, Layer.NULL_AND_EMPTY_LIST);
    assertThat(levels.repetition())
        .containsExactly((short) 1, (short) 0, (short) 1, (short) 1, (short) 1);
    assertThat(levels.definition())
        .containsExactly((short) 0, (short) 1, (short) 2, (short) 3, (short) 0);
    assertThat(levels.rows()).isEqualTo(4);
    assertThat(levels.visibleCount()).isEqualTo(3);
    assertThat(levels.validCount()).isEqualTo(2);
    FixedLeaf values = (FixedLeaf) shredder.values();
    assertThat(values.count()).isEqualTo(3);
    assertThat(values.bytes().intAt(0)).isEqualTo(1);
    assertThat(values.bytes().intAt(8)).isEqualTo(5);
  }

  @Test
  void layersSayOnlyWhatOccurs() {
    Shredder shredder = new Shredder(List.of(node(Kind.LIST), LEAF), new FixedLeaf(Integer.BYTES));
    try (ListVector lists = lists()) {
      for (int row = 0; row < 3; row++) {
        int at = lists.startNewValue(row);
        ((IntVector) lists.getDataVector()).setSafe(at, row);
        lists.endValue(row, 1);
      }
      lists.setValueCount(3);
      shredder.bind(lists, 0);
      shredder.append(0, 3);
    }
    PageLevels levels = PageLevels.of(shredder.path(), shredder.levels());
    assertThat(levels.layers()).containsExactly(Layer.ALL_VALID_ITEM, Layer.ALL_VALID_LIST);
    assertThat(levels.definition()).isNull();
    assertThat(levels.repetition()).containsExactly((short) 1, (short) 1, (short) 1);
    // real Lance miscounts items that are all valid on such pages
    assertThat(levels.forFullZip().layers())
        .containsExactly(Layer.NULLABLE_ITEM, Layer.ALL_VALID_LIST);
  }

  @Test
  void aNullStructHasAValueAndAListBelowItIsNullable() {
    List<PathNode> flat = List.of(node(Kind.STRUCT), LEAF);
    Shredder shredder = new Shredder(flat, new FixedLeaf(Integer.BYTES));
    Field x = Field.nullable("x", new ArrowType.Int(32, true));
    try (StructVector structs = structs(x)) {
      structs.setNull(0);
      structs.setIndexDefined(1);
      ((IntVector) structs.getChild("x")).setSafe(1, 7);
      structs.setValueCount(2);
      shredder.bind(structs, 0);
      shredder.append(0, 2);
    }
    PageLevels levels = PageLevels.of(flat, shredder.levels());
    assertThat(levels.layers()).containsExactly(Layer.ALL_VALID_ITEM, Layer.NULLABLE_ITEM);
    assertThat(levels.visibleCount()).isEqualTo(2);
    assertThat(shredder.values().count()).isEqualTo(2);

    List<PathNode> nested = List.of(node(Kind.STRUCT), node(Kind.LIST), LEAF);
    Shredder below = new Shredder(nested, new FixedLeaf(Integer.BYTES));
    Field list =
        new Field(
            "l",
            FieldType.nullable(new ArrowType.List()),
            List.of(Field.nullable("item", new ArrowType.Int(32, true))));
    try (StructVector structs = structs(list)) {
      structs.setNull(0);
      structs.setIndexDefined(1);
      ListVector lists = (ListVector) structs.getChild("l");
      lists.setNull(0);
      int at = lists.startNewValue(1);
      ((IntVector) lists.getDataVector()).setSafe(at, 3);
      lists.endValue(1, 1);
      structs.setValueCount(2);
      below.bind(structs, 0);
      below.append(0, 2);
    }
    PageLevels deep = PageLevels.of(nested, below.levels());
    assertThat(deep.layers())
        .containsExactly(Layer.ALL_VALID_ITEM, Layer.NULLABLE_LIST, Layer.NULLABLE_ITEM);
    assertThat(deep.definition()).containsExactly((short) 2, (short) 0);
    assertThat(deep.visibleCount()).isEqualTo(1);
    assertThat(deep.breaksFullZip()).isTrue();
  }

  @Test
  void longStretchesWithoutValuesArePagesOfTheirOwn() {
    LevelBuffer levels = new LevelBuffer(true, 4);
    List<PathNode> path = List.of(node(Kind.LIST), LEAF);
    levels.addValid(1, 3);
    for (int i = 0; i < 20_000; i++) {
      levels.add(1, 2);
    }
    levels.addValid(1, 2);
    List<Integer> cuts = RowCuts.of(PageLevels.of(path, levels));
    assertThat(cuts).hasSize(4).startsWith(0).endsWith(20_005);
    assertThat(cuts.get(1)).isBetween(3 + 8192, 3 + 8193);
    assertThat(cuts.get(2)).isEqualTo(20_003);
  }

  private ListVector lists() {
    ListVector lists = ListVector.empty("n", allocator);
    lists.addOrGetVector(FieldType.nullable(new ArrowType.Int(32, true)));
    lists.allocateNew();
    return lists;
  }

  private StructVector structs(Field child) {
    Field field = new Field("n", FieldType.nullable(new ArrowType.Struct()), List.of(child));
    StructVector structs = (StructVector) field.createVector(allocator);
    structs.allocateNew();
    return structs;
  }
}
