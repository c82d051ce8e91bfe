package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sample dataset is what its generator writes, and what its README says. */
class SampleDatasetTest {
  private static final long MAX_BYTES = 8L << 20;

  private final Path shipped = Fixtures.repository().resolve("samples/sightings.lance");

  @Test
  void theGeneratorWritesTheRowsAndDeletesThatAreShipped(@TempDir Path folder) throws IOException {
    String named = System.getProperty("narwhal.sample", "");
    Path generated = named.isEmpty() ? folder.resolve("sightings.lance") : Path.of(named);
    SampleDatasetGenerator.write(generated);

    LanceJudge.Verdict expected = LanceJudge.judge(shipped);
    LanceJudge.Verdict actual = LanceJudge.judge(generated);
    assertThat(actual.version()).isEqualTo(expected.version());
    assertThat(actual.rows()).isEqualTo(expected.rows());
    assertThat(actual.fragments().stream().map(JudgedFragment::deletedOffsets))
        .isEqualTo(expected.fragments().stream().map(JudgedFragment::deletedOffsets).toList());
  }

  @Test
  void realLanceReopensACopyElsewhere(@TempDir Path folder) throws IOException {
    Path copy = Trees.copy(shipped, folder.resolve("elsewhere.lance"));

    LanceJudge.Verdict verdict = LanceJudge.judge(copy);
    List<JudgedFragment> fragments = verdict.fragments();
    assertThat(fragments.stream().map(f -> (int) f.physicalRows()))
        .isEqualTo(SampleDatasetGenerator.FRAGMENT_ROWS);
    assertThat(fragments.stream().map(SampleDatasetTest::deletionType))
        .containsExactly("none", "array", "bitmap", "array");
    long deleted = fragments.stream().mapToLong(f -> f.deletedOffsets().size()).sum();
    assertThat(verdict.count()).isEqualTo(200_000 - deleted).isEqualTo(verdict.rows().rows());
    assertThat(Trees.sizeBytes(shipped)).isLessThanOrEqualTo(MAX_BYTES);
  }

  @Test
  void theDefaultPredicateDeletesSomeRowsOfEveryFragment(@TempDir Path folder) throws IOException {
    Path copy = Trees.copy(shipped, folder.resolve("sightings.lance"));
    LanceJudge.Verdict before = LanceJudge.judge(copy);
    try (LanceJudge judge = LanceJudge.open(copy)) {
      long matching = judge.countRows(SampleDatasetGenerator.DEFAULT_PREDICATE);
      judge.delete(SampleDatasetGenerator.DEFAULT_PREDICATE);

      assertThat(judge.countRows()).isEqualTo(before.count() - matching);
      assertThat(matching / (double) before.count()).isBetween(0.05, 0.10);
      List<JudgedFragment> after = judge.fragments();
      assertThat(after).hasSameSizeAs(before.fragments());
      for (int i = 0; i < after.size(); i++) {
        assertThat(after.get(i).deletedOffsets())
            .hasSizeGreaterThan(before.fragments().get(i).deletedOffsets().size() + 1000);
      }
    }
  }

  @Test
  void theReadmeNamesTheDefaultPredicate() throws IOException {
    assertThat(Files.readString(Fixtures.repository().resolve("samples/README.md")))
        .contains("\n    " + SampleDatasetGenerator.DEFAULT_PREDICATE + "\n");
  }

  private static String deletionType(JudgedFragment fragment) {
    return fragment.deletionFile().map(JudgedFragment.JudgedDeletionFile::type).orElse("none");
  }
}
