package dev.narwhal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.narwhal.cli.CommandLineTester.Result;
import dev.narwhal.iceberg.table.TableTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The verbs that reach into Iceberg: sync, verify, compare. */
class TableVerbsTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "deletion-vectors, 3, partition, 3",
    "position-deletes, 2, partition, 1",
    "position-deletes, 2, file, 3",
    "copy-on-write, 3, partition, 0"
  })
  void aSyncedTableVerifies(String strategy, int formatVersion, String granularity, int deleteFiles)
      throws IOException {
    Path table = folder.resolve("table");
    Result sync =
        CommandLineTester.run(
            "sync",
            fixture("del-sparse"),
            table,
            "--strategy",
            strategy,
            "--table-property",
            "write.delete.granularity=" + granularity,
            "--json");
    assertThat(sync.err()).isEmpty();
    assertThat(sync.code()).isZero();
    JsonNode json = sync.json();
    assertThat(json.get("direction").textValue()).isEqualTo("lance-to-iceberg");
    assertThat(json.get("mode").textValue()).isEqualTo("full");
    assertThat(json.get("formatVersion").intValue()).isEqualTo(formatVersion);
    assertThat(json.get("rows").intValue()).isEqualTo(292);
    assertThat(json.get("dataFilesWritten").intValue()).isEqualTo(3);
    assertThat(json.get("bytesWritten").longValue()).isPositive();
    assertThat(json.get("deleteFilesWritten").intValue()).isEqualTo(deleteFiles);

    JsonNode verified =
        CommandLineTester.run("verify", fixture("del-sparse"), table, "--json").json();
    assertThat(verified.get("equal").booleanValue()).isTrue();
    assertThat(verified.get("leftRows").intValue()).isEqualTo(292);
    assertThat(verified.get("rightRows").intValue()).isEqualTo(292);
    assertThat(verified.get("missing")).isEmpty();
    assertThat(verified.get("unexpected")).isEmpty();
  }

  @Test
  void verifyShowsTheRowsThatDifferAndFails() throws IOException {
    Path table = folder.resolve("table");
    assertThat(CommandLineTester.run("sync", fixture("del-sparse"), table).code()).isZero();
    Result result =
        CommandLineTester.run("verify", fixture("del-sparse"), table, "--version", 1, "--json");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).startsWith("error: ").contains("300").contains("292");
    assertThat(result.json().get("equal").booleanValue()).isFalse();
    assertThat(result.json().get("missing")).hasSize(8);
    assertThat(result.json().get("missing").get(0).has("id")).isTrue();
    assertThat(result.json().get("unexpected")).isEmpty();
  }

  @Test
  void aDryRunWritesNothing() throws IOException {
    Path table = folder.resolve("table");
    JsonNode json =
        CommandLineTester.run("sync", fixture("del-sparse"), table, "--dry-run", "--json").json();
    assertThat(json.get("dryRun").booleanValue()).isTrue();
    assertThat(json.get("bytesWritten").longValue()).isZero();
    assertThat(table).doesNotExist();
  }

  @Test
  void aTableWithRowsIsLeftAlone() throws IOException {
    Path table = folder.resolve("table");
    assertThat(CommandLineTester.run("sync", fixture("del-sparse"), table).code()).isZero();
    List<String> before = tree(table);
    Result again = CommandLineTester.run("sync", fixture("del-sparse"), table);
    assertThat(again.code()).isEqualTo(1);
    assertThat(again.out()).isEmpty();
    assertThat(again.err().lines()).singleElement().asString().startsWith("error: ");
    assertThat(tree(table)).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({"deletion-vectors, 2", "position-deletes, 3", "no-such, 3"})
  void strategiesKeepToTheirFormatVersions(String strategy, int formatVersion) {
    Result result =
        CommandLineTester.run(
            "sync",
            "ds",
            folder.resolve("t"),
            "--strategy",
            strategy,
            "--format-version",
            formatVersion);
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).startsWith("error: ");
  }

  @Test
  void catalogsHoldTablesByName() throws IOException {
    String catalog = "type=hadoop,warehouse=" + folder.resolve("warehouse");
    Object[] arguments = {fixture("del-dense-bitmap"), "db.whales", "--catalog", catalog};
    assertThat(CommandLineTester.run("sync", arguments[0], arguments[1], "--catalog", catalog))
        .satisfies(result -> assertThat(result.err()).isEmpty())
        .satisfies(result -> assertThat(result.code()).isZero());
    JsonNode verified =
        CommandLineTester.run(
                "verify", arguments[0], arguments[1], arguments[2], arguments[3], "--json")
            .json();
    assertThat(verified.get("equal").booleanValue()).isTrue();
    assertThat(verified.get("leftRows").intValue()).isEqualTo(6000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nested-2.0", "nested-2.1", "map-2.2"})
  void nestedColumnsSyncAndVerify(String name) throws IOException {
    Path table = folder.resolve("table");
    JsonNode synced = CommandLineTester.run("sync", fixture(name), table, "--json").json();
    assertThat(synced.get("dropped")).isEmpty();
    assertThat(synced.get("rendered")).isEmpty();

    Result verified = CommandLineTester.run("verify", fixture(name), table, "--json");
    assertThat(verified.code()).isZero();
    assertThat(verified.json().get("leftRows")).isEqualTo(synced.get("rows"));
  }

  @Test
  void columnsWithoutAnIcebergTypeAreRefusedByName() throws IOException {
    Result result = CommandLineTester.run("sync", fixture("types-2.1"), folder.resolve("table"));
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err().lines())
        .singleElement()
        .asString()
        .startsWith("error: ")
        .contains(": column duration_us of type Duration(MICROSECOND): ")
        .contains("--unsupported drop or string");
    assertThat(folder.resolve("table")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({"drop, dropped, rendered, 32", "string, rendered, dropped, 35"})
  void columnsWithoutAnIcebergTypeAreDroppedOrTextOnRequest(
      String policy, String named, String empty, int columns) throws IOException {
    Path table = folder.resolve("table");
    for (String dryRun : List.of("--dry-run", "--full")) {
      JsonNode json =
          CommandLineTester.run(
                  "sync", fixture("types-2.1"), table, "--unsupported", policy, dryRun, "--json")
              .json();
      assertThat(json.get("unsupported").textValue()).isEqualTo(policy);
      assertThat(json.get(named).findValuesAsText("column"))
          .containsExactly("time64_ns", "duration_us", "dec256");
      assertThat(json.get(named).get(1).get("reason").textValue()).contains("no durations");
      assertThat(json.get(empty)).isEmpty();
    }
    try (TableTarget target = TableTarget.at(table.toString())) {
      assertThat(target.load().orElseThrow().schema().columns()).hasSize(columns);
    }

    // verify knows the policy from the table
    Result verified = CommandLineTester.run("verify", fixture("types-2.1"), table, "--json");
    assertThat(verified.code()).isZero();
    assertThat(verified.json().get("dropped")).hasSize(35 - columns);
    assertThat(CommandLineTester.run("verify", fixture("types-2.1"), table).out().lines())
        .filteredOn(line -> line.startsWith("Not compared: column "))
        .hasSize(35 - columns);
  }

  @Test
  void anUnknownPolicyIsWrongUsage() throws IOException {
    Result result =
        CommandLineTester.run(
            "sync", fixture("del-sparse"), folder.resolve("table"), "--unsupported", "ignore");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("ignore", "fail, drop, string");
  }

  /** What a column becomes as text is what rows prints for it as CSV. */
  @Test
  void renderedTextsAreThoseOfCsv() throws IOException {
    Path table = folder.resolve("table");
    assertThat(
            CommandLineTester.run(
                    "sync",
                    fixture("types-2.1"),
                    table,
                    "--format-version",
                    2,
                    "--strategy",
                    "copy-on-write",
                    "--unsupported",
                    "string")
                .code())
        .isZero();
    List<String> columns = List.of("time64_ns", "ts_ns", "ts_ns_tz", "duration_us", "dec256");
    List<String> printed =
        CommandLineTester.run(
                "rows",
                fixture("types-2.1"),
                "--columns",
                String.join(",", columns),
                "--format",
                "csv")
            .out()
            .lines()
            .skip(1)
            .toList();

    List<String> stored = new ArrayList<>();
    try (TableTarget target = TableTarget.at(table.toString());
        CloseableIterable<Record> records =
            IcebergGenerics.read(target.load().orElseThrow()).build()) {
      for (Record record : records) {
        stored.add(
            columns.stream()
                .map(column -> Objects.toString(record.getField(column), ""))
                .collect(Collectors.joining(",")));
      }
    }
    assertThat(stored).hasSize(109).isEqualTo(printed);
  }

  @Test
  void comparesEveryStrategyOnCopies() throws IOException {
    Path dataset = fixture("del-dense-bitmap");
    List<String> before = tree(dataset);
    Path out = folder.resolve("report");
    Result result =
        CommandLineTester.run("compare", dataset, "--where", "id % 5 = 0", "--out", out, "--json");
    assertThat(result.err()).isEmpty();
    assertThat(result.code()).isZero();
    JsonNode json = result.json();
    assertThat(json.get("equal").booleanValue()).isTrue();
    assertThat(json.get("rows").intValue()).isEqualTo(6000);
    List<String> names = new ArrayList<>();
    for (JsonNode strategy : json.get("strategies")) {
      names.add(strategy.get("name").textValue());
      assertThat(strategy.get("liveRows").intValue())
          .isEqualTo(6000 - json.get("deletedRows").intValue());
      assertThat(strategy.get("rowsHash").textValue()).hasSize(32);
      assertThat(strategy.get("bytesWritten").longValue()).isPositive();
      assertThat(strategy.get("filesWritten").longValue()).isPositive();
      assertThat(strategy.get("bytesRead").longValue()).isPositive();
      assertThat(strategy.get("writeAmplification").doubleValue()).isPositive();
    }
    assertThat(names)
        .containsExactly(
            "lance-deletion-file",
            "iceberg-deletion-vectors",
            "iceberg-position-deletes-file",
            "iceberg-position-deletes-partition",
            "iceberg-copy-on-write",
            "iceberg-equality-deletes");
    assertThat(out.resolve("compare.html")).isNotEmptyFile();
    assertThat(out.resolve("compare.json")).isNotEmptyFile();
    assertThat(tree(dataset)).isEqualTo(before);
    // a second run replaces what the first left
    assertThat(CommandLineTester.run("compare", dataset, "--where", "id < 0", "--out", out).code())
        .isZero();
  }

  @Test
  void comparesFromAnOlderVersion() throws IOException {
    JsonNode json =
        CommandLineTester.run(
                "compare",
                fixture("del-sparse"),
                "--version",
                1,
                "--where",
                "id = 5",
                "--out",
                folder.resolve("report"),
                "--json")
            .json();
    assertThat(json.get("rows").intValue()).isEqualTo(300);
    assertThat(json.get("deletedRows").intValue()).isEqualTo(1);
    assertThat(json.get("equal").booleanValue()).isTrue();
    assertThat(json.get("command").textValue())
        .startsWith("./narwhal compare ")
        .contains(" --version 1 --where 'id = 5' --out ")
        .endsWith(" --json");
  }

  @Test
  void aFolderThatCompareDidNotMakeIsNotReplaced() throws IOException {
    Path work = Files.createDirectories(folder.resolve("work"));
    Path file = Files.writeString(work.resolve("precious.txt"), "keep");
    Result result =
        CommandLineTester.run(
            "compare", fixture("del-sparse"), "--where", "id = 5", "--out", folder);
    assertThat(result.code()).isEqualTo(1);
    assertThat(file).hasContent("keep");
  }

  @Test
  void compareReportsOutsideTheDataset() throws IOException {
    Path dataset = fixture("del-sparse");
    Result result =
        CommandLineTester.run(
            "compare", dataset, "--where", "id = 5", "--out", dataset.resolve("report"));
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("is in the dataset");
    assertThat(dataset.resolve("report")).doesNotExist();
  }

  private static Path fixture(String name) {
    return CommandLineTester.root()
        .resolve("lance-core/src/test/resources/fixtures/lance")
        .resolve(name)
        .resolve("ds")
        .toAbsolutePath()
        .normalize();
  }

  private static List<String> tree(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.map(file -> root.relativize(file).toString()).sorted().toList();
    }
  }
}
