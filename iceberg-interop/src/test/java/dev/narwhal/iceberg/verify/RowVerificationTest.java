package dev.narwhal.iceberg.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.iceberg.deletes.EqualityDeletes;
import dev.narwhal.iceberg.export.DatasetExport;
import dev.narwhal.iceberg.export.ExportOptions;
import dev.narwhal.iceberg.export.Strategy;
import dev.narwhal.iceberg.mapping.MappingRules;
import dev.narwhal.iceberg.source.NestedColumns;
import dev.narwhal.iceberg.source.SampleColumn;
import dev.narwhal.iceberg.source.SampleColumns;
import dev.narwhal.iceberg.source.SampleDataset;
import dev.narwhal.iceberg.table.IncompatibleTableException;
import dev.narwhal.iceberg.table.TableTarget;
import dev.narwhal.lance.deletion.DeletionVector;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RowVerificationTest {
  @TempDir Path directory;
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  private SampleDataset dataset(List<SampleColumn> columns) {
    return new SampleDataset(columns, allocator, 37);
  }

  private Table export(SampleDataset dataset, ExportOptions options) throws IOException {
    try (TableTarget target = TableTarget.at(directory.resolve("table").toString())) {
      DatasetExport.run(dataset, target, options);
      return target.load().orElseThrow();
    }
  }

  private Table export(SampleDataset dataset) throws IOException {
    return export(dataset, ExportOptions.of(Strategy.DELETION_VECTORS));
  }

  private static RowsDigest digest(SampleDataset dataset) throws IOException {
    return RowVerification.digest(dataset, MappingRules.ofVersion(3));
  }

  private static SampleColumn numbers(IntFunction<Integer> value) {
    return SampleColumn.required(
        "n",
        new ArrowType.Int(32, true),
        IntVector.class,
        (v, at, i) -> v.set(at, value.apply(i)),
        value::apply);
  }

  private static SampleColumn doubles(IntFunction<Double> value) {
    return SampleColumn.required(
        "d",
        new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE),
        Float8Vector.class,
        (v, at, i) -> v.set(at, value.apply(i)),
        value::apply);
  }

  @ParameterizedTest
  @CsvSource({"DELETION_VECTORS, 3", "POSITION_DELETES, 2", "COPY_ON_WRITE, 2", "COPY_ON_WRITE, 3"})
  void bothSidesAgreeOnEveryType(Strategy strategy, int formatVersion) throws IOException {
    SampleDataset dataset =
        dataset(NestedColumns.andFlatOnes(formatVersion))
            .with(130, DeletionVector.ofOffsets(0, 36, 37, 129))
            .with(70, DeletionVector.empty());
    Table table = export(dataset, ExportOptions.of(strategy, formatVersion));

    VerifyReport report = RowVerification.run(dataset, table);

    assertThat(report.equal()).isTrue();
    assertThat(report.left().rows()).isEqualTo(196);
    assertThat(report.right().rows()).isEqualTo(196);
    assertThat(report.missing()).isEmpty();
    assertThat(report.unexpected()).isEmpty();
    assertThat(RowVerification.digest(table)).isEqualTo(digest(dataset));
    assertThat(report.left().hash()).isEqualTo(report.right().hash()).matches("[0-9a-f]{32}");
  }

  @Test
  void eachTypeCountsByItself() throws IOException {
    // row 3 (null, if the column may be) against row 5
    for (SampleColumn column : SampleColumns.ofVersion3()) {
      RowsDigest one = digest(dataset(List.of(column)).with(5, DeletionVector.empty()));
      RowsDigest other = digest(dataset(List.of(column)).with(6, DeletionVector.ofOffsets(3)));
      assertThat(one.rows()).isEqualTo(other.rows());
      assertThat(one).as(column.field().getName()).isNotEqualTo(other);
    }
  }

  @Test
  void rowsThatTheTableLacksAreMissing() throws IOException {
    SampleDataset narrow =
        dataset(List.of(SampleColumns.id())).with(100, DeletionVector.ofOffsets(7, 8));
    SampleDataset wide = dataset(List.of(SampleColumns.id())).with(100, DeletionVector.empty());
    Table table = export(narrow);

    VerifyReport report = RowVerification.run(wide, table);

    assertThat(report.equal()).isFalse();
    assertThat(report.left().rows()).isEqualTo(100);
    assertThat(report.right().rows()).isEqualTo(98);
    assertThat(report.missing()).containsExactlyInAnyOrder(Map.of("id", 7L), Map.of("id", 8L));
    assertThat(report.unexpected()).isEmpty();
  }

  @Test
  void rowsThatOnlyTheTableHasAreUnexpectedTenAtMost() throws IOException {
    SampleDataset wide = dataset(List.of(SampleColumns.id())).with(3_000, DeletionVector.empty());
    SampleDataset narrow =
        dataset(List.of(SampleColumns.id()))
            .with(3_000, DeletionVector.ofOffsets(IntStream.range(0, 3_000).toArray()));
    Table table = export(wide);

    VerifyReport report = RowVerification.run(narrow, table);

    assertThat(report.left().rows()).isZero();
    assertThat(report.missing()).isEmpty();
    assertThat(report.unexpected()).hasSize(10).doesNotHaveDuplicates();
  }

  @Test
  void duplicatesCountWhichAnExclusiveOrWouldLose() throws IOException {
    // {1, 1, 5} against {2, 2, 5}: equal counts, equal exclusive-or
    Table table =
        export(dataset(List.of(numbers(i -> i < 2 ? 2 : 5))).with(3, DeletionVector.empty()));

    VerifyReport report =
        RowVerification.run(
            dataset(List.of(numbers(i -> i < 2 ? 1 : 5))).with(3, DeletionVector.empty()), table);

    assertThat(report.equal()).isFalse();
    assertThat(report.missing()).containsExactly(Map.of("n", 1), Map.of("n", 1));
    assertThat(report.unexpected()).containsExactly(Map.of("n", 2), Map.of("n", 2));
  }

  @Test
  void onlyTheSurplusOfARowThatIsThereOftenIsShown() throws IOException {
    Table table = export(dataset(List.of(numbers(i -> 1))).with(3, DeletionVector.empty()));

    VerifyReport report =
        RowVerification.run(
            dataset(List.of(numbers(i -> 1))).with(5, DeletionVector.empty()), table);

    assertThat(report.missing()).containsExactly(Map.of("n", 1), Map.of("n", 1));
    assertThat(report.unexpected()).isEmpty();
  }

  @Test
  void zerosDifferBySignAndNaNsAreOne() throws IOException {
    double otherNaN = Double.longBitsToDouble(0x7ff8_0000_0000_1234L);
    Table table =
        export(
            dataset(List.of(doubles(i -> i == 0 ? 0.0 : Double.NaN)))
                .with(2, DeletionVector.empty()));

    VerifyReport report =
        RowVerification.run(
            dataset(List.of(doubles(i -> i == 0 ? -0.0 : otherNaN)))
                .with(2, DeletionVector.empty()),
            table);

    assertThat(report.missing()).containsExactly(Map.of("d", -0.0));
    assertThat(report.unexpected()).containsExactly(Map.of("d", 0.0));
  }

  @Test
  void rowsDeletedByEqualityAreNotAlive() throws IOException {
    SampleDataset dataset =
        dataset(SampleColumns.ofVersion3()).with(100, DeletionVector.ofOffsets(1));
    Table table = export(dataset);
    EqualityDeletes.commit(table, 5);

    VerifyReport report = RowVerification.run(dataset, table);

    assertThat(report.missing())
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row).containsEntry("id", 5L).containsEntry("int32", 5_000_015);
            });
    assertThat(report.unexpected()).isEmpty();
  }

  @Test
  void orderOfRowsPlaysNoPart() throws IOException {
    Table table = export(dataset(List.of(numbers(i -> i))).with(500, DeletionVector.empty()));

    SampleDataset reversed =
        dataset(List.of(numbers(i -> 499 - i)))
            .with(300, DeletionVector.empty())
            .with(200, DeletionVector.empty());

    assertThat(RowVerification.run(reversed, table).equal()).isTrue();
  }

  @Test
  void columnsCorrespondByFieldIdThroughRenamesAndReorderings() throws IOException {
    SampleDataset dataset =
        dataset(List.of(SampleColumns.id(), numbers(i -> i))).with(9, DeletionVector.empty());
    Table table = export(dataset);
    table.updateSchema().renameColumn("n", "renamed").commit();
    table.updateSchema().moveFirst("renamed").commit();

    assertThat(RowVerification.run(dataset, table).equal()).isTrue();
  }

  @Test
  void columnsOfATableWithoutTheMapCorrespondByName() throws IOException {
    SampleDataset dataset =
        dataset(List.of(SampleColumns.id(), numbers(i -> i))).with(9, DeletionVector.empty());
    Table table = export(dataset);
    table.updateProperties().remove("narwhal.lance.field-ids").commit();
    table.updateSchema().moveFirst("n").commit();

    assertThat(RowVerification.run(dataset, table).equal()).isTrue();
  }

  @Test
  void tablesOfOtherColumnsAreRefused() throws IOException {
    SampleDataset narrow = dataset(List.of(SampleColumns.id()));
    SampleDataset wide = dataset(List.of(SampleColumns.id(), numbers(i -> i)));
    SampleDataset other = dataset(List.of(SampleColumns.id(), doubles(i -> 0.0)));
    Table table = export(wide);

    assertThatThrownBy(() -> RowVerification.run(narrow, table))
        .isInstanceOf(IncompatibleTableException.class)
        .hasMessageContaining("columns that the dataset lacks")
        .hasMessageContaining("n: required int");
    assertThatThrownBy(() -> RowVerification.run(other, table))
        .isInstanceOf(IncompatibleTableException.class)
        .hasMessageContaining("column d is int")
        .hasMessageContaining("maps to double");
    table.updateProperties().remove("narwhal.lance.field-ids").commit();
    assertThatThrownBy(() -> RowVerification.run(other, table))
        .isInstanceOf(IncompatibleTableException.class)
        .hasMessageContaining("no column d");
  }

  @ParameterizedTest
  @EnumSource(Strategy.class)
  void anEmptyDatasetEqualsItsTable(Strategy strategy) throws IOException {
    SampleDataset dataset = dataset(SampleColumns.ofVersion2());
    Table table = export(dataset, ExportOptions.of(strategy));

    VerifyReport report = RowVerification.run(dataset, table);

    assertThat(report.equal()).isTrue();
    assertThat(report.left().hash()).isEqualTo("0".repeat(32));
  }
}
