package dev.narwhal.iceberg.rowdelete;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.rowdelete.plan.RowDelete;
import dev.narwhal.iceberg.rowdelete.plan.RowDeletePlan;
import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.util.ContentFileUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables that Spark and Trino wrote: what we find dead in them, and one more delete by us. */
class RecordedTablesTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  private static Path root() throws URISyntaxException {
    String named = System.getProperty("narwhal.fixtures", "");
    return named.isEmpty()
        ? Path.of(
            Objects.requireNonNull(RecordedTablesTest.class.getResource("/fixtures/iceberg"))
                .toURI())
        : Path.of(named, "iceberg");
  }

  static List<String> tables() throws IOException, URISyntaxException {
    try (Stream<Path> all = Files.list(root())) {
      List<String> names =
          all.filter(path -> Files.exists(path.resolve("expected.json")))
              .map(path -> path.getFileName().toString())
              .sorted()
              .toList();
      assertThat(names).hasSizeGreaterThanOrEqualTo(10);
      return names;
    }
  }

  static List<Arguments> tablesAndModes() throws IOException, URISyntaxException {
    List<Arguments> all = new ArrayList<>();
    for (String table : tables()) {
      for (DeleteMode mode : DeleteMode.values()) {
        all.add(Arguments.of(table, mode));
      }
    }
    return all;
  }

  private record Recorded(MemoryTable memory, JsonNode expected) {
    static Recorded open(String name) throws IOException, URISyntaxException {
      Path folder = root().resolve(name);
      JsonNode expected = JSON.readTree(folder.resolve("expected.json").toFile());
      String location = expected.get("location").textValue();
      MemoryFiles files = new MemoryFiles();
      files.load(folder.resolve("table"), location);
      MemoryTable memory =
          MemoryTable.of(
              files,
              TableMetadataParser.read(
                  files, location + "/" + expected.get("metadata").textValue()));
      return new Recorded(memory, expected);
    }

    /** The first column of the live rows, which is distinct. */
    List<Object> liveIds() {
      List<Object> ids = new ArrayList<>();
      expected.get("live_rows").forEach(row -> ids.add(row.get(0).longValue()));
      return ids;
    }

    String firstColumn() {
      return memory.table.schema().columns().get(0).name();
    }
  }

  private static List<Object> longs(List<Object> ids) {
    return ids.stream().map(id -> (Object) ((Number) id).longValue()).toList();
  }

  @ParameterizedTest
  @MethodSource("tables")
  void theDeadRowsAreThoseRecorded(String name) throws Exception {
    Recorded recorded = Recorded.open(name);
    RowDeletes deletes = new RowDeletes(recorded.memory().table, allocator);

    // not to be told by statistics, so that every file is read
    RowDeletePlan plan =
        deletes.planRowDeletes(deletes.matcher(recorded.firstColumn() + " * 1 >= 0"));

    assertThat(plan.deletedRows()).hasValue(recorded.expected().get("live_row_count").longValue());
    Map<String, PositionSet> dead = new TreeMap<>();
    for (RowDelete file : plan.files()) {
      String location = file.dataFile().location();
      dead.put(location.substring(location.indexOf("/data/") + 1), file.existing());
    }
    Map<String, PositionSet> expected = new TreeMap<>();
    for (JsonNode file : recorded.expected().get("data_files")) {
      PositionSet.Builder positions = PositionSet.builder();
      for (JsonNode range : file.get("deleted_ranges")) {
        positions.addRange(range.get(0).longValue(), range.get(1).longValue());
      }
      PositionSet set = positions.build();
      if (set.cardinality() < file.get("record_count").longValue()) {
        expected.put(file.get("path").textValue(), set);
      }
    }
    assertThat(dead).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("tablesAndModes")
  void oneMoreDeleteTakesOneMoreRow(String name, DeleteMode mode) throws Exception {
    Recorded recorded = Recorded.open(name);
    MemoryTable memory = recorded.memory();
    List<Object> live = recorded.liveIds();
    assertThat(longs(memory.ids())).containsExactlyInAnyOrderElementsOf(live);
    List<String> before = memory.rows();
    Object gone = live.get(live.size() / 2);
    RowDeletes deletes = new RowDeletes(memory.table, allocator);

    deletes.delete(deletes.matcher(recorded.firstColumn() + " = " + gone), mode);

    assertThat(longs(memory.ids()))
        .hasSize(live.size() - 1)
        .doesNotContain(gone)
        .allMatch(live::contains);
    List<String> after = memory.rows();
    assertThat(before).containsAll(after).hasSize(after.size() + 1);
    assertThat(memory.deletes().stream().filter(ContentFileUtil::isDV))
        .extracting(DeleteFile::referencedDataFile)
        .doesNotHaveDuplicates();
    if (recorded.expected().get("format_version").intValue() == 3) {
      long partitionScoped =
          memory.deletes().stream()
              .filter(file -> file.content() == FileContent.POSITION_DELETES)
              .filter(file -> !ContentFileUtil.isDV(file))
              .count();
      // v3 gets no new position deletes: at most what the upgraded table had
      assertThat(partitionScoped).isLessThanOrEqualTo(1);
    }
  }
}
