package dev.narwhal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.narwhal.cli.CommandLineTester.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The verbs on datasets, against datasets of real Lance and what real Lance says of them. */
class LanceVerbsTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Path SAMPLE = CommandLineTester.root().resolve("samples/sightings.lance");

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "del-sparse",
        "del-dense-bitmap",
        "del-whole-fragment",
        "del-array-grows-to-bitmap",
        "index-btree-delete",
        "stable-delete",
        "manifest-v1",
        "tags",
        "branches",
        "empty"
      })
  void inspectSaysWhatRealLanceSays(String name) throws IOException {
    JsonNode versions = expected(name).get("versions");
    JsonNode expected = versions.get(versions.size() - 1);
    JsonNode json = json("inspect", fixture(name));
    assertThat(json.get("version")).isEqualTo(expected.get("version"));
    assertThat(json.get("liveRows")).isEqualTo(expected.get("live_rows"));
    JsonNode manifest = expected.get("manifest");
    assertThat(json.get("readerFlags")).isEqualTo(manifest.get("reader_feature_flags"));
    assertThat(json.get("writerFlags")).isEqualTo(manifest.get("writer_feature_flags"));
    assertThat(json.get("nextRowId")).isEqualTo(manifest.get("next_row_id"));
    assertThat("lance " + json.get("dataStorageVersion").textValue())
        .isEqualTo(manifest.get("data_format").textValue());
    JsonNode fragments = expected.get("fragments");
    assertThat(json.get("fragments")).hasSize(fragments.size());
    for (int i = 0; i < fragments.size(); i++) {
      assertFragment(json.get("fragments").get(i), fragments.get(i));
    }
  }

  private static void assertFragment(JsonNode fragment, JsonNode expected) {
    assertThat(fragment.get("id")).isEqualTo(expected.get("id"));
    assertThat(fragment.get("physicalRows")).isEqualTo(expected.get("physical_rows"));
    JsonNode deletions = expected.get("deletion_file");
    if (deletions.get("type").textValue().equals("none")) {
      assertThat(fragment.get("deletionFile").isNull()).isTrue();
      assertThat(fragment.get("deletedRows").longValue()).isZero();
    } else {
      assertThat(fragment.at("/deletionFile/type")).isEqualTo(deletions.get("type"));
      assertThat(fragment.at("/deletionFile/path")).isEqualTo(deletions.get("path"));
      assertThat(fragment.at("/deletionFile/count")).isEqualTo(deletions.get("num_deleted_rows"));
      assertThat(fragment.get("deletedRows")).isEqualTo(deletions.get("num_deleted_rows"));
    }
    List<JsonNode> files = new ArrayList<>();
    expected.get("files").forEach(files::add);
    for (int i = 0; i < files.size(); i++) {
      JsonNode file = fragment.get("dataFiles").get(i);
      assertThat(file.get("path")).isEqualTo(files.get(i).get("path"));
      assertThat(file.get("fields")).isEqualTo(files.get(i).get("fields"));
      assertThat(file.get("version")).isEqualTo(files.get(i).get("version"));
    }
  }

  @Test
  void inspectListsIndices() throws IOException {
    JsonNode expected = expected("index-btree-delete").at("/versions/4/indices");
    JsonNode indices = json("inspect", fixture("index-btree-delete")).get("indices");
    assertThat(indices).hasSize(expected.size()).isNotEmpty();
    for (int i = 0; i < expected.size(); i++) {
      for (String key : List.of("name", "fields", "fragments")) {
        assertThat(indices.get(i).get(key)).isEqualTo(expected.get(i).get(key));
      }
    }
  }

  @Test
  void inspectHasTheKeysOfTheContract() throws IOException {
    assertThat(json("inspect", SAMPLE).fieldNames())
        .toIterable()
        .containsExactly(
            "version",
            "timestamp",
            "dataStorageVersion",
            "schema",
            "fragments",
            "indices",
            "readerFlags",
            "writerFlags",
            "stableRowIds",
            "nextRowId",
            "liveRows",
            "branch",
            "tags",
            "branches",
            "basePaths");
    assertThat(json("inspect", SAMPLE).at("/schema/0").toString())
        .isEqualTo(
            "{\"id\":0,\"parent\":-1,\"name\":\"sighting_id\",\"type\":\"int64\","
                + "\"nullable\":false}");
  }

  @Test
  void inspectShowsTagsAndBranches() throws IOException {
    JsonNode tags = json("inspect", fixture("tags")).get("tags");
    assertThat(tags).isNotEmpty();
    String tag = tags.get(0).get("name").textValue();
    assertThat(json("inspect", fixture("tags"), "--tag", tag).get("version"))
        .isEqualTo(tags.get(0).get("version"));
    JsonNode branches = json("inspect", fixture("branches")).get("branches");
    assertThat(branches).isNotEmpty();
    String branch = branches.get(0).get("name").textValue();
    assertThat(CommandLineTester.run("count", fixture("branches"), "--branch", branch).code())
        .isZero();
    assertThat(CommandLineTester.run("inspect", fixture("branches")).out()).contains(branch);
  }

  @Test
  void everyVersionHasItsCount() throws IOException {
    for (JsonNode version : expected("del-append-del").get("versions")) {
      JsonNode json =
          json("count", fixture("del-append-del"), "--version", version.get("version").asText());
      assertThat(json.get("count")).isEqualTo(version.get("live_rows"));
    }
  }

  @Test
  void countsRowsThatMatch() throws IOException {
    assertThat(CommandLineTester.run("count", SAMPLE).out()).isEqualTo("187049\n");
    assertThat(json("count", SAMPLE, "--where", "sighting_id <= 10").toString())
        .isEqualTo("{\"count\":10}");
    assertThat(json("count", SAMPLE, "--where", "sighting_id < 0").toString())
        .isEqualTo("{\"count\":0}");
  }

  @Test
  void rowsAreOneObjectPerLine() {
    Result result =
        CommandLineTester.run(
            "rows",
            SAMPLE,
            "--columns",
            "species,sighting_id",
            "--where",
            "sighting_id in (2, 3)",
            "--with-row-address",
            "--with-row-id");
    assertThat(result.out())
        .isEqualTo(
            """
            {"species":"blue whale","sighting_id":2,"_rowid":1,"_rowaddr":1}
            {"species":"minke whale","sighting_id":3,"_rowid":2,"_rowaddr":2}
            """);
    assertThat(result.code()).isZero();
  }

  @Test
  void rowsShowIdsAddressesAndVersions() throws IOException {
    Result result =
        CommandLineTester.run(
            "rows",
            fixture("stable-upsert"),
            "--columns",
            "id",
            "--where",
            "id = 3 OR _row_created_at_version = 2 AND id = 61 OR id = 17",
            "--with-versions",
            "--with-row-address",
            "--with-row-id");
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .isEqualTo(
            """
            {"id":3,"_rowid":3,"_rowaddr":3,"_row_created_at_version":1,"_row_last_updated_at_version":1}
            {"id":17,"_rowid":17,"_rowaddr":12884901890,"_row_created_at_version":1,"_row_last_updated_at_version":2}
            {"id":61,"_rowid":61,"_rowaddr":12884901934,"_row_created_at_version":2,"_row_last_updated_at_version":2}
            """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--offsets 61,3,3", "--addresses 12884901934,3,3", "--row-ids 61,3,3"})
  void takePrintsTheNamedRowsInTheirOrder(String names) {
    List<Object> args = new ArrayList<>(List.of("take", fixture("stable-upsert")));
    args.addAll(List.of(names.split(" ")));
    args.addAll(List.of("--columns", "id", "--with-row-id"));
    Result result = CommandLineTester.run(args.toArray());
    assertThat(result.out())
        .isEqualTo(
            """
            {"id":61,"_rowid":61}
            {"id":3,"_rowid":3}
            {"id":3,"_rowid":3}
            """);
    assertThat(result.code()).isZero();
    args.addAll(List.of("--version", "1", "--format", "csv"));
    Result first = CommandLineTester.run(args.toArray());
    assertThat(first.code()).isEqualTo(1);
    assertThat(first.err()).contains("stable-upsert").contains(": version 1: no live row has the ");
  }

  @Test
  void takeWritesEveryFormat() {
    assertThat(
            CommandLineTester.run(
                    "take",
                    SAMPLE,
                    "--offsets",
                    "1,0",
                    "--columns",
                    "sighting_id,calves",
                    "--format",
                    "csv")
                .out())
        .isEqualTo("sighting_id,calves\r\n2,\r\n1,2\r\n");
    assertThat(CommandLineTester.run("take", SAMPLE, "--offsets", "7", "--format", "arrow").out())
        .isNotEmpty();
  }

  @Test
  void inspectShowsRowIdsAndVersionsOfFragments() throws IOException {
    JsonNode fragments = json("inspect", fixture("stable-upsert")).get("fragments");
    assertThat(fragments.at("/0/rowIds").toString()).isEqualTo("{\"first\":0,\"last\":19}");
    assertThat(fragments.at("/0/createdAtVersions").toString()).isEqualTo("{\"min\":1,\"max\":1}");
    assertThat(fragments.at("/1/rowIds").toString()).isEqualTo("{\"first\":15,\"last\":74}");
    assertThat(fragments.at("/1/createdAtVersions").toString()).isEqualTo("{\"min\":1,\"max\":2}");
    assertThat(fragments.at("/1/lastUpdatedAtVersions").toString())
        .isEqualTo("{\"min\":2,\"max\":2}");
    assertThat(CommandLineTester.run("inspect", fixture("stable-upsert")).out())
        .contains("row ids 15..74, created in version 1..2, last updated in version 2\n");
    assertThat(json("inspect", fixture("del-sparse")).at("/fragments/0").has("rowIds")).isFalse();
  }

  @Test
  void inspectTellsBranchesBasePathsAndIndicesInWords() {
    String branches = CommandLineTester.run("inspect", fixture("branches")).out();
    assertThat(branches).contains("branches\n  exp, from version 2 of main\n");
    String exp = CommandLineTester.run("inspect", fixture("branches"), "--branch", "exp").out();
    assertThat(exp).contains("base paths\n  0 = branches/ds\n");
    assertThat(CommandLineTester.run("inspect", fixture("tags")).out())
        .contains("release-1.0 = version ");
    assertThat(CommandLineTester.run("inspect", fixture("index-btree-delete")).out())
        .containsPattern("indices\n  \\w+, fields \\[0\\], fragments \\[0, 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"legacy-life", "types-legacy", "nested-legacy"})
  void legacyDatasetsAreInspectedAndCountedOnly(String name) throws IOException {
    JsonNode versions = expected(name).get("versions");
    JsonNode newest = versions.get(versions.size() - 1);
    assertThat(json("count", fixture(name)).get("count")).isEqualTo(newest.get("live_rows"));
    assertThat(json("inspect", fixture(name)).get("liveRows")).isEqualTo(newest.get("live_rows"));
    for (List<Object> verb :
        List.<List<Object>>of(
            List.of("rows", fixture(name)), List.of("take", fixture(name), "--offsets", "0"))) {
      Result result = CommandLineTester.run(verb.toArray());
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err()).contains("legacy format 0.1", "data storage version 2.1");
    }
  }

  @Test
  void rowsComeAsCsvToo() {
    assertThat(
            CommandLineTester.run(
                    "rows",
                    SAMPLE,
                    "--columns",
                    "sighting_id,calves",
                    "--limit",
                    2,
                    "--format",
                    "csv")
                .out())
        .isEqualTo("sighting_id,calves\r\n1,2\r\n2,\r\n");
  }

  @Test
  void noRowsAreNoFailure() {
    Result result = CommandLineTester.run("rows", SAMPLE, "--where", "sighting_id < 0");
    assertThat(result.code()).isZero();
    assertThat(result.out()).isEmpty();
    assertThat(CommandLineTester.run("rows", SAMPLE, "--limit", 0).out()).isEmpty();
  }

  @Test
  void deleteCommitsAndReports() throws IOException {
    Path copy = copy(SAMPLE);
    JsonNode json = json("delete", copy, "--where", "sighting_id <= 100");
    assertThat(json.fieldNames())
        .toIterable()
        .containsExactly(
            "version",
            "deletedRows",
            "fragmentsUpdated",
            "fragmentsDropped",
            "bytesWritten",
            "attempts");
    assertThat(json.get("deletedRows").longValue()).isEqualTo(100);
    assertThat(json.get("version").longValue()).isEqualTo(9);
    assertThat(json("count", copy).get("count").longValue()).isEqualTo(186_949);
    assertThat(json("count", copy, "--version", "8").get("count").longValue()).isEqualTo(187_049);
    assertThat(json("inspect", copy).at("/fragments/0/deletionFile/type").textValue())
        .isEqualTo("array");
  }

  @Test
  void theArrayThresholdChoosesTheEncoding() throws IOException {
    Path copy = copy(SAMPLE);
    json("delete", copy, "--where", "sighting_id <= 100", "--array-threshold", "100");
    assertThat(json("inspect", copy).at("/fragments/0/deletionFile/type").textValue())
        .isEqualTo("bitmap");
  }

  @Test
  void aDeleteThatMatchesNothingMakesNoVersion() throws IOException {
    Path copy = copy(SAMPLE);
    JsonNode json = json("delete", copy, "--where", "sighting_id < 0");
    assertThat(json.toString())
        .isEqualTo(
            "{\"version\":8,\"deletedRows\":0,\"fragmentsUpdated\":0,\"fragmentsDropped\":0,"
                + "\"bytesWritten\":0,\"attempts\":0}");
    assertThat(files(copy)).isEqualTo(files(SAMPLE));
  }

  @Test
  void aDryRunWritesNothing() throws IOException {
    Path copy = copy(SAMPLE);
    JsonNode json = json("delete", copy, "--where", "sighting_id <= 100", "--dry-run");
    assertThat(json.get("deletedRows").longValue()).isEqualTo(100);
    assertThat(files(copy)).isEqualTo(files(SAMPLE));
    assertThat(CommandLineTester.run("delete", copy, "--where", "true", "--dry-run").out())
        .startsWith("Would delete 187049 rows");
  }

  @Test
  void historyTellsWhatMadeEachVersion() throws IOException {
    JsonNode expected = expected("del-append-del").get("versions");
    JsonNode versions = json("history", fixture("del-append-del")).get("versions");
    assertThat(versions).hasSize(expected.size());
    for (int i = 0; i < expected.size(); i++) {
      assertThat(versions.get(i).get("version")).isEqualTo(expected.get(i).get("version"));
      assertThat(versions.get(i).get("operation").textValue())
          .isEqualToIgnoringCase(expected.get(i).at("/manifest/operation").textValue());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "count SAMPLE --where nope=1",
        "count SAMPLE --where sighting_id=",
        "count SAMPLE --version 99",
        "count SAMPLE --tag nope",
        "count SAMPLE --branch nope",
        "count SAMPLE --as-of 2001-01-01",
        "count NOWHERE",
        "rows SAMPLE --columns nope",
        "take SAMPLE --offsets 187049",
        "take SAMPLE --row-ids 18446744073709551615",
        "take SAMPLE --offsets 0 --columns nope",
        "delete SAMPLE --where species=1",
        "history NOWHERE",
        "inspect FILE"
      })
  void badInputIsOneErrorLine(String line) throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "x");
    List<Object> args = new ArrayList<>();
    for (String word : line.split(" ", -1)) {
      args.add(
          switch (word) {
            case "SAMPLE" -> SAMPLE;
            case "NOWHERE" -> folder.resolve("nowhere");
            case "FILE" -> file;
            default -> word;
          });
    }
    Result result = CommandLineTester.run(args.toArray());
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines()).hasSize(1).first().asString().startsWith("error: ");
    assertThat(result.err()).doesNotContain("fault of narwhal");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "count",
        "count x y",
        "count x --version 0",
        "count x --version 1 --tag t",
        "count x --tag t --branch b",
        "count x --as-of yesterday",
        "rows x --limit -1",
        "rows x --format xml",
        "rows x --json --format csv",
        "take x",
        "take x --offsets -1",
        "take x --offsets 1,b",
        "take x --offsets 1 --row-ids 1",
        "take x --offsets 1 --json --format csv",
        "delete x",
        "delete x --where true --array-threshold -1"
      })
  void wrongUsageIsExitCodeTwo(String line) {
    Result result = CommandLineTester.run((Object[]) line.split(" ", -1));
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).startsWith("error: ").contains("--help'.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2100-01-31",
        "2100-01-31T10:00:00",
        "2100-01-31T10:00:00Z",
        "2100-01-31T10:00:00.5+05:30"
      })
  void timestampsMayLeaveOutWhatIsClear(String timestamp) {
    assertThat(CommandLineTester.run("count", SAMPLE, "--as-of", timestamp).out())
        .isEqualTo("187049\n");
  }

  /** Columns whose canonical form is their JSON. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "map-2.2; id,m",
        "nested-2.0; id,l_int,l_str,ll_int,l_struct",
        "nested-2.1; id,l_int,l_str,ll_int,l_struct",
        "nested-2.2; l_struct,id,ll_int"
      })
  void rowsPrintsNestedValuesAsRealLanceHasThem(String name, String columns) throws IOException {
    JsonNode versions = expected(name).get("versions");
    List<JsonNode> expected = new ArrayList<>();
    for (JsonNode row : versions.get(versions.size() - 1).get("first_rows")) {
      ObjectNode chosen = MAPPER.createObjectNode();
      for (String column : columns.split(",", -1)) {
        chosen.set(column, row.get(column));
      }
      expected.add(chosen);
    }

    Result result = CommandLineTester.run("rows", fixture(name), "--columns", columns);

    assertThat(result.err()).isEmpty();
    List<JsonNode> rows = new ArrayList<>();
    for (String line : result.out().lines().toList()) {
      rows.add(MAPPER.readTree(line));
    }
    assertThat(rows)
        .hasSize(versions.get(versions.size() - 1).get("live_rows").intValue())
        .startsWith(expected.toArray(JsonNode[]::new));
  }

  private static JsonNode json(Object... args) throws IOException {
    List<Object> all = new ArrayList<>(List.of(args));
    all.add("--json");
    Result result = CommandLineTester.run(all.toArray());
    assertThat(result.err()).isEmpty();
    assertThat(result.code()).isZero();
    return MAPPER.readTree(result.json().toString());
  }

  private static Path fixture(String name) {
    return fixtures().resolve(name).resolve("ds");
  }

  private static JsonNode expected(String name) throws IOException {
    return MAPPER.readTree(fixtures().resolve(name).resolve("expected.json").toFile());
  }

  private static Path fixtures() {
    return CommandLineTester.root().resolve("lance-core/src/test/resources/fixtures/lance");
  }

  private Path copy(Path dataset) throws IOException {
    Path copy = folder.resolve("copy");
    try (Stream<Path> files = Files.walk(dataset)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(dataset.relativize(file)));
      }
    }
    return copy;
  }

  private static List<Path> files(Path dataset) throws IOException {
    try (Stream<Path> files = Files.walk(dataset)) {
      return files.map(dataset::relativize).sorted().toList();
    }
  }
}
