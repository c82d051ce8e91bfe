package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.conformance.RandomColumns.Nulls;
import dev.narwhal.conformance.RandomColumns.Shape;
import dev.narwhal.conformance.compare.CompareReport;
import dev.narwhal.conformance.compare.CompareRequest;
import dev.narwhal.conformance.compare.Comparison;
import dev.narwhal.conformance.compare.StrategyResult;
import dev.narwhal.iceberg.export.DatasetExport;
import dev.narwhal.iceberg.export.ExportOptions;
import dev.narwhal.iceberg.export.ExportReport;
import dev.narwhal.iceberg.export.Strategy;
import dev.narwhal.iceberg.mapping.Exemption;
import dev.narwhal.iceberg.mapping.Unsupported;
import dev.narwhal.iceberg.source.LanceSource;
import dev.narwhal.iceberg.table.TableTarget;
import dev.narwhal.iceberg.verify.RowVerification;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.manifest.VersionSelector;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.ipc.ScanOptions;

/**
 * Iceberg's generic reader sees in our tables every value that real Lance sees, of every type that
 * maps.
 */
class TypesJudgedTest {
  /** By every strategy. */
  private static final List<String> DATASETS = List.of("nested-2.1", "map-2.2", "types-2.1");

  /** The same rows from files of other versions. */
  private static final List<String> VERSIONS =
      List.of(
          "nested-2.0", "nested-2.2", "types-2.0", "types-2.2", "dictionary-2.0", "dictionary-2.1");

  @TempDir Path folder;

  static List<Arguments> exports() {
    List<Arguments> exports = new ArrayList<>();
    for (String dataset : DATASETS) {
      for (Strategy strategy : Strategy.values()) {
        exports.add(Arguments.of(dataset, strategy));
      }
    }
    for (String dataset : VERSIONS) {
      exports.add(Arguments.of(dataset, Strategy.DELETION_VECTORS));
    }
    return exports;
  }

  @ParameterizedTest(name = "{0} as {1}")
  @MethodSource("exports")
  void icebergSeesEveryValueThatRealLanceSees(String name, Strategy strategy) throws IOException {
    Path path = Fixtures.lanceDataset(name).dataset();
    try (BufferAllocator allocator = new RootAllocator();
        TableTarget target = TableTarget.at(folder.resolve("table").toString())) {
      LanceSource source = new LanceSource(Dataset.open(path.toString(), allocator), allocator);
      ExportReport report =
          DatasetExport.run(
              source, target, ExportOptions.of(strategy).withUnsupported(Unsupported.DROP));
      Table table = target.load().orElseThrow();

      assertThat(rows(table))
          .containsExactlyInAnyOrderElementsOf(
              realLanceRows(path, report.dropped().stream().map(Exemption::column).toList()));
      assertThat(RowVerification.run(source, table).equal()).isTrue();
    }
  }

  /**
   * A scan of real Lance gives places and sizes, where the table has bytes. A place without size is
   * null in files of 2.0 (file format sheet, 2.7).
   */
  @ParameterizedTest
  @ValueSource(strings = {"blob-2.0", "blob-2.1"})
  void blobsBecomeTheirBytes(String name) throws IOException {
    Path path = Fixtures.lanceDataset(name).dataset();
    Map<Long, Long> sizes = new TreeMap<>();
    try (LanceJudge judge = LanceJudge.open(path)) {
      judge.scan(
          new ScanOptions.Builder().build(),
          (batch, dictionaries) -> {
            BigIntVector ids = (BigIntVector) batch.getVector("id");
            StructVector blobs = (StructVector) batch.getVector("blob");
            for (int i = 0; i < batch.getRowCount(); i++) {
              UInt8Vector size = (UInt8Vector) blobs.getChild("size");
              UInt8Vector position = (UInt8Vector) blobs.getChild("position");
              boolean none = blobs.isNull(i) || (size.get(i) == 0 && position.get(i) != 0);
              sizes.put(ids.get(i), none ? -1 : size.get(i));
            }
          });
    }
    try (BufferAllocator allocator = new RootAllocator();
        TableTarget target = TableTarget.at(folder.resolve("table").toString())) {
      LanceSource source = new LanceSource(Dataset.open(path.toString(), allocator), allocator);
      DatasetExport.run(source, target, ExportOptions.of(Strategy.POSITION_DELETES));
      Table table = target.load().orElseThrow();

      Map<Long, Long> found = new TreeMap<>();
      try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
        for (Record record : records) {
          ByteBuffer bytes = (ByteBuffer) record.getField("blob");
          found.put((Long) record.getField("id"), bytes == null ? -1L : bytes.remaining());
        }
      }
      assertThat(found).isEqualTo(sizes);
      assertThat(RowVerification.run(source, table).equal()).isTrue();
    }
  }

  @Test
  void jsonBecomesItsTextAndBfloat16ItsNumber() throws IOException {
    Path path = folder.resolve("ds");
    JudgeWriter.at(path, "2.1")
        .create(
            new Schema(List.of(SpecialColumns.json("j"), SpecialColumns.bfloat16("v", 4))),
            List.of(300, 20),
            (batch, fragment, rows) -> {
              SpecialColumns.fillJson(
                  (VarCharVector) batch.getVector("j"), rows, Nulls.SOME, fragment);
              RandomColumns.fill(batch.getVector("v"), rows, Shape.UNIFORM, Nulls.SOME, fragment);
              batch.setRowCount(rows);
            });
    Table table = exported(path);

    assertThat(table.schema().findType("j")).isEqualTo(Types.StringType.get());
    assertThat(table.schema().findType("v.element")).isEqualTo(Types.FloatType.get());
    assertThat(rows(table)).containsExactlyInAnyOrderElementsOf(realLanceRows(path, List.of()));
  }

  @Test
  void blobsOfTheSecondKindBecomeTheirBytes() throws IOException {
    Path path = folder.resolve("ds");
    List<String> given = new ArrayList<>();
    JudgeWriter.at(path, "2.2")
        .create(
            new Schema(List.of(SpecialColumns.blobV2("b"))),
            List.of(20, 1),
            (batch, fragment, rows) -> {
              StructVector blobs = (StructVector) batch.getVector("b");
              SpecialColumns.fillBlobsV2(blobs, rows, Nulls.SOME, fragment);
              batch.setRowCount(rows);
              LargeVarBinaryVector data = (LargeVarBinaryVector) blobs.getChild("data");
              for (int row = 0; row < rows; row++) {
                Object bytes = blobs.isNull(row) ? null : data.get(row);
                given.add("[b:" + IcebergText.of(bytes) + "]");
              }
            });

    assertThat(rows(exported(path))).containsExactlyInAnyOrderElementsOf(given);
  }

  /** A table that verifies. */
  private Table exported(Path path) throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        TableTarget target = TableTarget.at(folder.resolve("table").toString())) {
      LanceSource source = new LanceSource(Dataset.open(path.toString(), allocator), allocator);
      DatasetExport.run(source, target, ExportOptions.of(Strategy.DELETION_VECTORS));
      Table table = target.load().orElseThrow();
      assertThat(RowVerification.run(source, table).equal()).isTrue();
      return table;
    }
  }

  @ParameterizedTest
  @EnumSource(Strategy.class)
  void theTextsOfOtherTypesVerify(Strategy strategy) throws IOException {
    Path path = Fixtures.lanceDataset("types-2.1").dataset();
    try (BufferAllocator allocator = new RootAllocator();
        TableTarget target = TableTarget.at(folder.resolve("table").toString())) {
      LanceSource source = new LanceSource(Dataset.open(path.toString(), allocator), allocator);
      ExportReport report =
          DatasetExport.run(
              source, target, ExportOptions.of(strategy).withUnsupported(Unsupported.STRING));
      Table table = target.load().orElseThrow();

      assertThat(RowVerification.run(source, table).equal()).isTrue();
      assertThat(table.schema().columns()).hasSameSizeAs(source.columns());
      assertThat(report.rendered())
          .extracting(Exemption::column)
          .containsExactlyElementsOf(
              report.formatVersion() == 3
                  ? List.of("time64_ns", "duration_us", "dec256")
                  : List.of("time64_ns", "ts_ns", "ts_ns_tz", "duration_us", "dec256"));
    }
  }

  @Test
  void otherTypesAreRefusedByName() throws IOException {
    Path path = Fixtures.lanceDataset("types-2.2").dataset();
    try (BufferAllocator allocator = new RootAllocator();
        TableTarget target = TableTarget.at(folder.resolve("table").toString())) {
      LanceSource source = new LanceSource(Dataset.open(path.toString(), allocator), allocator);

      assertThatThrownBy(
              () -> DatasetExport.run(source, target, ExportOptions.of(Strategy.DELETION_VECTORS)))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("column duration_us of type Duration");
    }
  }

  static Stream<Arguments> comparisons() {
    return Stream.of(
        Arguments.of("nested-2.1", "st.a IS NULL", Unsupported.FAIL),
        Arguments.of("map-2.2", "id % 3 = 1", Unsupported.FAIL),
        Arguments.of("types-2.2", "id % 3 = 1", Unsupported.DROP),
        Arguments.of("types-2.2", "ts_ns IS NULL", Unsupported.STRING));
  }

  @ParameterizedTest(name = "{0} where {1}, {2}")
  @MethodSource("comparisons")
  void allStrategiesLeaveTheSameRows(String name, String where, Unsupported policy)
      throws IOException {
    CompareReport report = compare(name, where, policy);

    assertThat(report.deletedRows()).isPositive();
    assertThat(report.strategies())
        .filteredOn(result -> !byEqualityDeletes(result))
        .extracting(StrategyResult::refusedReason)
        .allMatch(Optional::isEmpty);
    assertThat(report.strategies())
        .filteredOn(TypesJudgedTest::byEqualityDeletes)
        .singleElement()
        .extracting(StrategyResult::refusedReason, InstanceOfAssertFactories.optional(String.class))
        .satisfies(
            reason -> {
              if (where.startsWith("st.")) {
                assertThat(reason).hasValueSatisfying(r -> assertThat(r).contains("can be keys"));
              } else {
                assertThat(reason).isEmpty();
              }
            });
    assertThat(report.equal()).isTrue();
  }

  private static boolean byEqualityDeletes(StrategyResult result) {
    return result.strategy().name().equals("ICEBERG_EQUALITY_DELETES");
  }

  @Test
  void aPredicateOnAColumnThatIcebergLacksRulesItsStrategiesOut() throws IOException {
    CompareReport report = compare("types-2.1", "dec256 IS NULL", Unsupported.DROP);

    assertThat(report.strategies().get(0).figures()).isPresent();
    assertThat(report.strategies().subList(1, report.strategies().size()))
        .allSatisfy(
            result ->
                assertThat(result.refusedReason())
                    .hasValueSatisfying(
                        reason -> assertThat(reason).contains("does not fit", "dec256")));
  }

  private CompareReport compare(String name, String where, Unsupported policy) throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      return Comparison.run(
          new CompareRequest(
              Fixtures.lanceDataset(name).dataset().toString(),
              VersionSelector.latest(),
              where,
              policy,
              folder.resolve("compare"),
              "test"),
          allocator,
          step -> {});
    }
  }

  private static List<String> rows(Table table) throws IOException {
    List<String> rows = new ArrayList<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      for (Record record : records) {
        List<String> row = new ArrayList<>();
        for (Types.NestedField field : table.schema().columns()) {
          row.add(field.name() + ":" + IcebergText.of(record.getField(field.name())));
        }
        rows.add(row.toString());
      }
    }
    return rows;
  }

  private static List<String> realLanceRows(Path path, List<String> without) throws IOException {
    List<String> rows = new ArrayList<>();
    try (LanceJudge judge = LanceJudge.open(path)) {
      judge.scan(
          new ScanOptions.Builder().build(),
          (batch, dictionaries) -> {
            for (int i = 0; i < batch.getRowCount(); i++) {
              List<String> row = new ArrayList<>();
              for (FieldVector column : batch.getFieldVectors()) {
                if (!without.contains(column.getName())) {
                  row.add(column.getName() + ":" + IcebergText.of(column, dictionaries, i));
                }
              }
              rows.add(row.toString());
            }
          });
    }
    return rows;
  }
}
