package dev.narwhal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.narwhal.cli.CommandLineTester.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The verbs that change rows of Iceberg tables, and the one that looks at them. */
class RowChangeVerbsTest {
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "part", Types.IntegerType.get()),
          Types.NestedField.optional(3, "day", Types.DateType.get()));

  @TempDir private Path folder;

  /** Ids 0 to 9, part 0 or 1, in one commit. */
  private Path table(int formatVersion) throws IOException {
    Path location = folder.resolve("table");
    new HadoopTables()
        .create(
            SCHEMA,
            PartitionSpec.builderFor(SCHEMA).identity("part").build(),
            Map.of("format-version", Integer.toString(formatVersion)),
            location.toString());
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 10; i++) {
      rows.append("{\"id\":").append(i).append(",\"part\":").append(i % 2).append("}\n");
    }
    JsonNode json =
        run("overwrite-iceberg", location, "--source", source(rows.toString()), "--json").json();
    assertThat(json.get("operation").textValue()).isEqualTo("append");
    assertThat(json.get("addedRows").intValue()).isEqualTo(10);
    return location;
  }

  private Path source(String rows) throws IOException {
    return Files.writeString(folder.resolve("rows.jsonl"), rows);
  }

  private static Result run(Object... args) {
    Result result = CommandLineTester.run(args);
    assertThat(result.err()).isEmpty();
    assertThat(result.code()).isZero();
    return result;
  }

  private static Set<Long> ids(Path location) throws IOException {
    Table table = new HadoopTables().load(location.toString());
    TreeSet<Long> ids = new TreeSet<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      records.forEach(record -> ids.add((Long) record.getField("id")));
    }
    return ids;
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2, merge-on-read, delete",
    "2, copy-on-write, overwrite",
    "3, merge-on-read, delete",
    "3, copy-on-write, overwrite"
  })
  void deletesAreReportedAndInspected(int formatVersion, String mode, String operation)
      throws IOException {
    Path table = table(formatVersion);
    JsonNode json =
        run("delete-iceberg", table, "--where", "id IN (2, 3, 4)", "--mode", mode, "--json").json();
    boolean inPlace = mode.equals("merge-on-read");
    assertThat(json.get("operation").textValue()).isEqualTo(operation);
    assertThat(json.get("deletedRows").intValue()).isEqualTo(3);
    assertThat(json.get("dataFilesRemoved").intValue()).isZero();
    assertThat(json.get("dataFilesRewritten").intValue()).isEqualTo(inPlace ? 0 : 2);
    assertThat(json.get("deleteFilesAdded").intValue()).isEqualTo(inPlace ? 2 : 0);
    assertThat(json.get("deleteFilesRemoved").intValue()).isZero();
    assertThat(json.get("metadataOnly").booleanValue()).isFalse();
    assertThat(json.get("bytesWritten").longValue()).isPositive();

    JsonNode inspected = run("inspect-iceberg", table, "--json").json();
    assertThat(inspected.get("formatVersion").intValue()).isEqualTo(formatVersion);
    assertThat(inspected.get("snapshotId")).isEqualTo(json.get("snapshotId"));
    assertThat(inspected.get("liveRows").intValue()).isEqualTo(7);
    assertThat(inspected.get("warnings")).isEmpty();
    assertThat(inspected.get("dataFiles")).hasSize(2);
    JsonNode deletes = inspected.get("dataFiles").get(0).get("deletes");
    assertThat(deletes).hasSize(inPlace ? 1 : 0);
    if (inPlace) {
      assertThat(deletes.get(0).get("kind").textValue())
          .isEqualTo(formatVersion == 3 ? "deletion-vector" : "position");
      assertThat(deletes.get(0).get("offset").isNull()).isEqualTo(formatVersion == 2);
    }
    assertThat(ids(table)).containsExactly(0L, 1L, 5L, 6L, 7L, 8L, 9L);
    assertThat(run("inspect-iceberg", table).out()).contains("7 live rows");
  }

  @Test
  void aDryRunReportsTheSameAndWritesNothing() throws IOException {
    Path table = table(3);
    List<Path> before = files();
    Object[] delete = {"delete-iceberg", table, "--where", "id < 5 OR part = 1", "--json"};
    JsonNode dry = run(Stream.concat(Stream.of(delete), Stream.of("--dry-run")).toArray()).json();
    assertThat(files()).isEqualTo(before);
    assertThat(dry.get("operation").isNull()).isTrue();
    JsonNode wet = run(delete).json();
    for (String key :
        List.of(
            "deletedRows",
            "dataFilesRemoved",
            "dataFilesRewritten",
            "deleteFilesAdded",
            "bytesWritten")) {
      assertThat(dry.get(key)).as(key).isEqualTo(wet.get(key));
    }
    assertThat(wet.get("deletedRows").intValue()).isEqualTo(8);
  }

  @Test
  void aPredicateThatMatchesNothingIsZerosAndNoSnapshot() throws IOException {
    Path table = table(3);
    List<Path> before = files();
    JsonNode json = run("delete-iceberg", table, "--where", "id = 77", "--json").json();
    assertThat(json.get("deletedRows").intValue()).isZero();
    assertThat(json.get("bytesWritten").intValue()).isZero();
    assertThat(json.get("snapshotId").longValue())
        .isEqualTo(new HadoopTables().load(table.toString()).currentSnapshot().snapshotId());
    assertThat(files()).isEqualTo(before);
    assertThat(run("delete-iceberg", table, "--where", "id = 77").out())
        .contains("Nothing to change");
  }

  @Test
  void rowsAreUpdatedOverwrittenAndDeletedByEquality() throws IOException {
    Path table = table(2);
    JsonNode json =
        run(
                "update-iceberg",
                table,
                "--where",
                "id < 2",
                "--set",
                "day=DATE '2024-02-29'",
                "--set",
                "part=1",
                "--mode",
                "merge-on-read",
                "--json")
            .json();
    assertThat(json.get("deletedRows").intValue()).isEqualTo(2);
    assertThat(json.get("addedRows").intValue()).isEqualTo(2);

    json =
        run(
                "equality-delete",
                table,
                "--source",
                source("{\"id\":3,\"part\":1}\n{\"id\":4,\"part\":1}\n"),
                "--on",
                "id,part",
                "--json")
            .json();
    assertThat(json.get("deletedRows").isNull()).isTrue();
    assertThat(ids(table)).containsExactly(0L, 1L, 2L, 4L, 5L, 6L, 7L, 8L, 9L);

    json = run("resolve-equality-deletes", table, "--json").json();
    assertThat(json.get("operation").textValue()).isEqualTo("replace");
    assertThat(ids(table)).hasSize(9);

    run(
        "overwrite-iceberg",
        table,
        "--dynamic-partitions",
        "--source",
        source("{\"id\":100,\"part\":1,\"day\":\"2024-01-01\"}\n"));
    assertThat(ids(table)).containsExactly(2L, 4L, 6L, 8L, 100L);

    run(
        "overwrite-iceberg",
        table,
        "--where",
        "id < 5",
        "--source",
        source("{\"id\":101,\"part\":null}\n"));
    assertThat(ids(table)).containsExactly(6L, 8L, 100L, 101L);
  }

  @Test
  void aTableThatIsWholeNeedsNoRepair() throws IOException {
    Path table = table(3);
    run("delete-iceberg", table, "--where", "id = 3", "--mode", "merge-on-read");
    JsonNode json = run("repair", table, "--json").json();
    assertThat(json.get("repaired")).isEmpty();
    assertThat(json.get("deleteFilesAdded").intValue()).isZero();
    run("repair", table, "--remove-dangling");
    run("repair", table, "--fold-position-deletes");
  }

  @Test
  void columnsMatchWithoutRegardToCase() throws IOException {
    Path table = table(2);
    run("update-iceberg", table, "--where", "ID = 1", "--set", "Part=7", "--mode", "merge-on-read");
    run("equality-delete", table, "--source", source("{\"Id\":1,\"PART\":7}\n"), "--on", "ID,Part");
    assertThat(ids(table)).hasSize(9).doesNotContain(1L);
    Result twice =
        CommandLineTester.run(
            "overwrite-iceberg", table, "--source", source("{\"id\":1,\"ID\":2}\n"));
    assertThat(twice.code()).isEqualTo(1);
    assertThat(twice.err()).contains("column id is there twice");
  }

  @Test
  void aColumnIsSetOnce() throws IOException {
    Path table = table(2);
    for (List<String> set : List.of(List.of("part=1", "part=2"), List.of("part", "day=NULL"))) {
      Result twice =
          CommandLineTester.run(
              "update-iceberg",
              table,
              "--where",
              "id = 1",
              "--set",
              set.get(0),
              "--set",
              set.get(1));
      assertThat(twice.code()).isEqualTo(2);
      assertThat(twice.err()).contains("--set").contains("part");
    }
  }

  @Test
  void wrongUseAndWrongRowsAreOneLine() throws IOException {
    Path table = table(3);
    assertThat(CommandLineTester.run("delete-iceberg", table).code()).isEqualTo(2);
    assertThat(
            CommandLineTester.run("delete-iceberg", table, "--where", "id = 1", "--mode", "mor")
                .code())
        .isEqualTo(2);
    Result unknown = CommandLineTester.run("delete-iceberg", table, "--where", "nope = 1");
    assertThat(unknown.code()).isEqualTo(1);
    assertThat(unknown.err()).startsWith("error: ").contains("nope");
    Result row =
        CommandLineTester.run(
            "overwrite-iceberg", table, "--source", source("{\"id\":\"x\",\"part\":1}\n"));
    assertThat(row.code()).isEqualTo(1);
    assertThat(row.err()).contains("rows.jsonl: line 1, id: \"x\"").contains("expected long");
    assertThat(
            CommandLineTester.run(
                    "overwrite-iceberg",
                    table,
                    "--source",
                    source(""),
                    "--where",
                    "id = 1",
                    "--dynamic-partitions")
                .code())
        .isEqualTo(2);
    Result missing = CommandLineTester.run("inspect-iceberg", folder.resolve("nothing"));
    assertThat(missing.code()).isEqualTo(1);
    assertThat(missing.err()).contains("no Iceberg table there");
    assertThat(ids(table)).hasSize(10);
  }
}
