package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FixturesTest {
  private static final String PROPERTY = "narwhal.fixtures";

  private final String named = System.getProperty(PROPERTY, "");

  @AfterEach
  void nameTheFolderOfTheBuildAgain() {
    System.setProperty(PROPERTY, named);
  }

  @Test
  void findsEveryKind() throws IOException {
    assertThat(Fixtures.lanceDatasets()).extracting("name").contains("types-2.1", "del-sparse");
    for (String version : List.of("2.0", "2.1", "2.2")) {
      assertThat(Fixtures.lanceFiles(version))
          .allSatisfy(file -> assertThat(file.values()).isRegularFile())
          .extracting("name")
          .contains("i32_const", "i64_k");
    }
    assertThat(Fixtures.icebergTables()).extracting("name").contains("v3_dv_basic");
  }

  @Test
  void aNamedFolderWithoutACaseIsAnError(@TempDir Path folder) throws IOException {
    System.setProperty(PROPERTY, folder.toString());
    assertThatThrownBy(Fixtures::lanceDatasets)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(folder.resolve("lance").toString());
    Files.createDirectories(folder.resolve("lance/not-a-fixture"));
    assertThatThrownBy(Fixtures::lanceDatasets).hasMessageContaining("no fixture in");
    Files.createDirectories(folder.resolve("lance-files/2.1"));
    assertThatThrownBy(() -> Fixtures.lanceFiles("2.1")).hasMessageContaining("no fixture in");
    assertThatThrownBy(Fixtures::icebergTables).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aCopyCanBeWrittenAndKeepsTimes(@TempDir Path folder) throws IOException {
    Fixtures.LanceFixture fixture = Fixtures.lanceDataset("del-sparse");
    Path copy = fixture.copyInto(folder);

    Path manifest = Path.of(fixture.expected().versions().get(0).manifest().file());
    assertThat(Files.getLastModifiedTime(copy.resolve(manifest)))
        .isEqualTo(Files.getLastModifiedTime(fixture.dataset().resolve(manifest)));
    try (LanceJudge judge = LanceJudge.open(copy)) {
      long before = judge.version();
      assertThat(judge.delete("id < 10")).isEqualTo(before + 1);
    }
  }
}
