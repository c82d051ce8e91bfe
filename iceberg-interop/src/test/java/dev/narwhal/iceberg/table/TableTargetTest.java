package dev.narwhal.iceberg.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableTargetTest {
  private static final Schema SCHEMA =
      new Schema(Types.NestedField.required(1, "id", Types.LongType.get()));

  @TempDir Path directory;

  private static void create(TableTarget target) {
    target.newTable(SCHEMA, Map.of("format-version", "3")).commitTransaction();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "file:", "file://"})
  void aLocationIsAPathOrAFileUri(String scheme) {
    String location = scheme + directory.resolve("table");
    try (TableTarget target = TableTarget.at(location)) {
      assertThat(target.load()).isEmpty();

      create(target);

      assertThat(target.load().orElseThrow().location())
          .isEqualTo("file:" + directory.resolve("table"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "s3://bucket/table", "hdfs://host/table"})
  void aLocationThatIsNoLocalOneIsRefused(String location) {
    assertThatThrownBy(() -> TableTarget.at(location)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aLocationIsNoFile() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "x");
    assertThatThrownBy(() -> TableTarget.at(file.toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is a file");
  }

  @Test
  void aUriIsDecodedAndAPathIsNot() {
    Path blank = directory.resolve("a b");
    Path percent = directory.resolve("a%20b");
    try (TableTarget target = TableTarget.at("file://" + directory + "/a%20b")) {
      create(target);
      assertThat(blank).isDirectory();
    }
    try (TableTarget target = TableTarget.at(percent.toString())) {
      assertThat(target.load()).isEmpty();
      create(target);
      assertThat(percent).isDirectory();
      assertThat(target.load()).isPresent();
    }
  }

  @Test
  void allPathsOfATableAreSpelledAlikeAndThereAreNoChecksumFiles() throws IOException {
    try (TableTarget target = TableTarget.at(directory.resolve("table").toString())) {
      create(target);
    }
    try (Stream<Path> files = Files.walk(directory.resolve("table"))) {
      assertThat(files.filter(Files::isRegularFile).map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("v1.metadata.json", "version-hint.text");
    }
  }

  @Test
  void aCreationThatIsAbandonedLeavesNoDirectory() throws IOException {
    Path location = directory.resolve("table");
    try (TableTarget target = TableTarget.at(location.toString())) {
      Transaction transaction = target.newTable(SCHEMA, Map.of());
      Files.createDirectories(location.resolve("data/deep"));

      target.abandon();

      assertThat(location).doesNotExist();
      assertThat(transaction.table().name()).isNotEmpty();
    }
  }

  @Test
  void whatIsSomebodyElsesStaysWhenACreationIsAbandoned() throws IOException {
    Path location = directory.resolve("table");
    try (TableTarget target = TableTarget.at(location.toString())) {
      Files.createDirectories(location);
      Files.writeString(location.resolve("theirs"), "x");

      target.abandon();

      assertThat(location.resolve("theirs")).exists();
    }
    Path existing = directory.resolve("existing");
    Files.createDirectory(existing);
    try (TableTarget target = TableTarget.at(existing.toString())) {
      target.abandon();
      assertThat(existing).isDirectory();
    }
  }

  @Test
  void theSlowerOfTwoCreatorsFails() {
    String location = directory.resolve("table").toString();
    try (TableTarget first = TableTarget.at(location);
        TableTarget second = TableTarget.at(location)) {
      Transaction slower = first.newTable(SCHEMA, Map.of());
      create(second);

      assertThatThrownBy(slower::commitTransaction)
          .isInstanceOf(org.apache.iceberg.exceptions.CommitFailedException.class);
      assertThat(second.load().orElseThrow().history()).isEmpty();
    }
  }

  @Test
  void aCatalogIsBuiltFromItsProperties() {
    Map<String, String> properties =
        Map.of("type", "hadoop", "warehouse", directory.resolve("warehouse").toString());
    try (TableTarget target = TableTarget.inCatalog(properties, "a.b.t")) {
      create(target);
      assertThat(target.load()).isPresent();
      assertThat(target.name()).isEqualTo("narwhal.a.b.t");
    }
  }

  @Test
  void aNamespaceMadeForACreationThatIsAbandonedGoes() {
    Map<String, String> properties =
        Map.of("catalog-impl", "org.apache.iceberg.inmemory.InMemoryCatalog");
    try (TableTarget target = TableTarget.inCatalog(properties, "db.t")) {
      Transaction transaction = target.newTable(SCHEMA, Map.of());
      target.abandon();
      // without its namespace the table cannot be made any more
      assertThatThrownBy(transaction::commitTransaction)
          .isInstanceOf(org.apache.iceberg.exceptions.NoSuchNamespaceException.class);
    }
  }

  @Test
  void aTableInACatalogNeedsANamespace() {
    assertThatThrownBy(() -> TableTarget.inCatalog(Map.of("type", "hadoop"), "t"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("namespace.table");
  }

  @Test
  void aRenameReplacesNoFileAndMovesDirectories() throws IOException {
    Path one = Files.writeString(directory.resolve("one"), "1");
    Path two = Files.writeString(directory.resolve("two"), "2");
    Files.createDirectory(directory.resolve("dir"));
    FileSystem files =
        new org.apache.hadoop.fs.Path("file:" + directory)
            .getFileSystem(LocalFiles.configuration());

    assertThat(files.rename(hadoop(one), hadoop(two))).isFalse();
    assertThat(files.rename(hadoop(one), hadoop(directory.resolve("three")))).isTrue();
    assertThat(files.rename(hadoop(directory.resolve("dir")), hadoop(directory.resolve("moved"))))
        .isTrue();

    assertThat(two).hasContent("2");
    assertThat(one).doesNotExist();
    assertThat(directory.resolve("three")).hasContent("1");
    assertThat(directory.resolve("moved")).isDirectory();
  }

  @Test
  void createdFilesAreTakenBackAsFarAsTheyAreThere() throws IOException {
    try (TableTarget target = TableTarget.at(directory.resolve("table").toString())) {
      create(target);
      CreatedFiles created = new CreatedFiles(target.load().orElseThrow().io());
      Path written = directory.resolve("written");
      created.newOutputFile("file:" + written).create().close();
      created.newOutputFile("file:" + directory.resolve("never")).location();
      assertThat(List.copyOf(created.locations())).hasSize(2);

      created.takeBack();

      assertThat(written).doesNotExist();
      assertThat(created.locations()).isEmpty();
    }
  }

  private static org.apache.hadoop.fs.Path hadoop(Path path) {
    return new org.apache.hadoop.fs.Path("file:" + path);
  }
}
