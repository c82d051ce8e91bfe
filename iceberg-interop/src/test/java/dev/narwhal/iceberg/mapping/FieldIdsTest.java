package dev.narwhal.iceberg.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.OptionalInt;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.TypeUtil;
import org.junit.jupiter.api.Test;

class FieldIdsTest {
  private static final ArrowType INT32 = new ArrowType.Int(32, true);

  private static SourceField source(int id, Field field, SourceField... children) {
    return new SourceField(OptionalInt.of(id), field, List.of(children));
  }

  private static Field field(String name, ArrowType type, Field... children) {
    return new Field(name, FieldType.notNullable(type), List.of(children));
  }

  /** A map of struct to fixed-size list, and a plain column before it. */
  private static TableMapping mapping() {
    SourceField x = source(14, field("x", INT32));
    SourceField key = source(13, field("key", new ArrowType.Struct(), x.field()), x);
    SourceField value =
        SourceField.of(16, field("value", new ArrowType.FixedSizeList(2), field("item", INT32)));
    SourceField entries =
        source(
            12, field("entries", new ArrowType.Struct(), key.field(), value.field()), key, value);
    SourceField map = source(11, field("m", new ArrowType.Map(false), entries.field()), entries);
    return TableMapping.of(
        List.of(SourceField.of(7, field("a", INT32)), map), MappingRules.ofVersion(2));
  }

  @Test
  void coverFieldsAtAllLevelsButTheEntriesThatIcebergLacks() {
    TableMapping mapping = mapping();
    Schema created = TypeUtil.assignFreshIds(mapping.schema(), new Ids()::next);

    FieldIds ids = FieldIds.of(mapping, created);

    assertThat(ids.icebergId(7)).hasValue(created.findField("a").fieldId());
    assertThat(ids.icebergId(11)).hasValue(created.findField("m").fieldId());
    assertThat(ids.icebergId(12)).isEmpty();
    assertThat(ids.hasIcebergId(105)).isTrue();
    assertThat(ids.hasIcebergId(106)).isFalse();
    assertThat(ids.icebergId(13)).hasValue(created.findField("m.key").fieldId());
    assertThat(ids.icebergId(14)).hasValue(created.findField("m.key.x").fieldId());
    assertThat(ids.icebergId(16)).hasValue(created.findField("m.value").fieldId());
    assertThat(ids.toJson())
        .isEqualTo("{\"7\":100,\"11\":101,\"13\":102,\"14\":104,\"16\":103,\"16.element\":105}");
  }

  private static final class Ids {
    private int last = 99;

    private int next() {
      return ++last;
    }
  }

  @Test
  void surviveTheTableProperty() {
    FieldIds ids = FieldIds.of(mapping(), mapping().schema());

    FieldIds read = FieldIds.fromJson(ids.toJson());

    assertThat(read.toJson()).isEqualTo(ids.toJson());
    assertThat(read.icebergId(16)).isEqualTo(ids.icebergId(16)).isPresent();
    assertThatThrownBy(() -> FieldIds.fromJson("[1]"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[1]");
  }

  @Test
  void refuseATableOfOtherColumns() {
    Schema narrow = new Schema(mapping().schema().columns().subList(0, 1));

    assertThatThrownBy(() -> FieldIds.of(mapping(), narrow))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("2 fields, but the table has 1");
  }
}
