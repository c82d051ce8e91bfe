package dev.narwhal.lance.datafile.layout;

import static dev.narwhal.lance.datafile.layout.Layer.ALL_VALID_ITEM;
import static dev.narwhal.lance.datafile.layout.Layer.ALL_VALID_LIST;
import static dev.narwhal.lance.datafile.layout.Layer.EMPTYABLE_LIST;
import static dev.narwhal.lance.datafile.layout.Layer.NULLABLE_ITEM;
import static dev.narwhal.lance.datafile.layout.Layer.NULLABLE_LIST;
import static dev.narwhal.lance.datafile.layout.Layer.NULL_AND_EMPTY_LIST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.datafile.layout.LeafPath.Step;
import dev.narwhal.lance.datafile.page.NodeSlots;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The worked examples of the format sheet, 3.4 to 3.7, and levels that cannot be. */
class PathSlotsTest {
  private static final Step ITEM = new Step.Item();
  private static final Step LIST = new Step.Lists(32);

  @Test
  void unravelsNullAndEmptyLists() {
    // [1, null], null, [], [5]
    assertThat(
            nodes(
                List.of(NULLABLE_ITEM, NULL_AND_EMPTY_LIST),
                List.of(ITEM, LIST),
                "1 0 1 1 1",
                "0 1 2 3 0"))
        .containsExactly("2 null 0 1");
  }

  @Test
  void unravelsThreeListsDeep() {
    // [[[0, 1], [], [2]], [[3]], []], [], [[[4]]]
    assertThat(
            nodes(
                List.of(ALL_VALID_ITEM, EMPTYABLE_LIST, EMPTYABLE_LIST, EMPTYABLE_LIST),
                List.of(ITEM, LIST, LIST, LIST),
                "3 0 1 1 2 2 3 3",
                "0 0 1 0 0 2 3 0"))
        .containsExactly("2 0 1 1 1", "3 1 0 1", "3 0 1");
  }

  @ParameterizedTest
  @CsvSource({"NULLABLE_LIST, 0 2 0 3", "NULL_AND_EMPTY_LIST, 0 2 0 4"})
  void showsNullStructsOverListsAsNullLists(Layer list, String definition) {
    // {[a, b]}, {null}, {[c]}, null
    assertThat(
            nodes(
                List.of(NULLABLE_ITEM, list, NULLABLE_ITEM),
                List.of(ITEM, LIST, ITEM),
                "1 1 1 1",
                definition))
        .containsExactly("1 null 1 null", "+ + + null");
  }

  @Test
  void givesNullStructsASlotInTheirChildren() {
    // rows of [struct, list of structs]: [{}, null], null, [null]
    assertThat(
            nodes(
                List.of(NULLABLE_ITEM, NULLABLE_ITEM, NULL_AND_EMPTY_LIST),
                List.of(ITEM, ITEM, LIST),
                "1 0 1 1",
                "1 2 3 2"))
        .containsExactly("+ null null", "2 null 1");
  }

  @Test
  void takesEverySoManiethLevelForAFixedSizeList() {
    // rows {2 structs}, null, {2 structs, the first null}
    assertThat(
            nodes(
                List.of(ALL_VALID_ITEM, NULLABLE_ITEM, NULLABLE_ITEM),
                List.of(ITEM, ITEM, new Step.FixedLists(2)),
                "0 0 0 0 0 0",
                "0 0 2 2 1 0"))
        .containsExactly("+ + null null null +", "+ null +");
  }

  @Test
  void takesEveryDefinitionLevelForWhatItsLayerIs() {
    LevelMeaning meaning =
        LevelMeaning.of(
            List.of(NULLABLE_ITEM, NULL_AND_EMPTY_LIST, NULL_AND_EMPTY_LIST),
            new LeafPath(List.of(ITEM, LIST, LIST)));
    assertThat(meaning.maxDefinition()).isEqualTo(5);
    assertThat(meaning.maxRepetition()).isEqualTo(2);
    assertThat(meaning.maxVisible()).isEqualTo(1);
    assertThat(meaning.listsOfLevel()).containsExactly(0, 0, 1, 1, 2, 2);
    LevelMeaning outside =
        LevelMeaning.of(
            List.of(NULLABLE_ITEM, NULL_AND_EMPTY_LIST, NULLABLE_ITEM),
            new LeafPath(List.of(ITEM, LIST, ITEM)));
    assertThat(outside.maxVisible()).as("not the struct around the list").isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "1 0, 2 0", // an item in a null list
    "1 0, 3 1", // an item in an empty list
    "1 0, 0 2", // a null list that starts no row
  })
  void refusesLevelsOutOfOrder(String repetition, String definition) {
    assertThatThrownBy(
            () ->
                nodes(
                    List.of(NULLABLE_ITEM, NULL_AND_EMPTY_LIST),
                    List.of(ITEM, LIST),
                    repetition,
                    definition))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("levels out of order");
  }

  @Test
  void refusesLayersOfAnotherSchema() {
    LeafPath path = new LeafPath(List.of(ITEM, LIST));
    for (List<Layer> layers :
        List.of(
            List.of(NULLABLE_ITEM),
            List.of(NULLABLE_ITEM, NULLABLE_ITEM),
            List.of(ALL_VALID_LIST, ALL_VALID_ITEM),
            List.of(NULLABLE_ITEM, NULLABLE_LIST, NULLABLE_LIST))) {
      assertThatThrownBy(() -> LevelMeaning.of(layers, path))
          .isInstanceOf(LanceFormatException.class)
          .hasMessageContaining("layers");
    }
  }

  @Test
  void doesNotKnowFixedSizeListsOfStructsInLists() {
    assertThatThrownBy(() -> new LeafPath(List.of(ITEM, ITEM, new Step.FixedLists(2), LIST)))
        .isInstanceOf(UnsupportedFeatureException.class);
  }

  /** Whatever levels pass: as many items as the lists say, and as many rows as levels start. */
  @Test
  void neverGivesListsThatDoNotFitTheirItems() {
    List<Layer> layers = List.of(NULLABLE_ITEM, NULL_AND_EMPTY_LIST, NULLABLE_ITEM, NULLABLE_LIST);
    LeafPath path = new LeafPath(List.of(ITEM, LIST, ITEM, LIST));
    LevelMeaning meaning = LevelMeaning.of(layers, path);
    int kinds = 3 * (meaning.maxDefinition() + 1);
    int accepted = 0;
    for (int code = 0; code < kinds * kinds * kinds; code++) {
      short[] repetition = new short[4];
      short[] definition = new short[4];
      repetition[0] = 2;
      definition[0] = (short) (code % (meaning.maxDefinition() + 1));
      for (int i = 1, rest = code; i < 4; i++, rest /= kinds) {
        repetition[i] = (short) (rest % kinds % 3);
        definition[i] = (short) (rest % kinds / 3);
      }
      try (BufferAllocator allocator = new RootAllocator();
          PathSlots slots = new PathSlots(path, 1, allocator)) {
        slots.append(meaning, repetition, definition, 0, 4);
        accepted++;
        int values = 0;
        int rows = 0;
        for (int i = 0; i < 4; i++) {
          values += definition[i] <= meaning.maxVisible() ? 1 : 0;
          rows += repetition[i] == 2 ? 1 : 0;
        }
        assertThat(slots.node(1).items()).isEqualTo(values);
        assertThat(slots.node(1).count()).isEqualTo(slots.node(2).count());
        assertThat(slots.node(3).items()).isEqualTo(slots.node(2).count());
        assertThat(slots.node(3).count()).isEqualTo(rows);
      } catch (LanceFormatException e) {
        assertThat(e).hasMessageContaining("levels out of order");
      }
    }
    assertThat(accepted).isPositive();
  }

  /**
   * Nodes above the leaf, inside first: lengths of lists, {@code +} for other valid slots.
   *
   * @param repetition with blanks between
   * @param definition with blanks between
   */
  private static List<String> nodes(
      List<Layer> layers, List<Step> steps, String repetition, String definition) {
    LeafPath path = new LeafPath(steps);
    short[] r = shorts(repetition);
    short[] d = shorts(definition);
    List<String> nodes = new ArrayList<>();
    try (BufferAllocator allocator = new RootAllocator();
        PathSlots slots = new PathSlots(path, 0, allocator)) {
      slots.append(LevelMeaning.of(layers, path), r, d, 0, r.length);
      for (int layer = 1; layer < steps.size(); layer++) {
        nodes.add(text(slots.node(layer), steps.get(layer), allocator));
      }
    }
    return nodes;
  }

  private static String text(NodeSlots slots, Step step, BufferAllocator allocator) {
    try (FieldVector vector =
        step instanceof Step.Lists
            ? ListVector.empty("x", allocator)
            : step instanceof Step.FixedLists lists
                ? FixedSizeListVector.empty("x", lists.dimension(), allocator)
                : StructVector.empty("x", allocator)) {
      slots.transferTo(vector);
      List<String> text = new ArrayList<>();
      for (int i = 0; i < slots.count(); i++) {
        if (vector.isNull(i)) {
          text.add("null");
        } else if (vector instanceof ListVector lists) {
          text.add(Integer.toString(lists.getElementEndIndex(i) - lists.getElementStartIndex(i)));
        } else {
          text.add("+");
        }
      }
      return String.join(" ", text);
    }
  }

  private static short[] shorts(String numbers) {
    String[] parts = numbers.split(" ", -1);
    short[] shorts = new short[parts.length];
    for (int i = 0; i < parts.length; i++) {
      shorts[i] = Short.parseShort(parts[i]);
    }
    return shorts;
  }
}
