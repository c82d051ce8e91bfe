package dev.narwhal.lance.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.LanceFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FieldTreeTest {
  @Test
  void growsInSchemaOrder() {
    LanceSchema schema =
        schema(
            field(0, -1, "a"),
            field(1, -1, "s"),
            field(2, 1, "x"),
            field(3, 1, "l"),
            field(4, 3, "item"),
            field(5, 1, "y"));
    assertThat(FieldTree.topLevel(schema))
        .extracting(FieldTreeTest::text)
        .containsExactly("a", "s(x, l(item), y)");
    assertThat(text(FieldTree.of(schema, schema.fields().get(3)))).isEqualTo("l(item)");
  }

  @Test
  void staysFiniteWhenIdsRepeat() {
    LanceSchema schema = schema(field(5, -1, "top"), field(5, 5, "again"), field(6, 5, "leaf"));
    assertThat(FieldTree.topLevel(schema))
        .extracting(FieldTreeTest::text)
        .containsExactly("top(again, leaf)");
  }

  @Test
  void refusesEndlessNesting() {
    List<LanceField> fields = new ArrayList<>();
    for (int id = 0; id <= FieldTree.MAX_DEPTH; id++) {
      fields.add(field(id, id - 1, "s"));
    }
    LanceSchema schema = new LanceSchema(fields, Map.of());
    assertThatThrownBy(() -> FieldTree.topLevel(schema))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("deeper than 64");
  }

  private static String text(FieldTree tree) {
    return tree.field().name()
        + (tree.isLeaf()
            ? ""
            : "("
                + String.join(", ", tree.children().stream().map(FieldTreeTest::text).toList())
                + ")");
  }

  private static LanceSchema schema(LanceField... fields) {
    return new LanceSchema(List.of(fields), Map.of());
  }

  private static LanceField field(int id, int parent, String name) {
    return new LanceField(id, parent, name, "struct", true, Map.of(), UnknownFields.none());
  }
}
