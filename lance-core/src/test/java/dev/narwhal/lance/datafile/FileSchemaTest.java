package dev.narwhal.lance.datafile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.proto.file.Field;
import dev.narwhal.lance.proto.file.FileDescriptor;
import dev.narwhal.lance.proto.file.Schema;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The schema in a file, and which columns its fields have. */
class FileSchemaTest {
  /** The example of the format sheet, section 1.8. */
  private static final List<Field> EXAMPLE =
      List.of(
          field(0, -1, "a", "int32"),
          field(1, -1, "s", "struct"),
          field(2, 1, "x", "int32"),
          field(3, 1, "y", "list.struct"),
          field(4, 3, "item", "struct"),
          field(5, 4, "z", "int32"),
          field(6, -1, "e", "fixed_size_list:float:4"),
          marked(field(7, -1, "p", "struct"), "lance-encoding:packed", "TRUE"),
          field(8, 7, "u", "int32"),
          field(9, 7, "v", "int32"),
          marked(field(10, -1, "b", "large_binary"), "lance-encoding:blob", "true"));

  @Test
  void givesEveryNodeAColumnIn20() {
    assertThat(columns(EXAMPLE, FileVersion.V2_0))
        .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, -1, -1, 8);
  }

  @Test
  void givesOnlyLeavesAColumnFrom21On() {
    assertThat(columns(EXAMPLE, FileVersion.V2_1))
        .containsExactly(0, 1, 1, 2, 2, 2, 3, 4, -1, -1, 5);
  }

  @Test
  void givesAnEmptyStructAColumn() {
    List<Field> fields = List.of(field(0, -1, "s", "struct"), field(1, -1, "a", "int32"));
    assertThat(columns(fields, FileVersion.V2_2)).containsExactly(0, 1);
  }

  @Test
  void takesDescriptorChildrenForNoColumns() {
    List<Field> fields =
        List.of(
            marked(field(0, -1, "blob", "struct"), "lance-encoding:blob", "true"),
            field(-1, -1, "kind", "uint8"),
            field(-1, -1, "position", "uint64"),
            field(1, -1, "a", "int32"));
    LanceSchema schema = decode(fields).schema();
    assertThat(schema.topLevel()).extracting(LanceField::name).containsExactly("blob", "a");
    assertThat(schema.children(schema.fields().get(0)))
        .extracting(LanceField::name)
        .containsExactly("kind", "position");
    assertThat(new FieldColumns(schema, FileVersion.V2_2).count()).isEqualTo(2);
  }

  @Test
  void refusesFieldsThatFormNoTree() {
    assertRefused(List.of(field(0, 1, "a", "int32"), field(1, -1, "s", "struct")), "parent 1");
    assertRefused(List.of(field(0, 0, "a", "int32")), "parent 0");
    assertRefused(List.of(field(0, -1, "a", "int32"), field(0, -1, "b", "int32")), "id 0");
    assertRefused(List.of(field(-1, -1, "a", "int32")), "id -1");
    assertRefused(
        List.of(field(0, -1, "a", "int32"), field(-1, -1, "b", "int32")), "follows no blob");
  }

  @Test
  void refusesEndlessNesting() {
    List<Field> fields = new ArrayList<>();
    for (int id = 0; id < 100_000; id++) {
      fields.add(field(id, id - 1, "s", "struct"));
    }
    assertRefused(fields, "deeper");
  }

  @Test
  void refusesRowCountsPast63Bits() {
    ByteBuffer bytes =
        FileDescriptor.newBuilder().setLength(-1).build().toByteString().asReadOnlyByteBuffer();
    assertThatThrownBy(() -> FileSchemaCodec.decode(bytes))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("18446744073709551615");
  }

  private static void assertRefused(List<Field> fields, String message) {
    assertThatThrownBy(() -> decode(fields))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining(message);
  }

  private static List<Integer> columns(List<Field> fields, FileVersion version) {
    LanceSchema schema = decode(fields).schema();
    FieldColumns columns = new FieldColumns(schema, version);
    return schema.fields().stream().map(columns::firstColumn).toList();
  }

  private static FileSchemaCodec.Description decode(List<Field> fields) {
    return FileSchemaCodec.decode(
        FileDescriptor.newBuilder()
            .setSchema(Schema.newBuilder().addAllFields(fields))
            .setLength(3)
            .build()
            .toByteString()
            .asReadOnlyByteBuffer());
  }

  private static Field field(int id, int parent, String name, String type) {
    return Field.newBuilder()
        .setId(id)
        .setParentId(parent)
        .setName(name)
        .setLogicalType(type)
        .build();
  }

  private static Field marked(Field field, String key, String value) {
    return field.toBuilder().putMetadata(key, ByteString.copyFromUtf8(value)).build();
  }
}
