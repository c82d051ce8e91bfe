package dev.narwhal.lance.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.deletion.DeletionFile;
import dev.narwhal.lance.deletion.DeletionFiles;
import dev.narwhal.lance.deletion.EncodedDeletions;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.IndexDetails;
import dev.narwhal.lance.manifest.IndexMetadata;
import dev.narwhal.lance.manifest.LanceFixture;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestCodec;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestLocation;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.manifest.WriterVersion;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.MemoryObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables as old writers left them: real ones, less what those did not store. */
class MigrationTest {
  private static final CommitOptions FAST = CommitOptions.standard().withPacing(Pacing.none());

  /** Three fragments of 100 rows, of which 8 are deleted; five rows are appended. */
  @Test
  void o13RowsThatNobodyCountedAreCountedWithTheDeletedOnes() throws IOException {
    MemoryObjectStore store = LanceFixture.named("del-sparse").copy();
    ManifestFile now = new ManifestStore(store).readLatest();
    List<Fragment> silent = new ArrayList<>();
    for (Fragment fragment : now.manifest().fragments()) {
      silent.add(silent(fragment));
    }
    ManifestFile old = put(store, asOldWriter(now.manifest(), silent, Optional.empty()));
    assertThat(old.manifest().liveRows()).as("nothing tells").isEmpty();

    Fragment five =
        new Fragment(
            0,
            now.manifest().fragments().get(0).files(),
            Optional.empty(),
            OptionalLong.of(5),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            UnknownFields.none());
    Manifest next = commit(store, old, new Operation.Append(List.of(five), UnknownFields.none()));

    assertThat(next.liveRows()).hasValue(292 + 5);
    assertThat(next.fragments().subList(0, 3)).isEqualTo(now.manifest().fragments());
    assertThat(next.fragments().get(3).physicalRows()).hasValue(5);
    assertThat(next.writerVersion()).contains(WriterVersion.NARWHAL);
  }

  @Test
  void aFragmentOfWhichNothingIsLeftGoesWhenItsRowsAreCounted() throws IOException {
    MemoryObjectStore store = new MemoryObjectStore();
    ModelTable table = new ModelTable(store);
    table.create(List.of(List.of(1L, 2L), List.of(3L)));
    ManifestFile base = table.latest();
    AffectedRows all = table.find(base.manifest(), List.of(1L, 2L));
    DeletionFile whole = DeletionFiles.write(store, 0, 1, 99, EncodedDeletions.array(all.of(0)));
    List<Fragment> left = new ArrayList<>(base.manifest().fragments());
    left.set(0, left.get(0).withDeletionFile(whole));
    ManifestFile old = put(store, asOldWriter(base.manifest(), left, writer("lance", "0.9.0")));

    Manifest next = commit(store, old, SampleOperations.config("k"));

    assertThat(next.fragments()).extracting(Fragment::id).containsExactly(1L);
    assertThat(table.values(next)).containsExactly(3L);
  }

  /** An index of those writers may claim fragments that it does not hold. */
  @ParameterizedTest(name = "{0} {1}: trusted is {2}")
  @CsvSource({
    ", , false",
    "lance, 0.8.14, false",
    "lance, 0.8.15, true",
    "lance, 0.10.1, true",
    "lance, 7.0.0, true",
    "lance, 0.8.x, false",
    "other, 0.1.0, true"
  })
  void coverageThatOldWritersGotWrongBecomesUnknown(String library, String version, boolean trusted)
      throws IOException {
    MemoryObjectStore store = LanceFixture.named("index-btree-delete").copy();
    ManifestFile now = new ManifestStore(store).readLatest();
    assertThat(now.indices()).isNotEmpty().allMatch(index -> index.fragmentBitmap().isPresent());
    Optional<WriterVersion> writer =
        library == null || version == null ? Optional.empty() : writer(library, version);
    ManifestFile old =
        put(
            store,
            ManifestFile.of(
                withWriter(now.manifest(), now.manifest().fragments(), writer), now.indices()));
    new Committer(store)
        .commit(Transaction.of(old.manifest().version(), SampleOperations.config("k")), old, FAST);
    List<IndexMetadata> after = new ManifestStore(store).readLatest().indices();
    assertThat(after).hasSameSizeAs(now.indices());
    assertThat(after).allMatch(index -> index.fragmentBitmap().isPresent() == trusted);
  }

  /** Two segments that claim the same fragments: real Lance would look which one holds them. */
  @ParameterizedTest(name = "vector: {0}")
  @ValueSource(booleans = {false, true})
  void indicesOfUnknownCoverageOutliveTheNextCommitToo(boolean vector) throws IOException {
    MemoryObjectStore store = LanceFixture.named("index-btree-delete").copy();
    ManifestFile now = new ManifestStore(store).readLatest();
    IndexMetadata first = vector ? asVector(now.indices().get(0)) : now.indices().get(0);
    List<IndexMetadata> twice = List.of(first, another(first));
    ManifestFile base = put(store, ManifestFile.of(now.manifest(), twice));

    commit(store, base, SampleOperations.config("k"));
    ManifestFile migrated = new ManifestStore(store).readLatest();
    assertThat(migrated.indices()).hasSize(2);
    assertThat(migrated.indices()).allMatch(index -> index.fragmentBitmap().isEmpty());

    long gone = migrated.manifest().fragments().get(0).id();
    commit(
        store,
        migrated,
        new Operation.Delete(List.of(), List.of(gone), "true", UnknownFields.none()));
    assertThat(new ManifestStore(store).readLatest().indices()).isEqualTo(migrated.indices());
  }

  @Test
  void anIndexThatTheCommitItselfBringsIsTrusted() throws IOException {
    MemoryObjectStore store = LanceFixture.named("index-btree-delete").copy();
    ManifestFile now = new ManifestStore(store).readLatest();
    IndexMetadata own = another(now.indices().get(0));
    ManifestFile old =
        put(
            store,
            ManifestFile.of(
                withWriter(now.manifest(), now.manifest().fragments(), writer("lance", "0.8.0")),
                now.indices()));
    commit(store, old, new Operation.CreateIndex(List.of(own), List.of(), UnknownFields.none()));
    List<IndexMetadata> after = new ManifestStore(store).readLatest().indices();
    assertThat(after).hasSize(now.indices().size() + 1).contains(own);
    assertThat(after.get(0).fragmentBitmap()).as("that of the old writer").isEmpty();
  }

  private static IndexMetadata another(IndexMetadata like) {
    return with(like, new UUID(7, 7), like.details());
  }

  private static IndexMetadata asVector(IndexMetadata like) {
    IndexDetails details =
        IndexDetails.of("/lance.table.VectorIndexDetails", ByteBuffer.allocate(0));
    return with(like, like.uuid(), Optional.of(details));
  }

  private static IndexMetadata with(IndexMetadata like, UUID uuid, Optional<IndexDetails> details) {
    return new IndexMetadata(
        uuid,
        like.fields(),
        like.name(),
        like.datasetVersion(),
        like.fragmentBitmap(),
        details,
        like.indexVersion(),
        like.createdAtMillis(),
        like.baseId(),
        like.files(),
        like.unknown());
  }

  private static Manifest commit(MemoryObjectStore store, ManifestFile base, Operation operation)
      throws IOException {
    new Committer(store).commit(Transaction.of(base.manifest().version(), operation), base, FAST);
    return new ManifestStore(store).readLatest().manifest();
  }

  private static ManifestFile put(MemoryObjectStore store, ManifestFile file) throws IOException {
    ManifestLocation location = new ManifestStore(store).latest();
    store.put(location.path(), ManifestCodec.encode(file));
    return new ManifestStore(store).read(location);
  }

  private static Optional<WriterVersion> writer(String library, String version) {
    return Optional.of(new WriterVersion(library, version, Optional.empty(), Optional.empty()));
  }

  private static ManifestFile asOldWriter(
      Manifest manifest, List<Fragment> fragments, Optional<WriterVersion> writer) {
    return ManifestFile.of(withWriter(manifest, fragments, writer), List.of());
  }

  private static Manifest withWriter(
      Manifest manifest, List<Fragment> fragments, Optional<WriterVersion> writer) {
    return new Manifest(
        manifest.version(),
        manifest.schema(),
        fragments,
        manifest.timestamp(),
        manifest.tag(),
        manifest.flags(),
        manifest.maxFragmentId(),
        manifest.transactionFile(),
        writer,
        manifest.nextRowId(),
        manifest.dataFormat(),
        manifest.config(),
        manifest.tableMetadata(),
        manifest.basePaths(),
        manifest.branch(),
        manifest.unknown());
  }

  /** Without rows, counts and sizes. */
  private static Fragment silent(Fragment fragment) {
    List<DataFile> files = new ArrayList<>();
    for (DataFile file : fragment.files()) {
      files.add(file.withSizeBytes(OptionalLong.empty()));
    }
    Optional<DeletionFile> deletions =
        fragment
            .deletionFile()
            .map(
                file ->
                    new DeletionFile(
                        file.encoding(),
                        file.readVersion(),
                        file.id(),
                        OptionalLong.empty(),
                        OptionalInt.empty(),
                        UnknownFields.none()));
    return new Fragment(
        fragment.id(),
        files,
        deletions,
        OptionalLong.empty(),
        fragment.rowIds(),
        fragment.lastUpdatedVersions(),
        fragment.createdVersions(),
        fragment.unknown());
  }
}
