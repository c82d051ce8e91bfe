package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.conformance.ExpectedDataset.Branch;
import dev.narwhal.conformance.ExpectedDataset.FragmentFacts;
import dev.narwhal.conformance.ExpectedDataset.IndexFacts;
import dev.narwhal.conformance.ExpectedDataset.Query;
import dev.narwhal.conformance.ExpectedDataset.Version;
import dev.narwhal.conformance.Fixtures.LanceFixture;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.deletion.DeletionFile.Encoding;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.IndexMetadata;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.scan.MatchReader;
import dev.narwhal.lance.scan.Scan.Match;
import dev.narwhal.lance.scan.ScanOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Narwhal, without real Lance, gives the answers that real Lance was recorded with. */
class OurAnswersTest {
  /** Storage versions whose data files are read. */
  private static final Set<String> READ = Set.of("2.0", "2.1", "2.2");

  static List<LanceFixture> fixtures() throws IOException {
    return Fixtures.lanceDatasets();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("fixtures")
  void everyVersionReadsAsRecorded(LanceFixture fixture) throws IOException {
    ExpectedDataset expected = fixture.expected();
    String uri = fixture.dataset().toString();
    try (BufferAllocator allocator = new RootAllocator()) {
      for (Version version : expected.versions()) {
        VersionSelector selector = VersionSelector.version(version.version());
        assertAgreement(Dataset.open(uri, selector, allocator), version, allocator);
      }
      for (Branch branch : expected.branches()) {
        for (Version version : branch.versions()) {
          VersionSelector selector =
              VersionSelector.version(version.version()).onBranch(branch.name());
          assertAgreement(Dataset.open(uri, selector, allocator), version, allocator);
        }
      }
      Dataset newest = Dataset.open(uri, allocator);
      assertThat(newest.version()).isEqualTo(expected.latestVersion());
      if (isRead(newest)) {
        assertQueries(newest, expected, allocator);
      }
      for (ExpectedDataset.Tag tag : expected.tags()) {
        assertThat(Dataset.open(uri, VersionSelector.tag(tag.name()), allocator).version())
            .isEqualTo(tag.version());
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("fixtures")
  void historyTellsEveryOperation(LanceFixture fixture) throws IOException {
    ExpectedDataset expected = fixture.expected();
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset newest = Dataset.open(fixture.dataset().toString(), allocator);
      assertThat(newest.history().stream().map(entry -> entry.version() + " " + entry.operation()))
          .containsExactlyElementsOf(
              expected.versions().stream()
                  .map(version -> version.version() + " " + version.manifest().operation())
                  .toList());
    }
  }

  private static void assertAgreement(Dataset dataset, Version version, BufferAllocator allocator)
      throws IOException {
    assertThat(dataset.version()).isEqualTo(version.version());
    assertThat(dataset.countRows()).isEqualTo(version.liveRows());
    assertThat(dataset.manifest().nextRowId()).isEqualTo(version.manifest().nextRowId());
    assertFragments(dataset.fragments(), version.fragments());
    assertDeletedOffsets(dataset, version);
    assertIndices(dataset, version);
    if (!isRead(dataset)) {
      assertThatThrownBy(() -> canonical(dataset, allocator))
          .isInstanceOf(UnsupportedFeatureException.class);
      return;
    }
    CanonicalRows.Result rows = canonical(dataset, allocator);
    assertThat(rows.rows()).isEqualTo(version.liveRows());
    assertThat(rows.sha256())
        .as("rows of version %s", version.version())
        .isEqualTo(version.rowsSha256());
    if (version.rowIds() != null) {
      long[] ids = longs(dataset, ScanOptions.of(List.of()).withRowId(), "_rowid", allocator);
      assertThat(version.rowIds().sameFormOfLongs(ids)).isEqualTo(version.rowIds());
      assertThat(runs(dataset, "_row_created_at_version", allocator))
          .isEqualTo(version.createdAtRuns());
      assertThat(runs(dataset, "_row_last_updated_at_version", allocator))
          .isEqualTo(version.lastUpdatedAtRuns());
    }
  }

  private static List<List<Long>> runs(Dataset dataset, String column, BufferAllocator allocator)
      throws IOException {
    return RecordedAnswersTest.runs(
        longs(dataset, ScanOptions.of(List.of(column)), column, allocator));
  }

  /**
   * What was recorded of fragments is what real Lance shows once a fragment reuse index was
   * applied; where there is one, the manifest says otherwise.
   */
  private static void assertIndices(Dataset dataset, Version version) {
    boolean reused =
        dataset.indices().stream().anyMatch(index -> index.name().equals("__lance_frag_reuse"));
    assertThat(dataset.indices()).hasSameSizeAs(version.indices());
    for (IndexFacts facts : version.indices()) {
      IndexMetadata index =
          dataset.indices().stream()
              .filter(candidate -> candidate.uuid().toString().equals(facts.uuid()))
              .findFirst()
              .orElseThrow();
      assertThat(index.name()).isEqualTo(facts.name());
      assertThat(index.fields()).isEqualTo(facts.fields());
      assertThat(index.datasetVersion()).isEqualTo(facts.datasetVersion());
      List<Long> fragments = new ArrayList<>();
      index.fragmentBitmap().ifPresent(bitmap -> bitmap.forEach(fragments::add));
      if (!reused) {
        assertThat(fragments).isEqualTo(facts.fragments());
      }
    }
  }

  private static void assertFragments(List<Fragment> actual, List<FragmentFacts> expected) {
    assertThat(actual).hasSameSizeAs(expected);
    for (int i = 0; i < actual.size(); i++) {
      Fragment fragment = actual.get(i);
      FragmentFacts facts = expected.get(i);
      assertThat(fragment.id()).isEqualTo(facts.id());
      assertThat(fragment.physicalRows()).hasValue(facts.physicalRows());
      assertThat(fragment.files().stream().map(DataFile::path))
          .containsExactlyElementsOf(
              facts.files().stream().map(ExpectedDataset.DataFileFacts::path).toList());
      assertThat(
              fragment
                  .deletionFile()
                  .map(file -> file.encoding() == Encoding.ARRAY ? "array" : "bitmap")
                  .orElse("none"))
          .isEqualTo(facts.deletionFile().type());
    }
  }

  /** A scan for no column at all tells which offsets are alive, whatever the data files hold. */
  private static void assertDeletedOffsets(Dataset dataset, Version version) throws IOException {
    if (dataset.fragments().stream()
        .flatMap(fragment -> fragment.files().stream())
        .anyMatch(file -> file.formatVersion().equals("0.1"))) {
      return;
    }
    try (BufferAllocator allocator = new RootAllocator()) {
      List<FragmentFacts> facts = version.fragments();
      for (int i = 0; i < facts.size(); i++) {
        List<Fragment> one = List.of(dataset.fragments().get(i));
        List<Long> deleted = new ArrayList<>();
        try (MatchReader matches =
            dataset.scan(one, ScanOptions.of(List.of())).matches(allocator)) {
          for (Optional<Match> match = matches.next(); match.isPresent(); match = matches.next()) {
            for (int row = 0; row < match.get().rows().rows(); row++) {
              if (!match.get().rows().get(row)) {
                deleted.add(match.get().start() + row);
              }
            }
          }
        }
        long[] offsets = deleted.stream().mapToLong(Long::longValue).toArray();
        Recorded recorded = facts.get(i).deletedOffsets();
        assertThat(recorded.sameFormOfUnsignedInts(offsets)).isEqualTo(recorded);
      }
    }
  }

  private static void assertQueries(
      Dataset dataset, ExpectedDataset expected, BufferAllocator allocator) throws IOException {
    for (Query query : expected.queries()) {
      if (query.filter() != null && query.pks() != null) {
        ScanOptions options =
            ScanOptions.of(List.of(expected.primaryKey()))
                .withFilter(dataset.predicate(query.filter()));
        List<String> keys = texts(dataset, options, allocator);
        assertThat(keys).as(query.filter()).isEqualTo(query.pks().values());
        assertThat(dataset.countRows(query.filter())).isEqualTo(keys.size());
      }
    }
  }

  /** Whether we read the newest version. */
  static boolean isRead(LanceFixture fixture) throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      return isRead(Dataset.open(fixture.dataset().toString(), allocator));
    }
  }

  /** By version alone, so that nothing we should read can hide behind a refusal. */
  private static boolean isRead(Dataset dataset) {
    return dataset.fragments().isEmpty()
        || READ.contains(dataset.manifest().dataFormat().version());
  }

  private static CanonicalRows.Result canonical(Dataset dataset, BufferAllocator allocator)
      throws IOException {
    CanonicalRows.Result rows = OurRows.of(dataset);
    assertThat(allocator.getAllocatedMemory()).isZero();
    return rows;
  }

  private static long[] longs(
      Dataset dataset, ScanOptions options, String column, BufferAllocator allocator)
      throws IOException {
    List<Long> values = new ArrayList<>();
    try (BatchReader reader = dataset.scan(options).read(allocator)) {
      while (reader.next()) {
        BaseIntVector vector = (BaseIntVector) reader.batch().getVector(column);
        for (int i = 0; i < reader.batch().getRowCount(); i++) {
          values.add(vector.getValueAsLong(i));
        }
      }
    }
    return values.stream().mapToLong(Long::longValue).toArray();
  }

  /** The only column's values as text, sorted as the recorded keys are. */
  private static List<String> texts(Dataset dataset, ScanOptions options, BufferAllocator allocator)
      throws IOException {
    List<String> texts = new ArrayList<>();
    List<Long> numbers = new ArrayList<>();
    try (BatchReader reader = dataset.scan(options).read(allocator)) {
      while (reader.next()) {
        FieldVector vector = reader.batch().getVector(0);
        for (int i = 0; i < reader.batch().getRowCount(); i++) {
          if (vector instanceof VarCharVector text) {
            texts.add(text.getObject(i).toString());
          } else {
            numbers.add(((BaseIntVector) vector).getValueAsLong(i));
          }
        }
      }
    }
    long[] sorted = numbers.stream().mapToLong(Long::longValue).sorted().toArray();
    texts.sort(null);
    texts.addAll(Arrays.stream(sorted).mapToObj(Long::toString).toList());
    return texts;
  }
}
