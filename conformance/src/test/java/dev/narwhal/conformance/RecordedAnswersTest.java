package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.narwhal.conformance.ExpectedDataset.FragmentFacts;
import dev.narwhal.conformance.ExpectedDataset.Query;
import dev.narwhal.conformance.ExpectedDataset.Version;
import dev.narwhal.conformance.Fixtures.LanceFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.types.pojo.ArrowType.ArrowTypeID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lance.ipc.ScanOptions;

/**
 * Real Lance, through the kit, gives the recorded answers: so the judge works here, and our
 * canonical form is the recorded one.
 */
class RecordedAnswersTest {

  static List<LanceFixture> fixtures() throws IOException {
    return Fixtures.lanceDatasets();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("fixtures")
  void theKitAgreesOnEveryVersion(LanceFixture fixture) throws IOException {
    ExpectedDataset expected = fixture.expected();
    Path dataset = fixture.dataset();
    assertThat(expected.fixture()).isEqualTo(fixture.name());
    for (Version version : expected.versions()) {
      try (LanceJudge judge = LanceJudge.open(dataset, version.version())) {
        assertAgreement(judge, expected, version);
      }
    }
    for (ExpectedDataset.Branch branch : expected.branches()) {
      for (Version version : branch.versions()) {
        try (LanceJudge judge = LanceJudge.openBranch(dataset, branch.name(), version.version())) {
          assertAgreement(judge, expected, version);
        }
      }
    }
    try (LanceJudge newest = LanceJudge.open(dataset)) {
      assertThat(newest.version()).isEqualTo(expected.latestVersion());
      for (Query query : expected.queries()) {
        if (query.filter() != null && query.pks() != null) {
          assertThat(longKeys(newest, expected.primaryKey(), query.filter()))
              .as(query.filter())
              .isEqualTo(query.pks());
        }
      }
    }
  }

  private static void assertAgreement(LanceJudge judge, ExpectedDataset expected, Version version)
      throws IOException {
    String description = "version " + version.version();
    LanceJudge.Verdict verdict = judge.verdict();
    assertThat(verdict.version()).isEqualTo(version.version());
    assertThat(verdict.count()).as(description).isEqualTo(version.liveRows());
    assertThat(verdict.rows().rows()).as(description).isEqualTo(version.liveRows());
    if (!version.firstRows().isEmpty()) {
      assertThat(json(verdict.rows().firstRows())).as(description).isEqualTo(version.firstRows());
    }
    assertThat(verdict.rows().sha256()).as(description).isEqualTo(version.rowsSha256());
    assertThat(keys(judge, expected.primaryKey(), version.pks()))
        .as(description)
        .isEqualTo(version.pks());
    assertFragments(verdict.fragments(), version.fragments(), description);
    if (version.rowIds() != null) {
      assertThat(version.rowIds().sameFormOfLongs(judge.rowIds())).isEqualTo(version.rowIds());
      assertThat(runs(judge.longs("_row_created_at_version"))).isEqualTo(version.createdAtRuns());
      assertThat(runs(judge.longs("_row_last_updated_at_version")))
          .isEqualTo(version.lastUpdatedAtRuns());
    }
  }

  private static void assertFragments(
      List<JudgedFragment> actual, List<FragmentFacts> expected, String description) {
    assertThat(actual).as(description).hasSameSizeAs(expected);
    for (int i = 0; i < actual.size(); i++) {
      JudgedFragment fragment = actual.get(i);
      FragmentFacts facts = expected.get(i);
      assertThat((long) fragment.id()).as(description).isEqualTo(facts.id());
      assertThat(fragment.physicalRows()).as(description).isEqualTo(facts.physicalRows());
      assertThat(facts.deletedOffsets().sameFormOfUnsignedInts(longs(fragment.deletedOffsets())))
          .as(description)
          .isEqualTo(facts.deletedOffsets());
      assertThat(fragment.dataFiles())
          .isEqualTo(facts.files().stream().map(ExpectedDataset.DataFileFacts::path).toList());
      assertThat(
              fragment.deletionFile().map(JudgedFragment.JudgedDeletionFile::type).orElse("none"))
          .isEqualTo(facts.deletionFile().type());
      fragment
          .deletionFile()
          .ifPresent(
              file -> {
                assertThat(file.path()).isEqualTo(facts.deletionFile().path());
                assertThat(file.deletedRows()).hasValue(facts.deletedOffsets().count());
              });
    }
  }

  private static Recorded longKeys(LanceJudge judge, String key, String filter) throws IOException {
    long[] keys =
        judge.longs(new ScanOptions.Builder().columns(List.of(key)).filter(filter).build(), key);
    Arrays.sort(keys);
    return new Recorded(
        keys.length, Arrays.stream(keys).mapToObj(Long::toString).toList(), Optional.empty());
  }

  private static Recorded keys(LanceJudge judge, String key, Recorded form) throws IOException {
    if (judge.schema().findField(key).getType().getTypeID() == ArrowTypeID.Utf8) {
      List<String> texts = new ArrayList<>();
      judge.scan(
          new ScanOptions.Builder().columns(List.of(key)).build(),
          (batch, dictionaries) -> {
            VarCharVector vector = (VarCharVector) batch.getVector(key);
            for (int i = 0; i < batch.getRowCount(); i++) {
              texts.add(vector.getObject(i).toString());
            }
          });
      texts.sort(null);
      return new Recorded(texts.size(), texts, Optional.empty());
    }
    long[] keys = judge.longs(key);
    Arrays.sort(keys);
    return form.sameFormOfLongs(keys);
  }

  private static List<JsonNode> json(List<String> rows) throws IOException {
    List<JsonNode> parsed = new ArrayList<>();
    for (String row : rows) {
      parsed.add(ExpectedDataset.JSON.readTree(row));
    }
    return parsed;
  }

  /** Equal neighbours as pairs of value and length. */
  static List<List<Long>> runs(long[] values) {
    List<List<Long>> runs = new ArrayList<>();
    int start = 0;
    for (int i = 1; i <= values.length; i++) {
      if (i == values.length || values[i] != values[start]) {
        runs.add(List.of(values[start], (long) (i - start)));
        start = i;
      }
    }
    return runs;
  }

  private static long[] longs(List<Long> values) {
    return values.stream().mapToLong(Long::longValue).toArray();
  }
}
