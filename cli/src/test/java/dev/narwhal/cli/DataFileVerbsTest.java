package dev.narwhal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.narwhal.cli.CommandLineTester.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The verbs on single data files of real Lance. */
class DataFileVerbsTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Path RESOURCES =
      CommandLineTester.root().resolve("lance-core/src/test/resources");

  @ParameterizedTest
  @CsvSource({
    "2.0/null_t, 2.0, null, array, all nulls",
    "2.1/i32_small, 2.1, int32, mini-block, flat 32",
    "2.1/fz_str, 2.1, string, full-zip, variable 32",
    "2.2/i32_const, 2.2, int32, constant, inline value",
    "2.1/blob_nn, 2.1, large_binary, blob, 'mini-block(packed-struct(64, 64: flat 128))'",
  })
  void inspectShowsPagesLayoutsAndEncodings(
      String name, String version, String type, String layout, String encoding) throws IOException {
    Path file = RESOURCES.resolve("fixtures/lance-files/" + name + ".lance");
    JsonNode json = run("inspect", "--json", file).json();
    assertThat(json.get("version").textValue()).isEqualTo(version);
    assertThat(json.get("columns")).hasSize(1);
    JsonNode column = json.get("columns").get(0);
    assertThat(column.get("name").textValue()).isEqualTo("x");
    assertThat(column.get("type").textValue()).isEqualTo(type);
    JsonNode page = column.get("pages").get(0);
    assertThat(page.get("rows")).isEqualTo(json.get("rows"));
    assertThat(page.get("layout").textValue()).isEqualTo(layout);
    assertThat(page.get("encoding").textValue()).contains(encoding);
    assertThat(page.get("bytes").longValue()).isLessThan(Files.size(file));
    assertThat(run("inspect", file).out())
        .contains("data file of version " + version, layout, encoding);
  }

  @Test
  void columnsBelowOthersHaveDottedNames() throws IOException {
    JsonNode json = run("inspect", "--json", nested()).json();
    List<String> names = new ArrayList<>();
    json.get("columns").forEach(column -> names.add(column.get("name").textValue()));
    assertThat(names).hasSizeGreaterThan(5).anyMatch(name -> name.contains("."));
    assertThat(run("inspect", nested()).out()).contains(names);
  }

  @Test
  void rowsOfAFileAreAllItsRows() throws IOException {
    Path file = RESOURCES.resolve("golden/lance-7.0.0/data-files/json.lance");
    List<String> lines = run("rows", file).out().lines().toList();
    assertThat(lines).hasSize(10);
    assertThat(MAPPER.readTree(lines.get(8)).get("j").textValue()).isEqualTo("\" \"");
    assertThat(run("rows", file.toUri(), "--limit", 3).out().lines()).hasSize(3);
  }

  @Test
  void rowsOfAFileAreFilteredAndProjected() throws IOException {
    Path file = RESOURCES.resolve("golden/lance-7.0.0/data-files/dictionary-2.1.lance");
    Result all = run("rows", file);
    List<JsonNode> expected = new ArrayList<>();
    for (String line : all.out().lines().toList()) {
      JsonNode row = MAPPER.readTree(line);
      if (row.get("id").longValue() % 2 == 0 && !row.get("d8").isNull()) {
        expected.add(MAPPER.createObjectNode().set("d8", row.get("d8")));
      }
    }
    Result some = run("rows", file, "--where", "id % 2 = 0 and d8 is not null", "--columns", "d8");
    List<JsonNode> found = new ArrayList<>();
    for (String line : some.out().lines().toList()) {
      found.add(MAPPER.readTree(line));
    }
    assertThat(found).isNotEmpty().isEqualTo(expected);
    assertThat(run("rows", file, "--format", "csv", "--limit", 1).out()).startsWith("id,d8,d32");
  }

  @Test
  void blobsAreDescriptorsUnlessTheirBytesAreAskedFor() throws IOException {
    Path file = RESOURCES.resolve("golden/lance-7.0.0/data-files/blob-in-struct-2.1.lance");
    List<String> descriptors = run("rows", file).out().lines().toList();
    assertThat(descriptors.get(1)).isEqualTo("{\"s\":{\"b\":{\"position\":0,\"size\":11}}}");
    List<String> bytes = run("rows", file, "--blobs", "bytes").out().lines().toList();
    byte[] blob = new byte[11];
    Arrays.fill(blob, (byte) 1);
    assertThat(bytes.get(1))
        .isEqualTo("{\"s\":{\"b\":\"" + Base64.getEncoder().encodeToString(blob) + "\"}}");
    assertThat(bytes.get(3)).isEqualTo("{\"s\":null}");
    assertThat(bytes.get(4)).isEqualTo("{\"s\":{\"b\":null}}");
  }

  @Test
  void blobsOfADatasetAreReadToo() throws IOException {
    Path dataset = RESOURCES.resolve("fixtures/lance/blob-2.1/ds");
    String where = "id in (0, 1, 3)";
    List<String> descriptors = run("rows", dataset, "--where", where).out().lines().toList();
    assertThat(descriptors.get(1)).contains("\"blob\":{\"position\":0,\"size\":282}");
    List<String> bytes =
        run("rows", dataset, "--where", where, "--blobs", "bytes").out().lines().toList();
    assertThat(MAPPER.readTree(bytes.get(0)).get("blob").isNull()).isTrue();
    assertThat(MAPPER.readTree(bytes.get(1)).get("blob").binaryValue()).hasSize(282);
    assertThat(MAPPER.readTree(bytes.get(2)).get("blob").binaryValue()).hasSize(594);
  }

  @Test
  void legacyFilesAreRefusedByNameWithAWayOut() throws IOException {
    Path folder = RESOURCES.resolve("fixtures/lance/types-legacy/ds/data");
    try (Stream<Path> files = Files.list(folder)) {
      Path file = files.findFirst().orElseThrow();
      for (String verb : List.of("inspect", "rows")) {
        Result result = CommandLineTester.run(verb, file);
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err())
            .contains(file.getFileName().toString())
            .contains("legacy format 0.1", "storage version 2.1");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"--version, 1", "--branch, b", "--tag, t"})
  void aFileHasNoVersions(String option, String value) {
    Path file = RESOURCES.resolve("golden/lance-7.0.0/data-files/json.lance");
    for (String verb : List.of("inspect", "rows")) {
      Result result = CommandLineTester.run(verb, file, option, value);
      assertThat(result.code()).isEqualTo(2);
      assertThat(result.err()).contains("single data file");
    }
    assertThat(CommandLineTester.run("rows", file, "--with-row-id").code()).isEqualTo(2);
  }

  @Test
  void aFileThatIsNoDataFileIsSaidToBeNone() {
    Result result = CommandLineTester.run("inspect", RESOURCES.resolve("fixtures/README.md"));
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("README.md", "LANC");
  }

  private static Path nested() throws IOException {
    try (Stream<Path> files = Files.list(RESOURCES.resolve("fixtures/lance/nested-2.1/ds/data"))) {
      return files.findFirst().orElseThrow();
    }
  }

  private static Result run(Object... args) {
    Result result = CommandLineTester.run(args);
    assertThat(result.code()).as(result.err()).isZero();
    return result;
  }
}
