package dev.narwhal.iceberg.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.iceberg.mapping.Exemption;
import dev.narwhal.iceberg.mapping.UnmappableValueException;
import dev.narwhal.iceberg.mapping.Unsupported;
import dev.narwhal.iceberg.source.Judge;
import dev.narwhal.iceberg.source.NestedColumns;
import dev.narwhal.iceberg.source.SampleColumn;
import dev.narwhal.iceberg.source.SampleColumns;
import dev.narwhal.iceberg.source.SampleDataset;
import dev.narwhal.iceberg.table.TableTarget;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Columns and values without counterpart, in tables that are written. */
class UnsupportedColumnsTest {
  private static final Field DURATION =
      Field.nullable("d", new ArrowType.Duration(TimeUnit.SECOND));
  private static final Field INT = Field.nullable("item", new ArrowType.Int(32, true));

  @TempDir Path directory;
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  private ExportReport export(ExportOptions options, SampleColumn... columns) throws IOException {
    List<SampleColumn> all = new ArrayList<>(List.of(SampleColumns.id()));
    all.addAll(List.of(columns));
    SampleDataset dataset =
        new SampleDataset(all, allocator, 7).with(20, DeletionVector.ofOffsets(3));
    try (TableTarget target = TableTarget.at(directory.resolve("table").toString())) {
      return DatasetExport.run(dataset, target, options);
    }
  }

  private Table load() {
    try (TableTarget target = TableTarget.at(directory.resolve("table").toString())) {
      return target.load().orElseThrow();
    }
  }

  @ParameterizedTest
  @EnumSource(Strategy.class)
  void areLeftOutOnRequestAndTheRestStays(Strategy strategy) throws IOException {
    Field struct = NestedColumns.struct("s", true, DURATION, INT);
    SampleDataset without =
        new SampleDataset(
                List.of(SampleColumns.id(), NestedColumns.always(struct("s", INT), List.of(5L))),
                allocator,
                7)
            .with(20, DeletionVector.ofOffsets(3));

    ExportReport report =
        export(
            ExportOptions.of(strategy).withUnsupported(Unsupported.DROP),
            NestedColumns.of(DURATION),
            NestedColumns.always(struct, List.of(9L, 5L)));

    assertThat(report.dropped()).extracting(Exemption::column).containsExactly("d", "s.d");
    assertThat(Judge.liveRows(load())).isEqualTo(Judge.comparable(without.liveRows()));
  }

  private static Field struct(String name, Field... fields) {
    return NestedColumns.struct(name, true, fields);
  }

  @ParameterizedTest
  @EnumSource(Strategy.class)
  void areTextOnRequestAtEveryLevel(Strategy strategy) throws IOException {
    Field nanos = Field.nullable("t", new ArrowType.Timestamp(TimeUnit.NANOSECOND, "UTC"));
    Field unknown =
        new Field(
            "e",
            new FieldType(
                true,
                new ArrowType.Struct(),
                null,
                Map.of(ArrowType.ExtensionType.EXTENSION_METADATA_KEY_NAME, "some.thing")),
            List.of(INT, NestedColumns.list("l", true, INT)));

    ExportReport report =
        export(
            ExportOptions.of(strategy).withUnsupported(Unsupported.STRING),
            NestedColumns.always(DURATION, 90L),
            NestedColumns.always(NestedColumns.list("l", true, DURATION), Arrays.asList(1L, null)),
            NestedColumns.always(nanos, 1_700_000_000_123_456_789L),
            NestedColumns.always(unknown, Arrays.asList(7L, Arrays.asList(1L, null))));

    boolean hasNanos = report.formatVersion() == 3;
    assertThat(report.rendered())
        .extracting(Exemption::column)
        .isEqualTo(hasNanos ? List.of("d", "l.element", "e") : List.of("d", "l.element", "t", "e"));
    assertThat(Judge.liveRows(load()).values())
        .hasSize(19)
        .allSatisfy(
            row -> {
              assertThat(row.get(1)).isEqualTo("PT1M30S");
              assertThat(row.get(2)).isEqualTo(Arrays.asList("PT1S", null));
              assertThat(row.get(3)).asString().isEqualTo("2023-11-14T22:13:20.123456789Z");
              assertThat(row.get(4)).isEqualTo("{\"item\":7,\"l\":[1,null]}");
            });
  }

  @Test
  void areRefusedWithoutRequestAndNothingIsWritten() throws IOException {
    assertThatThrownBy(
            () ->
                export(
                    ExportOptions.of(Strategy.DELETION_VECTORS),
                    NestedColumns.of(struct("s", DURATION))))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessage("column s.d of type Duration(SECOND): Iceberg has no durations");
    assertThat(Files.exists(directory.resolve("table"))).isFalse();
  }

  @Test
  void aMapWithAKeyTwiceIsAFaultThatNamesTheRow() {
    Field map = NestedColumns.map("m", true, Field.notNullable("key", new ArrowType.Utf8()), INT);
    Field list = NestedColumns.list("l", true, map);
    List<Object> twice =
        List.of(List.of(), List.of(List.of("a", 1L), List.of("b", 2L), List.of("a", 3L)));

    assertThatThrownBy(
            () ->
                export(ExportOptions.of(Strategy.COPY_ON_WRITE), NestedColumns.always(list, twice)))
        .isInstanceOf(UnmappableValueException.class)
        .hasMessage(
            "fragment 0: column l.element, row 0: the map has a key twice, which an Iceberg map"
                + " cannot");
  }

  @Test
  void aNullInARequiredNestedFieldIsAFaultThatNamesPathAndRow() {
    Field list =
        NestedColumns.list(
            "l",
            true,
            NestedColumns.struct(
                "item", true, Field.notNullable("x", new ArrowType.Int(32, true))));
    List<Object> holey = List.of(List.of(1L), Arrays.asList(new Object[] {null}));

    assertThatThrownBy(
            () ->
                export(
                    ExportOptions.of(Strategy.DELETION_VECTORS), NestedColumns.always(list, holey)))
        .isInstanceOf(UnmappableValueException.class)
        .hasMessage("fragment 0: column l.element.x, row 0: null where the schema allows none");
  }
}
