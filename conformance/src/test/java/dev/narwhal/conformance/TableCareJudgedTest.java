package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.conformance.Fixtures.LanceFixture;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.cleanup.CleanupOptions;
import dev.narwhal.lance.cleanup.CleanupResult;
import dev.narwhal.lance.manifest.ManifestLocation;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.storage.LocalObjectStore;
import dev.narwhal.lance.write.ConfigChange;
import dev.narwhal.lance.write.MapChange;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.cleanup.CleanupPolicy;
import org.lance.cleanup.RemovalStats;
import org.lance.schema.ColumnAlteration;

/**
 * Columns, configuration and clean-up: real Lance does the same on a second copy, and both reads
 * both.
 */
class TableCareJudgedTest {
  @TempDir Path folder;
  private BufferAllocator allocator = new RootAllocator();

  @BeforeEach
  void openAllocator() {
    allocator.close();
    allocator = new RootAllocator();
  }

  @AfterEach
  void closeAllocator() {
    allocator.close();
  }

  @ParameterizedTest
  @CsvSource({
    "types-2.1, 3",
    "types-2.0, 5",
    "nested-2.1, 1",
    "nested-2.0, 2",
    "nested-2.2, 3",
    "add-sql-column, 1",
    "index-btree-delete, 0",
    "stable-delete, 0"
  })
  void aDroppedColumnIsGoneForBoth(String name, int column) throws IOException {
    LanceFixture fixture = Fixtures.lanceDataset(name);
    Path ours = fixture.copyInto(folder.resolve("ours"));
    Path theirs = fixture.copyInto(folder.resolve("theirs"));
    String dropped = open(ours).columnNames().get(column);
    open(ours).change().dropColumns(List.of(dropped));
    try (LanceJudge judge = LanceJudge.open(theirs)) {
      judge.dataset().dropColumns(List.of(dropped));
    }
    assertAlike(ours, theirs);
    assertThat(open(ours).columnNames()).doesNotContain(dropped);
  }

  @ParameterizedTest
  @CsvSource({
    "types-2.1, 3",
    "nested-2.1, 2",
    "index-btree-delete, 0",
    "stable-upsert, 0",
    "dictionary-2.1, 1"
  })
  void aRenamedColumnHasItsValuesForBoth(String name, int column) throws IOException {
    LanceFixture fixture = Fixtures.lanceDataset(name);
    Path ours = fixture.copyInto(folder.resolve("ours"));
    Path theirs = fixture.copyInto(folder.resolve("theirs"));
    String renamed = open(ours).columnNames().get(column);
    open(ours).change().renameColumn(renamed, "new name");
    try (LanceJudge judge = LanceJudge.open(theirs)) {
      judge
          .dataset()
          .alterColumns(List.of(new ColumnAlteration.Builder(renamed).rename("new name").build()));
    }
    assertAlike(ours, theirs);
    assertThat(open(ours).columnNames().get(column)).isEqualTo("new name");
    try (LanceJudge judge = LanceJudge.open(ours)) {
      judge
          .dataset()
          .alterColumns(List.of(new ColumnAlteration.Builder("new name").rename("again").build()));
    }
    open(theirs).change().renameColumn("new name", "again");
    assertAlike(ours, theirs);
  }

  /** Real Lance 7.0.0 drops the whole list when a member of its structs is to go; we do not. */
  @ParameterizedTest
  @ValueSource(strings = {"nested-2.1", "nested-2.0", "nested-2.2"})
  void membersOfStructsAreDroppedAndRenamed(String name) throws IOException {
    LanceFixture fixture = Fixtures.lanceDataset(name);
    Path ours = fixture.copyInto(folder.resolve("ours"));
    Path theirs = fixture.copyInto(folder.resolve("theirs"));
    List<String> members = new ArrayList<>();
    for (var field : open(ours).arrowSchema().getFields()) {
      boolean struct =
          field.getType() instanceof org.apache.arrow.vector.types.pojo.ArrowType.Struct;
      boolean packed =
          field.getMetadata().keySet().stream().anyMatch(key -> key.endsWith("packed"));
      if (struct && !packed && field.getChildren().size() > 1) {
        members.add(field.getName() + "." + field.getChildren().get(0).getName());
      }
    }
    assertThat(members).isNotEmpty();
    open(ours).change().dropColumns(members);
    try (LanceJudge judge = LanceJudge.open(theirs)) {
      judge.dataset().dropColumns(members);
    }
    assertAlike(ours, theirs);
  }

  private void assertAlike(Path ours, Path theirs) throws IOException {
    LanceJudge.Verdict expected = LanceJudge.judge(theirs);
    assertThat(LanceJudge.judge(ours).rows()).isEqualTo(expected.rows());
    assertThat(OurRows.of(ours)).isEqualTo(expected.rows());
    assertThat(OurRows.of(theirs)).isEqualTo(expected.rows());
    Dataset mine = open(ours);
    Dataset other = open(theirs);
    assertThat(mine.version()).isEqualTo(other.version());
    assertThat(mine.schema()).isEqualTo(other.schema());
    assertThat(mine.manifest().fragments().stream().map(one -> one.files()).toList())
        .isEqualTo(other.manifest().fragments().stream().map(one -> one.files()).toList());
    assertThat(mine.indices()).isEqualTo(other.indices());
    assertThat(mine.manifest().flags()).isEqualTo(other.manifest().flags());
    assertThat(mine.transaction(mine.version()).orElseThrow().operation())
        .isEqualTo(other.transaction(other.version()).orElseThrow().operation());
  }

  @Test
  @SuppressWarnings("deprecation") // the binding has no other way to change the configuration
  void configurationAndMetadataAreTheSameForBoth() throws IOException {
    Path table = Fixtures.lanceDataset("del-sparse").copyInto(folder);
    String column = open(table).columnNames().get(0);
    open(table)
        .change()
        .updateConfig(
            new ConfigChange(
                Optional.of(MapChange.set(Map.of("a", "1", "b", "2"))),
                Optional.of(MapChange.set(Map.of("t", "3"))),
                Optional.of(MapChange.set(Map.of("s", "4"))),
                Map.of(column, MapChange.set(Map.of("f", "5")))));
    try (LanceJudge judge = LanceJudge.open(table)) {
      assertThat(judge.dataset().getConfig()).isEqualTo(Map.of("a", "1", "b", "2"));
      assertThat(judge.dataset().getTableMetadata()).isEqualTo(Map.of("t", "3"));
      Schema schema = judge.schema();
      assertThat(schema.getCustomMetadata()).containsEntry("s", "4");
      assertThat(schema.findField(column).getMetadata()).containsEntry("f", "5");
      judge.dataset().deleteConfigKeys(Set.of("a"));
      assertThat(open(table).manifest().config()).isEqualTo(Map.of("b", "2"));
      // the Java binding replaces all that was there
      judge.dataset().updateConfig(Map.of("b", "7", "c", "6"));
    }
    assertThat(open(table).manifest().config()).isEqualTo(Map.of("b", "7", "c", "6"));
    open(table).change().updateConfig(ConfigChange.ofConfig(MapChange.unset(Set.of("b", "c"))));
    try (LanceJudge judge = LanceJudge.open(table)) {
      assertThat(judge.dataset().getConfig()).isEmpty();
      judge.delete("id < 50");
    }
    assertThat(open(table).manifest().tableMetadata()).isEqualTo(Map.of("t", "3"));
    assertThat(OurRows.of(table)).isEqualTo(LanceJudge.judge(table).rows());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "many-versions",
        "tags",
        "branches",
        "manifest-v1",
        "index-compact-remap",
        "index-compact-deferred",
        "compact-plain",
        "stable-upsert",
        "update-columns",
        "overwrite",
        "restore"
      })
  void realLanceOpensEveryVersionThatOurCleanUpKept(String name) throws IOException {
    Path table = Fixtures.lanceDataset(name).copyInto(folder);
    ManifestStore manifests = new ManifestStore(LocalObjectStore.at(table));
    long newest = manifests.latest().version();
    List<CanonicalRows.Result> before = new ArrayList<>();
    for (ManifestLocation version : manifests.list()) {
      before.add(rows(table, version.version()));
    }
    Dataset dataset = open(table);
    long point = Math.max(1, newest - 2);
    dataset.tags().create("kept", VersionSelector.version(Math.max(1, newest - 1)));
    dataset.branches().create("from", VersionSelector.version(point));

    CleanupResult result =
        dataset.cleanup(CleanupOptions.olderThan(Duration.ZERO).withDeleteUnverified());

    for (ManifestLocation version : manifests.list()) {
      assertThat(rows(table, version.version()))
          .as("version " + version.version())
          .isEqualTo(before.get((int) version.version() - 1));
      assertThat(
              OurRows.of(
                  Dataset.open(
                      table.toString(), VersionSelector.version(version.version()), allocator)))
          .isEqualTo(before.get((int) version.version() - 1));
    }
    assertThat(manifests.list()).extracting(ManifestLocation::version).contains(newest, newest - 1);
    assertThat(result.versions()).hasSize((int) newest - manifests.list().size());
    try (LanceJudge judge = LanceJudge.openBranch(table, "from", point)) {
      assertThat(judge.rows()).isEqualTo(before.get((int) point - 1));
    }
    // theirs finds nothing more to remove, and both go on
    try (LanceJudge judge = LanceJudge.open(table)) {
      RemovalStats stats = judge.dataset().cleanupWithPolicy(everything());
      assertThat(stats.getDataFilesRemoved() + stats.getDeletionFilesRemoved()).isZero();
      assertThat(stats.getOldVersions()).isZero();
      judge.delete("id = 1");
      judge.dataset().cleanupWithPolicy(everything());
    }
    open(table).delete("id = 2");
    open(table).cleanup(CleanupOptions.olderThan(Duration.ZERO));
    assertThat(OurRows.of(table)).isEqualTo(LanceJudge.judge(table).rows());
    try (LanceJudge judge = LanceJudge.openBranch(table, "from", point)) {
      assertThat(judge.rows()).isEqualTo(before.get((int) point - 1));
    }
  }

  private static CleanupPolicy everything() {
    return CleanupPolicy.builder()
        .withBeforeTimestampMillis(System.currentTimeMillis() + 1)
        .withErrorIfTaggedOldVersions(false)
        .build();
  }

  private static CanonicalRows.Result rows(Path table, long version) throws IOException {
    try (LanceJudge judge = LanceJudge.open(table, version)) {
      return judge.rows();
    }
  }

  private Dataset open(Path table) throws IOException {
    return Dataset.open(table.toString(), allocator);
  }
}
