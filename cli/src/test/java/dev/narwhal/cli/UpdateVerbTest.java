package dev.narwhal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.narwhal.cli.CommandLineTester.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code del-append-del}: version 5, an {@code id} and further columns. */
class UpdateVerbTest {
  @TempDir private Path folder;
  private Path table = Path.of("");

  @BeforeEach
  void copyTable() throws IOException {
    Path source =
        CommandLineTester.root()
            .resolve("lance-core/src/test/resources/fixtures/lance/del-append-del/ds");
    table = folder.resolve("table");
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.toList()) {
        Path copy = table.resolve(source.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy);
        }
      }
    }
  }

  private static Result run(Object... args) {
    return CommandLineTester.run(args);
  }

  private static JsonNode json(Object... args) throws IOException {
    Object[] all = new Object[args.length + 1];
    System.arraycopy(args, 0, all, 0, args.length);
    all[args.length] = "--json";
    Result result = run(all);
    assertThat(result.err()).isEmpty();
    assertThat(result.code()).isZero();
    return result.json();
  }

  private long count(String where) throws IOException {
    return json("count", table, "--where", where).get("count").longValue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void updatesRowsAndTellsHowMany(boolean inPlace) throws IOException {
    long low = count("id < 20");
    long all = json("count", table).get("count").longValue();
    String set = "id = -id - 1";
    JsonNode json =
        inPlace
            ? json("update", table, "--where", "id < 20", "--set", set, "--in-place")
            : json("update", table, "--where", "id < 20", "--set", set);
    assertThat(json.fieldNames())
        .toIterable()
        .containsExactly(
            "version",
            "updatedRows",
            "fragmentsUpdated",
            "fragmentsDropped",
            "fragmentsAdded",
            "bytesWritten",
            "attempts");
    assertThat(json.get("version").longValue()).isEqualTo(6);
    assertThat(json.get("updatedRows").longValue()).isEqualTo(low).isPositive();
    assertThat(json.get("fragmentsAdded").longValue()).isEqualTo(inPlace ? 0 : 1);
    assertThat(json.get("bytesWritten").longValue()).isPositive();
    assertThat(count("id < 0")).isEqualTo(low);
    assertThat(json("count", table).get("count").longValue()).isEqualTo(all);
    JsonNode last = json("history", table).at("/versions/5");
    assertThat(last.get("operation").textValue()).isEqualTo("Update");
  }

  @Test
  void dryRunsAndEmptyUpdatesWriteNothing() throws IOException {
    long low = count("id < 20");
    assertThat(run("update", table, "--where", "id < 20", "--set", "id=1", "--dry-run").out())
        .startsWith("Would update " + low + " rows of ");
    assertThat(run("update", table, "--where", "id < -5", "--set", "id=1").out())
        .isEqualTo("No live row matches; version 5 stays.\n");
    assertThat(json("history", table).get("versions")).hasSize(5);
    assertThat(run("update", table, "--where", "id < 20", "--set", "id=id").out())
        .startsWith("Updated " + low + " rows of ")
        .endsWith("version 6.\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id=1/(id-id) | 1 | division by zero",
        "id=NULL | 1 | not nullable",
        "nope=1 | 1 | no column is named 'nope'",
        "_rowid=1 | 1 | the table's own",
        "id=nope | 1 | column 'id': no column is named 'nope'",
        "id | 2 | --set takes COLUMN=EXPR",
        "=1 | 2 | --set takes COLUMN=EXPR",
      })
  void failsWithALineThatSaysWhy(String set, int code, String message) {
    Result result = run("update", table, "--where", "true", "--set", set);
    assertThat(result.code()).isEqualTo(code);
    assertThat(result.err()).startsWith("error: ").contains(message);
    if (code == 1) {
      assertThat(result.err()).contains(table.toString()).hasLineCount(1);
    }
  }

  @Test
  void refusesToSetAColumnTwice() {
    Result result = run("update", table, "--where", "true", "--set", "id=1", "--set", "id=2");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("sets column 'id' twice");
  }
}
