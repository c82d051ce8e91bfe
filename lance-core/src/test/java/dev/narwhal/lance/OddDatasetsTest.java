package dev.narwhal.lance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.deletion.DeletionFile;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.LanceFixture;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestCodec;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestNaming;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.proto.table.EncodedU64Array;
import dev.narwhal.lance.proto.table.RowIdSequence;
import dev.narwhal.lance.proto.table.U64Segment;
import dev.narwhal.lance.rowid.StoredSequence;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.scan.ScanOptions;
import dev.narwhal.lance.storage.MemoryObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Datasets as other writers, older and stranger, leave them: a version of a fixture with fragments
 * altered reads as the fixture does, or is refused for the right reason.
 */
class OddDatasetsTest {
  private static final List<String> COLUMNS =
      List.of(
          "id",
          "_rowid",
          "_rowaddr",
          "_rowoffset",
          "_row_created_at_version",
          "_row_last_updated_at_version");

  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void closeAllocator() {
    allocator.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"del-sparse", "stable-delete", "stable-upsert", "del-dense-bitmap"})
  void countsThatTheManifestDoesNotTellAreTakenFromTheFiles(String name) throws IOException {
    MemoryObjectStore store = LanceFixture.named(name).copy();
    Dataset plain = open(store);
    Dataset odd = altered(store, plain, OddDatasetsTest::withoutCounts);
    assertThat(odd.fragments()).allMatch(fragment -> fragment.liveRows().isEmpty());
    assertThat(odd.countRows()).isEqualTo(plain.countRows());
    assertThat(rows(odd)).isEqualTo(rows(plain));
    long[] offsets = {3, 0, plain.countRows() - 1};
    assertThat(taken(odd.takeOffsets(offsets, COLUMNS)))
        .isEqualTo(taken(plain.takeOffsets(offsets, COLUMNS)));
    ScanOptions part = ScanOptions.of(COLUMNS).withOffset(15).withLimit(30);
    assertThat(rows(odd, part)).isEqualTo(rows(plain, part)).hasSize(30);
  }

  @Test
  void sequencesMayLieInOtherFiles() throws IOException {
    MemoryObjectStore store = LanceFixture.named("stable-upsert").copy();
    Dataset plain = open(store);
    Dataset odd =
        altered(
            store,
            plain,
            fragment ->
                with(
                    fragment,
                    fragment.rowIds().map(s -> external(store, fragment.id() + "/ids", s)),
                    fragment.createdVersions().map(s -> external(store, fragment.id() + "/c", s)),
                    fragment
                        .lastUpdatedVersions()
                        .map(s -> external(store, fragment.id() + "/u", s))));
    assertThat(rows(odd)).isEqualTo(rows(plain));
    assertThat(taken(odd.takeRowIds(new long[] {70, 3, 17}, COLUMNS)))
        .isEqualTo(taken(plain.takeRowIds(new long[] {70, 3, 17}, COLUMNS)));
  }

  @Test
  void versionsThatNobodyKeptHaveDefaults() throws IOException {
    MemoryObjectStore store = LanceFixture.named("stable-upsert").copy();
    Dataset plain = open(store);
    Dataset none =
        altered(store, plain, f -> with(f, f.rowIds(), Optional.empty(), Optional.empty()));
    assertThat(column(none, 4)).containsOnly(1L);
    assertThat(column(none, 5)).containsOnly(1L);
    Dataset created =
        altered(store, none, f -> with(f, f.rowIds(), created(plain, f), Optional.empty()));
    assertThat(column(created, 4)).isEqualTo(column(plain, 4)).contains(2L);
    assertThat(column(created, 5)).isEqualTo(column(plain, 4));
  }

  @Test
  void idsInNoOrderAreFound() throws IOException {
    MemoryObjectStore store = LanceFixture.named("stable-create").copy();
    Dataset plain = open(store);
    Dataset odd =
        altered(
            store,
            plain,
            f ->
                with(
                    f,
                    Optional.of(shuffled(f.id(), (int) f.physicalRows().orElseThrow())),
                    f.createdVersions(),
                    f.lastUpdatedVersions()));
    List<List<Long>> rows = rows(odd);
    assertThat(column(odd, 1)).doesNotHaveDuplicates();
    for (int i = 0; i < rows.size(); i += 7) {
      long id = rows.get(i).get(1);
      assertThat(taken(odd.takeRowIds(new long[] {id}, COLUMNS))).containsExactly(rows.get(i));
    }
  }

  @Test
  void aSequenceForOtherRowsIsNamedWithItsFragment() throws IOException {
    MemoryObjectStore store = LanceFixture.named("stable-create").copy();
    Dataset plain = open(store);
    StoredSequence tooShort = shuffled(0, 5);
    Dataset odd =
        altered(
            store,
            plain,
            f -> with(f, Optional.of(tooShort), Optional.of(tooShort), f.lastUpdatedVersions()));
    assertThatThrownBy(() -> odd.addressesOf(new long[] {1}))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("row ids of fragment 0");
    assertThatThrownBy(() -> rows(odd, ScanOptions.of(List.of("_row_created_at_version"))))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("creation versions of fragment 0");
    assertThat(rows(odd, ScanOptions.of(List.of("id")))).hasSize((int) plain.countRows());
  }

  @ParameterizedTest
  @ValueSource(strings = {"legacy-life", "types-legacy", "nested-legacy"})
  void legacyTablesAreCountedAndTheirRowsRefused(String name) throws IOException {
    LanceFixture fixture = LanceFixture.named(name);
    Dataset dataset = open(fixture.copy());
    assertThat(dataset.countRows())
        .isEqualTo(
            fixture
                .expected()
                .get("versions")
                .get((int) dataset.version() - 1)
                .get("live_rows")
                .longValue());
    for (Fragment fragment : dataset.fragments()) {
      assertThat(dataset.deletions(fragment).cardinality())
          .isEqualTo(fragment.deletedRows().orElseThrow());
    }
    assertThatThrownBy(() -> rows(dataset, ScanOptions.of(dataset.columnNames())))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("0.1")
        .hasMessageContaining("2.1");
    assertThatThrownBy(() -> dataset.takeOffsets(new long[] {0}, dataset.columnNames()))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("0.1");
  }

  private static Fragment withoutCounts(Fragment f) {
    return new Fragment(
        f.id(),
        f.files(),
        f.deletionFile()
            .map(
                d ->
                    new DeletionFile(
                        d.encoding(),
                        d.readVersion(),
                        d.id(),
                        OptionalLong.empty(),
                        d.baseId(),
                        d.unknown())),
        OptionalLong.empty(),
        f.rowIds(),
        f.lastUpdatedVersions(),
        f.createdVersions(),
        f.unknown());
  }

  private static Fragment with(
      Fragment f,
      Optional<StoredSequence> rowIds,
      Optional<StoredSequence> created,
      Optional<StoredSequence> lastUpdated) {
    return new Fragment(
        f.id(),
        f.files(),
        f.deletionFile(),
        f.physicalRows(),
        rowIds,
        lastUpdated,
        created,
        f.unknown());
  }

  private static Optional<StoredSequence> created(Dataset dataset, Fragment fragment) {
    return dataset.manifest().fragment(fragment.id()).orElseThrow().createdVersions();
  }

  /** Puts a sequence behind three bytes of something else. */
  private static StoredSequence external(
      MemoryObjectStore store, String name, StoredSequence sequence) {
    ByteBuffer message = ((StoredSequence.Inline) sequence).bytes();
    ByteBuffer file = ByteBuffer.allocate(message.remaining() + 5);
    int size = message.remaining();
    file.position(3).put(message).rewind();
    store.put("_sequences/" + name, file);
    return new StoredSequence.External("_sequences/" + name, 3, size);
  }

  /** Every seventh id from the fragment's thousandth on, round and round. */
  private static StoredSequence shuffled(long fragment, int rows) {
    ByteBuffer ids = ByteBuffer.allocate(8 * rows).order(ByteOrder.LITTLE_ENDIAN);
    for (int start = 0; start < 7; start++) {
      for (int i = start; i < rows; i += 7) {
        ids.putLong(1000 * (fragment + 1) + i);
      }
    }
    EncodedU64Array array =
        EncodedU64Array.newBuilder()
            .setU64Array(
                EncodedU64Array.U64Array.newBuilder().setValues(ByteString.copyFrom(ids.flip())))
            .build();
    return StoredSequence.Inline.of(
        ByteBuffer.wrap(
            RowIdSequence.newBuilder()
                .addSegments(U64Segment.newBuilder().setArray(array))
                .build()
                .toByteArray()));
  }

  /** A next version with every fragment altered. */
  private Dataset altered(MemoryObjectStore store, Dataset base, UnaryOperator<Fragment> alteration)
      throws IOException {
    Manifest manifest =
        base.manifest()
            .toDraft()
            .version(base.version() + 1)
            .fragments(base.fragments().stream().map(alteration).toList())
            .build();
    store.put(
        "_versions/" + ManifestNaming.V2.format(manifest.version()),
        ManifestCodec.encode(ManifestFile.of(manifest, List.of())));
    return open(store);
  }

  private Dataset open(MemoryObjectStore store) throws IOException {
    return Dataset.open("memory", VersionSelector.latest(), place -> store, allocator);
  }

  private List<Long> column(Dataset dataset, int index) throws IOException {
    return rows(dataset).stream().map(row -> row.get(index)).toList();
  }

  private List<List<Long>> rows(Dataset dataset) throws IOException {
    return rows(dataset, ScanOptions.of(COLUMNS));
  }

  private List<List<Long>> rows(Dataset dataset, ScanOptions options) throws IOException {
    List<List<Long>> rows = new ArrayList<>();
    try (BatchReader reader = dataset.scan(options).read(allocator)) {
      while (reader.next()) {
        rows.addAll(rows(reader.batch()));
      }
    }
    return rows;
  }

  private static List<List<Long>> taken(VectorSchemaRoot rows) {
    try (rows) {
      return rows(rows);
    }
  }

  private static List<List<Long>> rows(VectorSchemaRoot batch) {
    return IntStream.range(0, batch.getRowCount())
        .mapToObj(
            row ->
                batch.getFieldVectors().stream()
                    .flatMapToLong(
                        vector -> LongStream.of(((BaseIntVector) vector).getValueAsLong(row)))
                    .boxed()
                    .toList())
        .toList();
  }
}
