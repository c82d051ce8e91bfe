package dev.narwhal.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.narwhal.cli.CommandLineTester.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code merge-insert}. */
class MergeInsertVerbTest {
  @TempDir private Path folder;
  private Path table;

  @BeforeEach
  void make() throws IOException {
    table = folder.resolve("t.lance");
    Path rows =
        file(
            "a.jsonl",
            """
            {"id": 1, "n": 10, "t": "a"}
            {"id": 2, "n": 20, "t": "b"}
            {"id": 3, "n": 30, "t": "c"}
            """);
    json("append", table, "--source", rows, "--create");
  }

  @Test
  void rowsAreUpdatedInsertedAndDeleted() throws IOException {
    Path source =
        file(
            "b.jsonl",
            """
            {"id": 2, "n": 21, "t": "B"}
            {"id": 4, "n": 40, "t": "D"}
            """);
    Object[] merge = {
      "merge-insert",
      table,
      "--source",
      source,
      "--on",
      "id",
      "--when-matched",
      "update-all",
      "--when-not-matched-by-source",
      "delete-if n > 20"
    };
    JsonNode tried = json(with(merge, "--dry-run"));
    assertThat(tried.toString())
        .isEqualTo(
            "{\"version\":1,\"inserted\":1,\"updated\":1,\"deleted\":1,\"attempts\":0,"
                + "\"filesWritten\":0,\"bytesWritten\":0}");
    JsonNode merged = json(merge);
    assertThat(merged.get("version").longValue()).isEqualTo(2);
    assertThat(merged.get("inserted").longValue()).isEqualTo(1);
    assertThat(merged.get("updated").longValue()).isEqualTo(1);
    assertThat(merged.get("deleted").longValue()).isEqualTo(1);
    assertThat(merged.get("attempts").longValue()).isEqualTo(1);
    assertThat(rows())
        .containsExactly(
            "{\"id\":1,\"n\":10,\"t\":\"a\"}",
            "{\"id\":2,\"n\":21,\"t\":\"B\"}",
            "{\"id\":4,\"n\":40,\"t\":\"D\"}");
  }

  @Test
  void aFileWithSomeColumnsKeepsTheOthers() throws IOException {
    Path csv = file("b.csv", "t,id\nnew,2\nother,9\n");
    json(
        "merge-insert",
        table,
        "--source",
        csv,
        "--on",
        "id",
        "--when-matched",
        "update-if target.n > 15");
    Path lines = file("b.jsonl", "{\"id\": 1, \"n\": 11}\n");
    json(
        "merge-insert",
        table,
        "--source",
        lines,
        "--on",
        "id",
        "--columns",
        "id,n",
        "--when-matched",
        "update-all",
        "--when-not-matched",
        "do-nothing");
    assertThat(rows())
        .containsExactlyInAnyOrder(
            "{\"id\":1,\"n\":11,\"t\":\"a\"}",
            "{\"id\":2,\"n\":20,\"t\":\"new\"}",
            "{\"id\":3,\"n\":30,\"t\":\"c\"}",
            "{\"id\":9,\"n\":null,\"t\":\"other\"}");
  }

  @Test
  void duplicatesFailByNameOrTheFirstIsTaken() throws IOException {
    Path source = file("b.csv", "id,n,t\n2,1,x\n2,2,y\n");
    Object[] merge = {
      "merge-insert", table, "--source", source, "--on", "id", "--when-matched", "update-all"
    };
    Result failed = run(merge);
    assertThat(failed.code()).isEqualTo(1);
    assertThat(failed.err()).contains("id = 2").contains("t.lance");
    assertThat(rows()).hasSize(3);
    assertThat(json(with(merge, "--duplicates", "first")).get("updated").longValue()).isEqualTo(1);
    assertThat(rows()).contains("{\"id\":2,\"n\":1,\"t\":\"x\"}");
  }

  @Test
  void nothingToDoIsNoFailure() throws IOException {
    Path source = file("b.csv", "id,n,t\n2,1,x\n");
    JsonNode merged = json("merge-insert", table, "--source", source, "--on", "id");
    assertThat(merged.get("version").longValue()).isEqualTo(1);
    assertThat(merged.get("attempts").longValue()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "--when-matched, update-if",
    "--when-matched, upsert",
    "--when-not-matched, delete",
    "--when-not-matched-by-source, delete-ifn",
    "--duplicates, last"
  })
  void wrongChoicesAreWrongUsage(String option, String value) throws IOException {
    Path source = file("b.csv", "id,n,t\n2,1,x\n");
    Result result = run("merge-insert", table, "--source", source, "--on", "id", option, value);
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("expected").contains(value);
  }

  @ParameterizedTest
  @CsvSource({
    "nope, update-all, key column 'nope'",
    "id, update-if source.zz = 1, zz",
    "id, fail, id = 2"
  })
  void whatCannotBeDoneIsTold(String on, String matched, String message) throws IOException {
    Path source = file("b.csv", "id,n,t\n2,1,x\n");
    Result result =
        run("merge-insert", table, "--source", source, "--on", on, "--when-matched", matched);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains(message);
    assertThat(rows()).hasSize(3);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text, UTF_8);
  }

  private List<String> rows() {
    return run("rows", table).out().lines().toList();
  }

  private static Object[] with(Object[] arguments, Object... more) {
    List<Object> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of(more));
    return all.toArray();
  }

  private static Result run(Object... arguments) {
    return CommandLineTester.run(arguments);
  }

  private static JsonNode json(Object... arguments) throws IOException {
    Result result = run(with(arguments, "--json"));
    assertThat(result.err()).as(result.err()).isEmpty();
    assertThat(result.code()).isZero();
    return result.json();
  }
}
