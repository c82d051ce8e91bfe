package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.conformance.Fixtures.LanceFixture;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.write.DeleteOptions;
import dev.narwhal.lance.write.DeleteResult;
import dev.narwhal.lance.write.LayoutChoice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Narwhal deletes, and real Lance judges: on a second copy it does the same delete itself, and both
 * results must be alike, down to the kind of each deletion file; then it goes on where we stopped,
 * and we read what it made of that.
 */
class DeletesJudgedTest {
  @TempDir Path folder;

  static List<Arguments> deletes() throws IOException {
    List<Arguments> deletes = new ArrayList<>();
    for (LanceFixture fixture : Fixtures.lanceDatasets()) {
      if (OurAnswersTest.isRead(fixture) && fixture.expected().versions().get(0).liveRows() > 0) {
        boolean text = fixture.expected().primaryKey().equals("k");
        for (String where :
            text
                ? List.of("k >= 'k1'", "k IS NULL", "starts_with(k, 'k')")
                : List.of("id % 3 = 0", "id < 25", "id IN (1, 2, 3, 5, 8, 13, 21)", "true")) {
          deletes.add(Arguments.of(fixture, where));
        }
      }
    }
    return deletes;
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("deletes")
  void realLanceSeesWhatItWouldHaveDoneAndGoesOn(LanceFixture fixture, String where)
      throws IOException {
    Path ours = fixture.copyInto(folder.resolve("ours"));
    Path theirs = fixture.copyInto(folder.resolve("theirs"));
    DeleteResult result;
    try (BufferAllocator allocator = new RootAllocator()) {
      result = Dataset.open(ours.toString(), allocator).delete(where);
    }
    long before;
    try (LanceJudge judge = LanceJudge.open(theirs)) {
      before = judge.countRows();
      judge.delete(where);
    }
    LanceJudge.Verdict expected = LanceJudge.judge(theirs);
    LanceJudge.Verdict actual = LanceJudge.judge(ours);
    assertThat(actual.rows()).isEqualTo(expected.rows());
    assertThat(actual.count()).isEqualTo(expected.count());
    assertThat(result.deletedRows()).isEqualTo(before - expected.count());
    assertThat(result.version()).isEqualTo(actual.version());
    assertThat(states(actual.fragments())).isEqualTo(states(expected.fragments()));
    assertThat(OurRows.of(ours)).isEqualTo(actual.rows());

    if (expected.count() > 0) {
      String more = fixture.expected().primaryKey().equals("k") ? "k < 'k3'" : "id % 5 = 1";
      try (LanceJudge judge = LanceJudge.open(ours)) {
        judge.delete(more);
      }
      try (LanceJudge judge = LanceJudge.open(theirs)) {
        judge.delete(more);
      }
      LanceJudge.Verdict after = LanceJudge.judge(ours);
      assertThat(after.rows()).isEqualTo(LanceJudge.judge(theirs).rows());
      assertThat(OurRows.of(ours)).isEqualTo(after.rows());
    }
  }

  @Test
  void arraysGrowIntoBitmapsWhereRealLanceLetsThem() throws IOException {
    LanceFixture fixture = Fixtures.lanceDataset("del-dense-bitmap");
    for (String where :
        List.of("id < 4000", "id < 4999", "id < 5000", "id < 5001", "id >= 2000", "id = 7")) {
      Path ours = fixture.copyInto(folder.resolve("ours " + where));
      Path theirs = fixture.copyInto(folder.resolve("theirs " + where));
      restoreFirstVersion(ours);
      restoreFirstVersion(theirs);
      for (String next : List.of(where, "id = 11000", "id > 11500")) {
        try (BufferAllocator allocator = new RootAllocator()) {
          Dataset.open(ours.toString(), allocator).delete(next);
        }
        try (LanceJudge judge = LanceJudge.open(theirs)) {
          judge.delete(next);
        }
        assertThat(states(LanceJudge.judge(ours).fragments()))
            .as(where + ", then " + next)
            .isEqualTo(states(LanceJudge.judge(theirs).fragments()));
      }
    }
  }

  @Test
  void theThresholdIsTheCallersToChoose() throws IOException {
    LanceFixture fixture = Fixtures.lanceDataset("del-sparse");
    Path ours = fixture.copyInto(folder);
    restoreFirstVersion(ours);
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset.open(ours.toString(), allocator)
          .delete("id = 3", DeleteOptions.standard().withArrayThreshold(1));
    }
    assertThat(LanceJudge.judge(ours).fragments())
        .anySatisfy(
            fragment -> {
              assertThat(fragment.deletedOffsets()).containsExactly(3L);
              assertThat(fragment.deletionFile().orElseThrow().type()).isEqualTo("bitmap");
            });
  }

  @Test
  void runsInABitmapAreReadByRealLanceWhichGoesOn() throws IOException {
    LanceFixture fixture = Fixtures.lanceDataset("del-sparse");
    Path ours = fixture.copyInto(folder);
    restoreFirstVersion(ours);
    DeleteOptions smallest = DeleteOptions.standard().withLayout(LayoutChoice.smallest());
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset dataset = Dataset.open(ours.toString(), allocator);
      dataset.delete("id < 60", smallest);
      Dataset after = dataset.latest();
      assertThat(after.deletionBitmapBytes(after.fragments().get(0)).orElseThrow().get(0))
          .as("cookie 12347")
          .isEqualTo((byte) 0x3b);
    }
    try (LanceJudge judge = LanceJudge.open(ours)) {
      assertThat(judge.fragments().get(0).deletedOffsets())
          .isEqualTo(LongStream.range(0, 60).boxed().toList());
      judge.delete("id = 61");
      assertThat(judge.countRows()).isEqualTo(239);
    }
    assertThat(OurRows.of(ours)).isEqualTo(LanceJudge.judge(ours).rows());
  }

  private static void restoreFirstVersion(Path dataset) {
    try (LanceJudge judge = LanceJudge.open(dataset, 1)) {
      judge.dataset().restore();
    }
  }

  /** A fragment less what differs by chance: names of deletion files, and their versions. */
  private record State(
      int id, long physicalRows, Optional<String> deletionFile, List<Long> deletedOffsets) {}

  private static List<State> states(List<JudgedFragment> fragments) {
    return fragments.stream()
        .map(
            fragment ->
                new State(
                    fragment.id(),
                    fragment.physicalRows(),
                    fragment.deletionFile().map(JudgedFragment.JudgedDeletionFile::type),
                    fragment.deletedOffsets()))
        .toList();
  }
}
