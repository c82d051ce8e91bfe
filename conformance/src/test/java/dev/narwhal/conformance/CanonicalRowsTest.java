package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.conformance.RandomColumns.Nulls;
import dev.narwhal.conformance.RandomColumns.Shape;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CanonicalRowsTest {

  @Test
  void escapesQuotesBackslashesAndControlCharactersOnly() {
    assertThat(rows("a\"b\\c\n\u0001\u007f/é漢🙂", null).firstRows())
        .containsExactly(
            "{\"te\\\"xt\":\"a\\\"b\\\\c\\u000a\\u0001\u007f/é漢🙂\"}", "{\"te\\\"xt\":null}");
  }

  @Test
  void showsTextsOverFourHundredCharactersByDigest() {
    String inFull = "x".repeat(398);
    String longer = "é".repeat(399);
    byte[] text = ('"' + longer + '"').getBytes(StandardCharsets.UTF_8);
    assertThat(rows(inFull, longer).firstRows())
        .containsExactly(
            "{\"te\\\"xt\":\"" + inFull + "\"}",
            "{\"te\\\"xt\":{\"$len\":"
                + text.length
                + ",\"$sha256\":\""
                + HexFormat.of().formatHex(CanonicalRows.sha256().digest(text))
                + "\"}}");
  }

  @Test
  void theResultDoesNotDependOnHowRowsAreCutIntoBatches() {
    Schema schema = new Schema(PrimitiveTypes.fields(true));
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot batch = VectorSchemaRoot.create(schema, allocator)) {
      batch
          .getFieldVectors()
          .forEach(v -> RandomColumns.fill(v, 100, Shape.UNIFORM, Nulls.SOME, 7));
      batch.setRowCount(100);
      CanonicalRows whole = new CanonicalRows();
      whole.add(batch);
      CanonicalRows cut = new CanonicalRows();
      for (int[] part : List.of(new int[] {0, 33}, new int[] {33, 0}, new int[] {33, 67})) {
        try (VectorSchemaRoot slice = batch.slice(part[0], part[1])) {
          cut.add(slice);
        }
      }
      assertThat(cut.result()).isEqualTo(whole.result());
      assertThat(whole.result().rows()).isEqualTo(100);
      assertThat(whole.result().firstRows()).hasSize(CanonicalRows.FIRST_ROWS);
    }
  }

  private static CanonicalRows.Result rows(@Nullable String... texts) {
    try (BufferAllocator allocator = new RootAllocator();
        VarCharVector vector = new VarCharVector("te\"xt", allocator)) {
      for (int i = 0; i < texts.length; i++) {
        if (texts[i] != null) {
          vector.setSafe(i, texts[i].getBytes(StandardCharsets.UTF_8));
        }
      }
      vector.setValueCount(texts.length);
      CanonicalRows rows = new CanonicalRows();
      rows.add(VectorSchemaRoot.of(vector));
      return rows.result();
    }
  }
}
