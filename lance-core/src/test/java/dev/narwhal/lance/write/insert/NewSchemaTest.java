package dev.narwhal.lance.write.insert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.narwhal.lance.datafile.FileVersion;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NewSchemaTest {
  @Test
  void refusesColumnsAndMembersWithoutANameAndSaysWhere() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(leaf("")))
        .withMessage("there is a column without a name; give it one");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(struct("s", leaf(""))))
        .withMessage("column 's' has a member without a name; give it one");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(list("l", struct("item", struct("s", leaf(""))))))
        .withMessage("column 'l.item.s' has a member without a name; give it one");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a`b", "`", "a.b", "_rowid", "a\0", "\ud800", "\udc00x", "x\ud83d"})
  void refusesNamesThatCannotBeRead(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NewSchema.requireUsable(name))
        .withMessageContaining(name);
    assertThatIllegalArgumentException().isThrownBy(() -> of(leaf(name)));
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "a b", "\"", "'", "[0]", "*", "select", "\ud83d\ude00", "a\nb"})
  void takesNamesThatRealLanceReads(String name) throws IOException {
    assertThat(of(leaf(name), struct("s", leaf(name)))).isEqualTo(3);
  }

  /** Real Lance scans both. */
  @Test
  void takesItemsWithoutANameAndMembersWithABacktick() throws IOException {
    assertThat(of(list("l", leaf("")), struct("s", leaf("a`b")))).isEqualTo(4);
  }

  private static int of(Field... columns) throws IOException {
    return NewSchema.of(new Schema(List.of(columns)), new MapDictionaryProvider(), FileVersion.V2_1)
        .fields()
        .size();
  }

  private static Field leaf(String name) {
    return Field.nullable(name, new ArrowType.Int(64, true));
  }

  private static Field struct(String name, Field member) {
    return new Field(name, FieldType.nullable(new ArrowType.Struct()), List.of(member));
  }

  private static Field list(String name, Field item) {
    return new Field(name, FieldType.nullable(new ArrowType.List()), List.of(item));
  }
}
