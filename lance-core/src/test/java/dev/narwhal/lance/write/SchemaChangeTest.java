package dev.narwhal.lance.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.LanceFixture;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.UnknownFields;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaChangeTest {
  /** {@code id, s{a, t{b}}, l[item{p, q}], m{key, value}, k{x, y} packed, d.e}. */
  private static final List<LanceField> FIELDS =
      List.of(
          field(0, -1, "id", "int64"),
          field(1, -1, "s", "struct"),
          field(2, 1, "a", "int32"),
          field(3, 1, "t", "struct"),
          field(4, 3, "b", "int32"),
          field(5, -1, "l", "list.struct"),
          field(6, 5, "item", "struct"),
          field(7, 6, "p", "int32"),
          field(8, 6, "q", "int32"),
          field(9, -1, "m", "map"),
          field(10, 9, "entries", "struct"),
          field(11, 10, "key", "string"),
          field(12, 10, "value", "int32"),
          new LanceField(
              13, -1, "k", "struct", true, Map.of("packed", "true"), UnknownFields.none()),
          field(14, 13, "x", "int32"),
          field(15, 13, "y", "int32"),
          field(16, -1, "d.e", "int32"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id | 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16",
        "s | 0 5 6 7 8 9 10 11 12 13 14 15 16",
        "s.a | 0 1 3 4 5 6 7 8 9 10 11 12 13 14 15 16",
        "s.t.b | 0 1 2 5 6 7 8 9 10 11 12 13 14 15 16",
        "s.a,s.t.b | 0 5 6 7 8 9 10 11 12 13 14 15 16",
        "s,s.a | 0 5 6 7 8 9 10 11 12 13 14 15 16",
        "l.item.p | 0 1 2 3 4 5 6 8 9 10 11 12 13 14 15 16",
        "l,m,k,`d.e` | 0 1 2 3 4",
      })
  void dropKeepsTheOtherFieldsWithTheirIds(String columns, String ids) throws IOException {
    LanceSchema schema = SchemaChange.drop(manifest(), List.of(columns.split(",", -1))).schema();
    assertThat(schema.fields().stream().map(field -> "" + field.id()).toList())
        .isEqualTo(List.of(ids.split(" ", -1)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "none | no column \"none\"; beside it are id, s, l, m, k, d.e",
        "ID | no column \"ID\"",
        "s.none | no column \"s.none\"; beside it are a, t",
        "id.x | no column \"id.x\"; nothing is inside its parent",
        "l.p | no column \"l.p\"",
        "l.item | \"l.item\" is part of a list.struct and cannot be dropped",
        "m.entries | is part of a map and cannot be dropped",
        "m.entries.key | is part of a struct and cannot be dropped",
        "k.x | is stored in one with all members of its packed struct",
        "d.e | no column \"d.e\"",
        "'' | is no path of a column",
        "a..b | is no path of a column",
        "id. | is no path of a column",
        "`id | has a back quote without an end",
        "`id`x | is no path of a column",
        "id,s,l,m,k,`d.e` | all columns of the table would be dropped",
      })
  void refusesToDropWhatCannotBeDropped(String columns, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SchemaChange.drop(manifest(), List.of(columns.split(",", -1))))
        .withMessageContaining(message);
  }

  @Test
  void refusesToDropNothing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SchemaChange.drop(manifest(), List.of()))
        .withMessageContaining("no column is named");
  }

  @Test
  void refusesToLeaveAFragmentWithoutFiles() throws IOException {
    Manifest manifest = manifest();
    DataFile all = file(List.of(0, 2, 4));
    DataFile one = file(List.of(16));
    Manifest grown =
        manifest
            .toDraft()
            .fragments(List.of(fragment(0, List.of(all)), fragment(1, List.of(all, one))))
            .build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SchemaChange.drop(grown, List.of("id", "s")))
        .withMessageContaining("fragment 0 would have no data file left");
    assertThat(SchemaChange.drop(grown, List.of("id")).schema().fields()).hasSize(16);
  }

  @Test
  void renameKeepsTheId() throws IOException {
    LanceSchema top = SchemaChange.rename(manifest(), "id", "key").schema();
    assertThat(top.fields().get(0)).isEqualTo(field(0, -1, "key", "int64"));
    assertThat(top.fields()).hasSameSizeAs(FIELDS).containsAll(FIELDS.subList(1, 17));
    LanceSchema nested = SchemaChange.rename(manifest(), "s.t.b", "a").schema();
    assertThat(nested.fields().get(4)).isEqualTo(field(4, 3, "a", "int32"));
    LanceSchema quoted = SchemaChange.rename(manifest(), "`d.e`", "Id").schema();
    assertThat(quoted.fields().get(16).name()).isEqualTo("Id");
    assertThat(SchemaChange.rename(manifest(), "k.x", "z").schema().fields().get(14).name())
        .isEqualTo("z");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "none | x | no column \"none\"",
        "id | s | another column is",
        "s.a | t | another column is",
        "id | id | is called \"id\" already",
        "l.item | element | is part of a list.struct and cannot be renamed",
        "m.entries.key | k | cannot be renamed",
      })
  void refusesToRenameWhatCannotBeRenamed(String column, String name, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SchemaChange.rename(manifest(), column, name))
        .withMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "a.b",
        "a`b",
        "_rowid",
        "_rowaddr",
        "_rowoffset",
        "_row_created_at_version",
        "_row_last_updated_at_version"
      })
  void refusesNamesThatNoColumnCanHave(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SchemaChange.rename(manifest(), "id", name))
        .withMessageContaining("no column can be called");
  }

  private static Manifest manifest() throws IOException {
    Manifest base = new ManifestStore(LanceFixture.named("empty").store()).readLatest().manifest();
    return base.toDraft().schema(new LanceSchema(FIELDS, Map.of())).fragments(List.of()).build();
  }

  private static Fragment fragment(long id, List<DataFile> files) {
    return new Fragment(
        id,
        files,
        Optional.empty(),
        OptionalLong.of(5),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        UnknownFields.none());
  }

  private static DataFile file(List<Integer> fields) {
    List<Integer> columns = fields.stream().map(fields::indexOf).toList();
    return new DataFile(
        "f" + fields.get(0),
        fields,
        columns,
        2,
        1,
        OptionalLong.of(9),
        OptionalInt.empty(),
        UnknownFields.none());
  }

  private static LanceField field(int id, int parent, String name, String type) {
    return new LanceField(id, parent, name, type, true, Map.of(), UnknownFields.none());
  }
}
