package dev.narwhal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.narwhal.cli.CommandLineTester.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The verbs that take care of a dataset. {@code del-append-del} has versions 1 to 5. */
class TableCareVerbsTest {
  @TempDir private Path folder;
  private Path table = Path.of("");

  @BeforeEach
  void copyTable() throws IOException {
    table = copy("del-append-del");
  }

  @Test
  void restoreMakesAnOlderVersionTheNewest() throws IOException {
    JsonNode before = json("count", table, "--version", "2");
    assertThat(json("restore", table, "--version", "2", "--dry-run").get("version").longValue())
        .isEqualTo(5);
    JsonNode json = json("restore", table, "--version", "2");
    assertThat(json.get("version").longValue()).isEqualTo(6);
    assertThat(json.get("attempts").longValue()).isEqualTo(1);
    assertThat(json("count", table)).isEqualTo(before);
    assertThat(json("tag", "create", table, "t", "--version", "1").get("version").longValue())
        .isEqualTo(1);
    assertThat(run("restore", table, "--tag", "t").out())
        .isEqualTo("restore of version 1: done; version 7.\n");
    JsonNode last = json("history", table).at("/versions/6");
    assertThat(last.get("operation").textValue()).isEqualTo("Restore");
    assertThat(last.get("readVersion").longValue()).isEqualTo(6);
    assertThat(last.get("uuid").textValue()).hasSize(36);
  }

  @Test
  void tagsAreCreatedMovedListedAndDeleted() throws IOException {
    assertThat(run("tag", "list", table).out()).isEqualTo("No tags.\n");
    json("tag", "create", table, "a", "--version", "2", "--dry-run");
    assertThat(json("tag", "list", table).get("tags")).isEmpty();
    JsonNode made = json("tag", "create", table, "--name", "a", "--version", "2");
    assertThat(made.fieldNames())
        .toIterable()
        .containsExactly("name", "branch", "version", "createdAt", "updatedAt", "metadata");
    json("tag", "create", table, "newest");
    json("tag", "create", table, "a", "--version", "3", "--update");
    JsonNode tags = json("tag", "list", table).get("tags");
    assertThat(tags).hasSize(2);
    assertThat(tags.at("/0/version").longValue()).isEqualTo(3);
    assertThat(tags.at("/1/name").textValue()).isEqualTo("newest");
    assertThat(tags.at("/1/version").longValue()).isEqualTo(5);
    assertThat(json("count", table, "--tag", "a"))
        .isEqualTo(json("count", table, "--version", "3"));
    assertThat(run("tag", "list", table).out()).isEqualTo("a = version 3\nnewest = version 5\n");
    json("tag", "delete", table, "a", "--dry-run");
    assertThat(json("tag", "delete", table, "a").get("version").longValue()).isEqualTo(3);
    assertThat(json("tag", "list", table).get("tags")).hasSize(1);
  }

  @Test
  void branchesAreCreatedWrittenOnListedAndDeleted() throws IOException {
    assertThat(run("branch", "list", table).out()).isEqualTo("No branches beside main.\n");
    json("branch", "create", table, "x/y", "--version", "2", "--dry-run");
    assertThat(json("branch", "list", table).get("branches")).isEmpty();
    JsonNode made = json("branch", "create", table, "x/y", "--version", "2");
    assertThat(made.get("version").longValue()).isEqualTo(2);
    assertThat(made.get("parent").isNull()).isTrue();
    json("delete", table, "--branch", "x/y", "--where", "id = 99");
    json("config", "set", table, "--branch", "x/y", "k=v");
    assertThat(json("history", table, "--branch", "x/y").get("versions").findValues("operation"))
        .extracting(JsonNode::textValue)
        .containsExactly("Clone", "Delete", "UpdateConfig");
    json("branch", "create", table, "--name", "z", "--branch", "x/y");
    JsonNode branches = json("branch", "list", table).get("branches");
    assertThat(branches.at("/1/name").textValue()).isEqualTo("z");
    assertThat(branches.at("/1/parent").textValue()).isEqualTo("x/y");
    assertThat(branches.at("/1/version").longValue()).isEqualTo(4);
    assertThat(run("branch", "list", table).out())
        .isEqualTo("x/y from version 2 of main\nz from version 4 of x/y\n");
    Result refused = run("branch", "delete", table, "x/y");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).contains("branch z needs its versions; delete that first");
    assertThat(json("branch", "delete", table, "z", "--dry-run").get("deleted").booleanValue())
        .isFalse();
    json("branch", "delete", table, "z");
    json("branch", "delete", table, "x/y");
    assertThat(table.resolve("tree"))
        .satisfiesAnyOf(
            tree -> assertThat(tree).doesNotExist(), tree -> assertThat(tree).isEmptyDirectory());
  }

  @Test
  void aNameTooLongForAFileLeavesNoTagAndNoBranch() {
    String name = "n".repeat(200);
    for (Result result :
        List.of(
            run("tag", "create", table, name + name),
            run("branch", "create", table, name + '/' + name))) {
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err()).startsWith("error: ").doesNotContain("not known");
    }
    assertThat(table.resolve("tree").resolve(name)).doesNotExist();
  }

  @Test
  void failuresNameTheDatasetAndNotTheTag() {
    assertThat(run("tag", "create", table, "a/b").err())
        .startsWith("error: " + table + ": no tag can be called \"a/b\"");
    assertThat(run("config", "set", "", "a=b").err()).doesNotContain("a=b");
  }

  @Test
  void configurationAndMetadataAreSetAndUnset() throws IOException {
    JsonNode set = json("config", "set", table, "a=1", "b=x=y", "c=");
    assertThat(set.get("version").longValue()).isEqualTo(6);
    assertThat(json("inspect", table).get("writerFlags").longValue() & 8).isEqualTo(8);
    json("config", "set", table, "--table-metadata", "t=1");
    json("config", "set", table, "--schema-metadata", "s=1");
    json("config", "set", table, "--column", "id", "f=1");
    json("config", "unset", table, "a", "b", "c", "never-there");
    assertThat(json("inspect", table).get("writerFlags").longValue() & 8).isZero();
    assertThat(json("config", "set", table, "z=1", "--dry-run").get("version").longValue())
        .isEqualTo(10);
  }

  @Test
  void columnsAreRenamedAndDropped() throws IOException {
    List<String> columns = columns();
    String other = columns.get(1);
    json("rename-column", table, "--from", other, "--to", "renamed", "--dry-run");
    assertThat(columns()).isEqualTo(columns);
    JsonNode values = json("rows", table, "--limit", "1").get(other);
    assertThat(
            json("rename-column", table, "--from", other, "--to", "renamed")
                .get("version")
                .longValue())
        .isEqualTo(6);
    assertThat(json("rows", table, "--limit", "1").get("renamed")).isEqualTo(values);
    json("drop-column", table, "--name", "renamed");
    assertThat(columns()).isEqualTo(columns.stream().filter(name -> !name.equals(other)).toList());
  }

  @Test
  void cleanUpRemovesOldVersionsAndSaysWhatWent() throws IOException {
    json("tag", "create", table, "kept", "--version", "2");
    JsonNode nothing = json("cleanup", table, "--older-than", "5000d");
    assertThat(nothing.get("filesRemoved").longValue()).isZero();
    JsonNode dry = json("cleanup", table, "--older-than", "0s", "--dry-run");
    assertThat(json("history", table).get("versions")).hasSize(5);
    JsonNode json = json("cleanup", table, "--older-than", "P0D");
    assertThat(json).isEqualTo(dry);
    assertThat(json.get("version").longValue()).isEqualTo(5);
    assertThat(json.get("versionsRemoved").toString()).isEqualTo("[1,3,4]");
    assertThat(json.at("/filesByKind/manifest").longValue()).isEqualTo(3);
    assertThat(json.get("filesRemoved").longValue()).isGreaterThanOrEqualTo(6);
    assertThat(json.get("bytesRemoved").longValue()).isPositive();
    assertThat(json("history", table).get("versions").findValues("version"))
        .extracting(JsonNode::longValue)
        .containsExactly(2L, 5L);
    assertThat(json("count", table, "--tag", "kept").get("count").longValue()).isPositive();
    assertThat(run("cleanup", table, "--older-than", "0s").out())
        .isEqualTo("Removed 0 versions: 0 files, 0 bytes.\n");
    Result refused = run("cleanup", table, "--older-than", "0s", "--refuse-tagged");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).contains("{2=[kept]}");
    assertThat(
            json("cleanup", table, "--older-than", "0s", "--before-version", "2")
                .get("versionsRemoved"))
        .isEmpty();
  }

  @Test
  void rowsAreDeletedByTheirIds() throws IOException {
    long before = json("count", table).get("count").longValue();
    String id = json("rows", table, "--limit", "1", "--with-row-id").get("_rowid").toString();
    JsonNode dry = json("delete", table, "--row-ids", id, "--dry-run");
    assertThat(dry.get("deletedRows").longValue()).isEqualTo(1);
    assertThat(dry.get("version").longValue()).isEqualTo(5);
    JsonNode json = json("delete", table, "--row-ids", id);
    assertThat(json.get("deletedRows").longValue()).isEqualTo(1);
    assertThat(json.get("version").longValue()).isEqualTo(6);
    assertThat(json("count", table).get("count").longValue()).isEqualTo(before - 1);
    // gone already: nothing is written
    assertThat(json("delete", table, "--row-ids", id).get("version").longValue()).isEqualTo(6);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "restore TABLE --version 99 | version 99 does not exist",
        "restore TABLE --tag none | there is no tag \"none\"",
        "tag create TABLE ../x | no tag can be called \"../x\"",
        "tag create TABLE x --version 99 | version 99 does not exist",
        "tag create TABLE x --update | there is no tag \"x\"",
        "tag delete TABLE x | there is no tag \"x\"",
        "tag list NOWHERE | no such dataset",
        "branch create TABLE main | no branch can be called \"main\"",
        "branch create TABLE a/../b | no branch can be called",
        "branch create TABLE x --branch none | there is no branch \"none\"",
        "branch delete TABLE x | there is no branch \"x\"",
        "config set TABLE --column none k=v | there is no column \"none\"",
        "config unset TABLE --branch none k | there is no branch \"none\"",
        "drop-column TABLE --name none | there is no column \"none\"",
        "rename-column TABLE --from id --to id | is called \"id\" already",
        "rename-column TABLE --from id --to a.b | no column can be called \"a.b\"",
        "cleanup NOWHERE --older-than 1d | no such dataset",
        "delete TABLE --row-ids 18446744073709551615 | 18446744073709551615",
        "delete TABLE --row-ids 1,1 | row id 1 is named twice",
      })
  void whatCannotBeDoneFailsInOneLineAndChangesNothing(String command, String message)
      throws IOException {
    List<String> before = files();
    Result result = run(words(command));
    assertThat(result.err()).startsWith("error: ").contains(message);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines()).hasSize(1);
    assertThat(files()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "restore TABLE",
        "restore TABLE --branch b",
        "tag",
        "tag create TABLE",
        "tag create TABLE a --name b",
        "tag delete TABLE",
        "branch create TABLE",
        "branch delete",
        "config",
        "config set TABLE",
        "config set TABLE novalue",
        "config set TABLE =v",
        "config set TABLE k=1 k=2",
        "config set TABLE --table-metadata --schema-metadata k=1",
        "config unset TABLE",
        "drop-column TABLE",
        "rename-column TABLE --from a",
        "cleanup TABLE",
        "cleanup TABLE --older-than soon",
        "cleanup TABLE --older-than -1d",
        "cleanup TABLE --older-than P-1D",
        "cleanup TABLE --older-than 7",
        "cleanup TABLE --older-than 99999999999999999999d",
        "cleanup TABLE --older-than 99999999999999d",
        "cleanup TABLE --older-than 1d --before-version 0",
        "delete TABLE",
        "delete TABLE --where id=1 --row-ids 1",
        "delete TABLE --row-ids x",
      })
  void wrongUsageIsCodeTwoAndChangesNothing(String command) throws IOException {
    List<String> before = files();
    Result result = run(words(command));
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(files()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "restore", "tag create", "tag delete", "tag list", "branch create", "branch delete",
        "branch list", "config set", "config unset", "drop-column", "rename-column", "cleanup"
      })
  void everyVerbHasHelp(String verb) {
    Result result = run((Object[]) (verb + " --help").split(" ", -1));
    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("Usage: narwhal " + verb).contains("--json");
  }

  private Object[] words(String command) {
    return Stream.of(command.split(" ", -1))
        .map(word -> word.equals("TABLE") ? table : (Object) word)
        .map(word -> word.equals("NOWHERE") ? folder.resolve("nowhere") : word)
        .toArray();
  }

  private static Result run(Object... args) {
    return CommandLineTester.run(args);
  }

  private static JsonNode json(Object... args) throws IOException {
    Object[] all = new Object[args.length + 1];
    System.arraycopy(args, 0, all, 0, args.length);
    all[args.length] = args[0].equals("rows") ? "--format=json" : "--json";
    Result result = run(all);
    assertThat(result.err()).isEmpty();
    assertThat(result.code()).isZero();
    return result.json();
  }

  private List<String> columns() throws IOException {
    List<String> names = new ArrayList<>();
    json("inspect", table).get("schema").forEach(field -> names.add(field.get("name").textValue()));
    return names;
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.map(Path::toString).sorted().toList();
    }
  }

  private Path copy(String fixture) throws IOException {
    Path source =
        CommandLineTester.root()
            .resolve("lance-core/src/test/resources/fixtures/lance")
            .resolve(fixture)
            .resolve("ds");
    Path target = folder.resolve(fixture);
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.toList()) {
        Path copy = target.resolve(source.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.write(copy, Files.readAllBytes(file));
        }
      }
    }
    return target;
  }
}
