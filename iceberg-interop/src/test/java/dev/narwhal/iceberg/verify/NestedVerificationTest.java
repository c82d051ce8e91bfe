package dev.narwhal.iceberg.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.narwhal.iceberg.export.DatasetExport;
import dev.narwhal.iceberg.export.ExportOptions;
import dev.narwhal.iceberg.export.Strategy;
import dev.narwhal.iceberg.mapping.Exemption;
import dev.narwhal.iceberg.mapping.MappingRules;
import dev.narwhal.iceberg.mapping.Unsupported;
import dev.narwhal.iceberg.source.NestedColumns;
import dev.narwhal.iceberg.source.SampleColumn;
import dev.narwhal.iceberg.source.SampleColumns;
import dev.narwhal.iceberg.source.SampleDataset;
import dev.narwhal.iceberg.table.IncompatibleTableException;
import dev.narwhal.iceberg.table.TableTarget;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class NestedVerificationTest {
  private static final Field INT = Field.nullable("item", new ArrowType.Int(32, true));
  private static final Field LIST = NestedColumns.list("c", true, INT);
  private static final Field MAP =
      NestedColumns.map("c", true, Field.notNullable("key", new ArrowType.Utf8()), INT);
  private static final Field STRUCT =
      NestedColumns.struct("c", true, INT, NestedColumns.struct("in", true, INT));
  private static final Field DURATION =
      Field.nullable("d", new ArrowType.Duration(TimeUnit.SECOND));

  @TempDir Path directory;
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  private SampleDataset dataset(SampleColumn... columns) {
    return new SampleDataset(List.of(columns), allocator, 7).with(30, DeletionVector.ofOffsets(3));
  }

  private SampleDataset oneRow(Field field, @Nullable Object value) {
    return new SampleDataset(List.of(NestedColumns.always(field, value)), allocator, 7)
        .with(1, DeletionVector.empty());
  }

  private Table export(SampleDataset dataset, ExportOptions options) throws IOException {
    try (TableTarget target = TableTarget.at(directory.resolve("table").toString())) {
      DatasetExport.run(dataset, target, options);
      return target.load().orElseThrow();
    }
  }

  private static List<@Nullable Object> list(@Nullable Object... values) {
    return Arrays.asList(values);
  }

  static Stream<Arguments> differences() {
    return Stream.of(
        arguments(LIST, list(1L, 2L), list(2L, 1L)),
        arguments(LIST, list(1L), list(1L, 1L)),
        arguments(LIST, null, list()),
        arguments(LIST, list(), list(new Object[] {null})),
        arguments(MAP, null, list()),
        arguments(MAP, list(list("a", 1L)), list(list("a", 2L))),
        arguments(MAP, list(list("a", null)), list()),
        arguments(MAP, list(list("a", 1L), list("b", 2L)), list(list("a", 2L), list("b", 1L))),
        arguments(STRUCT, null, list(null, null)),
        arguments(STRUCT, list(1L, null), list(1L, list(new Object[] {null}))),
        arguments(STRUCT, list(null, list(1L)), list(1L, list(new Object[] {null}))));
  }

  @ParameterizedTest
  @MethodSource("differences")
  void valuesThatDifferDoNotVerify(Field field, @Nullable Object one, @Nullable Object other)
      throws IOException {
    Table table = export(oneRow(field, one), ExportOptions.of(Strategy.DELETION_VECTORS));

    assertThat(RowVerification.run(oneRow(field, one), table).equal()).isTrue();
    VerifyReport report = RowVerification.run(oneRow(field, other), table);

    assertThat(report.equal()).isFalse();
    assertThat(report.missing()).hasSize(1);
    assertThat(report.unexpected()).hasSize(1);
    assertThat(report.missing()).isNotEqualTo(report.unexpected());
  }

  @Test
  void theOrderOfMapEntriesPlaysNoPart() throws IOException {
    Table table =
        export(
            oneRow(MAP, list(list("b", 1L), list("a", null), list("aa", 3L))),
            ExportOptions.of(Strategy.DELETION_VECTORS));

    assertThat(
            RowVerification.run(
                    oneRow(MAP, list(list("aa", 3L), list("b", 1L), list("a", null))), table)
                .equal())
        .isTrue();
  }

  @Test
  void nestedFieldsCorrespondByIdThroughRenamesAndReorderings() throws IOException {
    SampleDataset dataset =
        dataset(
            SampleColumns.id(),
            NestedColumns.of(
                NestedColumns.list(
                    "l",
                    true,
                    NestedColumns.struct(
                        "item",
                        true,
                        Field.nullable("a", new ArrowType.Int(32, true)),
                        Field.nullable("b", new ArrowType.Int(32, true))))));
    Table table = export(dataset, ExportOptions.of(Strategy.DELETION_VECTORS));
    table.updateSchema().renameColumn("l.element.a", "swap").commit();
    table.updateSchema().renameColumn("l.element.b", "a").commit();
    table.updateSchema().renameColumn("l.element.swap", "b").commit();
    table.updateSchema().moveFirst("l.element.a").moveFirst("l").commit();

    assertThat(RowVerification.run(dataset, table).equal()).isTrue();
  }

  @Test
  void aFieldThatIsKnownByItsIdIsNotFoundByItsName() throws IOException {
    SampleColumn a = NestedColumns.always(Field.nullable("a", INT.getType()), 1L);
    SampleColumn b = NestedColumns.always(Field.nullable("b", INT.getType()), 1L);
    Table table = export(dataset(a), ExportOptions.of(Strategy.DELETION_VECTORS));
    table.updateSchema().renameColumn("a", "b").commit();

    assertThatThrownBy(() -> RowVerification.run(dataset(a, b), table))
        .isInstanceOf(IncompatibleTableException.class)
        .hasMessageContaining("has no column b");
  }

  @Test
  void tablesOfOtherNestedFieldsAreRefused() throws IOException {
    SampleDataset dataset = dataset(NestedColumns.of(STRUCT));
    Table table = export(dataset, ExportOptions.of(Strategy.DELETION_VECTORS));
    table.updateSchema().addColumn("c.in", "more", Types.IntegerType.get()).commit();

    assertThatThrownBy(() -> RowVerification.run(dataset, table))
        .isInstanceOf(IncompatibleTableException.class)
        .hasMessageContaining("columns that the dataset lacks: in c.in.")
        .hasMessageContaining("more: optional int");

    table
        .updateSchema()
        .deleteColumn("c.in.more")
        .updateColumn("c.in.item", Types.LongType.get())
        .commit();
    assertThatThrownBy(() -> RowVerification.run(dataset, table))
        .isInstanceOf(IncompatibleTableException.class)
        .hasMessageContaining("column c.in.item is long in table")
        .hasMessageContaining("maps to int");

    table.updateSchema().deleteColumn("c.in").commit();
    assertThatThrownBy(() -> RowVerification.run(dataset, table))
        .isInstanceOf(IncompatibleTableException.class)
        .hasMessageContaining("has no column c.in");
  }

  @ParameterizedTest
  @EnumSource(
      value = Unsupported.class,
      names = {"DROP", "STRING"})
  void goesByThePolicyOfTheExport(Unsupported policy) throws IOException {
    SampleDataset dataset =
        dataset(
            SampleColumns.id(),
            NestedColumns.of(DURATION),
            NestedColumns.of(NestedColumns.struct("s", true, INT, DURATION)),
            NestedColumns.of(NestedColumns.list("l", true, DURATION)));

    Table table =
        export(dataset, ExportOptions.of(Strategy.DELETION_VECTORS).withUnsupported(policy));
    VerifyReport report = RowVerification.run(dataset, table);

    assertThat(report.equal()).isTrue();
    assertThat(report.left().rows()).isEqualTo(29);
    assertThat(report.dropped())
        .extracting(Exemption::column)
        .isEqualTo(policy == Unsupported.DROP ? List.of("d", "s.d", "l") : List.of());
    assertThat(RowVerification.digest(dataset, new MappingRules(3, policy)))
        .isEqualTo(report.right());
    table.updateProperties().remove("narwhal.lance.unsupported").commit();
    assertThatThrownBy(() -> RowVerification.run(dataset, table))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("column d of type Duration");
  }

  @Test
  void goesByTheTypesOfTheExport() throws IOException {
    Field nanos = Field.nullable("t", new ArrowType.Timestamp(TimeUnit.NANOSECOND, null));
    SampleDataset dataset = dataset(NestedColumns.of(nanos));

    Table table =
        export(
            dataset,
            ExportOptions.of(Strategy.DELETION_VECTORS)
                .withRules(new MappingRules(2, Unsupported.STRING)));

    assertThat(table.schema().findType("t")).isEqualTo(Types.StringType.get());
    assertThat(RowVerification.run(dataset, table).equal()).isTrue();
  }

  @Test
  void rowsAreShownAsTheCommandLineShowsThem() throws IOException {
    Table table =
        export(
            oneRow(MAP, list(list("b", 1L), list("a", null))),
            ExportOptions.of(Strategy.DELETION_VECTORS));

    VerifyReport report = RowVerification.run(oneRow(MAP, list(list("c", 7L))), table);

    assertThat(report.missing().toString()).isEqualTo("[{c=[{key=c, value=7}]}]");
    assertThat(report.unexpected().toString())
        .isEqualTo("[{c=[{key=a, value=null}, {key=b, value=1}]}]");
  }
}
