package dev.narwhal.lance.transaction;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.narwhal.lance.deletion.DeletionFile;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.FeatureFlags;
import dev.narwhal.lance.manifest.IndexMetadata;
import dev.narwhal.lance.manifest.LanceFixture;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestCodec;
import dev.narwhal.lance.manifest.ManifestDraft;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.manifest.WriterVersion;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ManifestBuilderTest {
  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05.000000006Z");

  /** What differs by intent: the writer's name, and how far a restore winds row ids back. */
  @Test
  void everyTransactionOfRealLanceGivesTheManifestThatLanceWrote() throws IOException {
    Map<String, Integer> built = new TreeMap<>();
    for (LanceFixture fixture : LanceFixture.all()) {
      Map<Long, ManifestFile> versions = new HashMap<>();
      ManifestFile before = null;
      for (LanceFixture.Version version : fixture.versions()) {
        ManifestFile after =
            ManifestCodec.decode(fixture.store().read(version.manifest().get("file").textValue()));
        versions.put(after.manifest().version(), after);
        Transaction transaction = TransactionCodec.decode(after.transaction().orElseThrow());
        if (before != null
            && after.manifest().version() == before.manifest().version() + 1
            && !isDeferred(before, after)) {
          ManifestFile next =
              Migration.complete(
                  next(before, transaction, after.manifest().timestamp(), versions),
                  before,
                  transaction.operation(),
                  new TableReads(fixture.store(), Stores.localBelow(fixture.directory())));
          assertThat(comparable(next, after))
              .as(version.label() + " " + transaction.operation().name())
              .isEqualTo(after.manifest());
          assertThat(next.indices()).as(version.label()).isEqualTo(after.indices());
          assertThat(next.transaction()).as(version.label()).isEqualTo(after.transaction());
          built.merge(transaction.operation().name(), 1, Integer::sum);
        }
        before = after;
      }
    }
    assertThat(built.get("Delete")).isGreaterThan(50);
    assertThat(built.keySet())
        .contains("Append", "CreateIndex", "Delete", "Merge", "Overwrite", "Project")
        .contains("ReserveFragments", "Restore", "Rewrite", "Update", "UpdateConfig");
  }

  private static ManifestFile next(
      ManifestFile before,
      Transaction transaction,
      Instant time,
      Map<Long, ManifestFile> versions) {
    return transaction.operation() instanceof Operation.Restore restore
        ? ManifestBuilder.restore(
            before, requireNonNull(versions.get(restore.version())), transaction, time)
        : ManifestBuilder.build(before, transaction, time);
  }

  private static Manifest comparable(ManifestFile built, ManifestFile after) {
    ManifestDraft draft =
        built.manifest().toDraft().writerVersion(after.manifest().writerVersion().orElseThrow());
    boolean restore =
        TransactionCodec.decode(after.transaction().orElseThrow()).operation()
            instanceof Operation.Restore;
    return restore ? draft.nextRowId(after.manifest().nextRowId()).build() : draft.build();
  }

  /** That a compaction was deferred for the indices is not in its transaction. */
  private static boolean isDeferred(ManifestFile before, ManifestFile after) {
    return !reuse(after).equals(reuse(before));
  }

  private static List<UUID> reuse(ManifestFile file) {
    return file.indices().stream()
        .filter(index -> index.name().equals(IndexMetadata.FRAGMENT_REUSE))
        .map(IndexMetadata::uuid)
        .toList();
  }

  /** The newest may have been wound back by an old Lance, which kept neither mark at a restore. */
  @Test
  void aRestoreKeepsTheHigherMarksOfBothVersions() throws IOException {
    ManifestFile base = stable();
    ManifestFile older =
        ManifestFile.of(
            base.manifest().toDraft().maxFragmentId(90).nextRowId(9_000).build(), List.of());
    ManifestFile latest =
        ManifestFile.of(
            base.manifest()
                .toDraft()
                .version(base.manifest().version() + 1)
                .maxFragmentId(60)
                .nextRowId(7_000)
                .build(),
            List.of());
    for (List<ManifestFile> pair : List.of(List.of(latest, older), List.of(older, latest))) {
      Manifest restored =
          ManifestBuilder.restore(
                  pair.get(0),
                  pair.get(1),
                  Transaction.of(
                      pair.get(0).manifest().version(),
                      new Operation.Restore(
                          pair.get(1).manifest().version(), UnknownFields.none())),
                  NOW)
              .manifest();
      assertThat(restored.maxFragmentId()).hasValue(90);
      assertThat(restored.nextRowId()).isEqualTo(9_000);
    }
  }

  @Test
  void fragmentInBothListsIsRemovedAndAnUnknownOnePassedOver() throws IOException {
    ManifestFile base = stable();
    Fragment first = base.manifest().fragments().get(0);
    Fragment stranger =
        new Fragment(
            77,
            List.of(),
            Optional.empty(),
            OptionalLong.empty(),
            first.rowIds(),
            Optional.empty(),
            Optional.empty(),
            UnknownFields.none());
    Manifest next =
        ManifestBuilder.build(
                base,
                delete(base, List.of(deleted(first, 89), stranger), List.of(first.id(), 99L)),
                NOW)
            .manifest();
    assertThat(next.fragments())
        .isEqualTo(base.manifest().fragments().subList(1, base.manifest().fragments().size()));
  }

  @Test
  void emptiedStableTableKeepsItsFlagAndItsMarks() throws IOException {
    ManifestFile base = stable();
    Manifest next =
        ManifestBuilder.build(
                base,
                delete(
                    base,
                    List.of(),
                    base.manifest().fragments().stream().map(Fragment::id).toList()),
                NOW)
            .manifest();
    assertThat(next.fragments()).isEmpty();
    assertThat(next.flags()).isEqualTo(new FeatureFlags(2, 2));
    assertThat(next.maxFragmentId()).isEqualTo(base.manifest().maxFragmentId());
    assertThat(next.nextRowId()).isEqualTo(base.manifest().nextRowId()).isNotZero();
  }

  @Test
  void flagsAndTransactionFileFollowTheSwitch() throws IOException {
    ManifestFile stable = stable();
    ManifestFile base =
        ManifestFile.of(
            stable.manifest().toDraft().flags(new FeatureFlags(6, 38)).build(), stable.indices());
    Transaction transaction =
        delete(base, List.of(deleted(base.manifest().fragments().get(0), 1)), List.of());
    ManifestFile next = ManifestBuilder.build(base, transaction, NOW);
    assertThat(next.manifest().flags()).isEqualTo(new FeatureFlags(3, 35));
    assertThat(next.manifest().transactionFile()).isEmpty();
    assertThat(next.transaction()).contains(TransactionCodec.encode(transaction));
    assertThat(next.manifest().timestamp()).isEqualTo(NOW);
  }

  @Test
  void tagOfTheTransactionReplacesThatOfTheManifest() throws IOException {
    ManifestFile base = stable();
    Transaction plain = delete(base, List.of(), List.of());
    Transaction tagged =
        new Transaction(
            plain.readVersion(),
            plain.uuid(),
            Optional.of("nightly"),
            Map.of(),
            plain.operation(),
            UnknownFields.none());
    ManifestFile next = ManifestBuilder.build(base, tagged, NOW);
    assertThat(next.manifest().tag()).contains("nightly");
    assertThat(
            ManifestBuilder.build(next, delete(next, List.of(), List.of()), NOW).manifest().tag())
        .isEmpty();
  }

  @Test
  void refusesToBringDeletedRowsBack() throws IOException {
    ManifestFile base = stable();
    Fragment first = base.manifest().fragments().get(0);
    ManifestFile once =
        ManifestBuilder.build(base, delete(base, List.of(deleted(first, 5)), List.of()), NOW);
    for (Fragment fewer : List.of(deleted(first, 4), first)) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> ManifestBuilder.build(once, delete(once, List.of(fewer), List.of()), NOW))
          .withMessageContaining("fragment 0 has 5 deleted rows");
    }
  }

  @Test
  void refusesWhatOnlyOthersCanCommit() throws IOException {
    ManifestFile base = stable();
    for (Operation operation :
        List.of(
            new Operation.Opaque(116, "Operation 116", UnknownFields.none()),
            new Operation.UpdateMemWalState(List.of(), UnknownFields.none()),
            new Operation.Clone(
                true, Optional.empty(), 1, "p", Optional.empty(), UnknownFields.none()))) {
      assertThatExceptionOfType(UnsupportedFeatureException.class)
          .isThrownBy(
              () ->
                  ManifestBuilder.build(
                      base, Transaction.of(base.manifest().version(), operation), NOW))
          .withMessageContaining("operation " + operation.name());
    }
  }

  @Test
  void refusesDetachedVersionsAndUnknownWriterFlags() throws IOException {
    ManifestFile base = stable();
    ManifestFile detached =
        ManifestFile.of(
            base.manifest().toDraft().version(Long.MIN_VALUE | 5).build(), base.indices());
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> ManifestBuilder.build(detached, delete(base, List.of(), List.of()), NOW))
        .withMessageContaining("detached version 9223372036854775813");
    ManifestFile newer =
        ManifestFile.of(
            base.manifest().toDraft().flags(new FeatureFlags(0, 128)).build(), base.indices());
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> ManifestBuilder.build(newer, delete(base, List.of(), List.of()), NOW))
        .withMessageContaining("to write it needs feature flags 0x80");
  }

  @Test
  void ourWriterVersionIsThatOfTheBuild() throws IOException {
    String pom = Files.readString(Path.of(System.getProperty("narwhal.root"), "pom.xml"));
    assertThat(pom)
        .containsPattern(
            "<artifactId>narwhal</artifactId>\\s*<version>"
                + WriterVersion.NARWHAL.version()
                + "(-SNAPSHOT)?</version>");
  }

  private static ManifestFile stable() throws IOException {
    return new ManifestStore(LanceFixture.named("stable-create").store()).readLatest();
  }

  private static Fragment deleted(Fragment fragment, long rows) {
    return new Fragment(
        fragment.id(),
        fragment.files(),
        Optional.of(
            new DeletionFile(
                DeletionFile.Encoding.ARRAY,
                1,
                5,
                OptionalLong.of(rows),
                OptionalInt.empty(),
                UnknownFields.none())),
        OptionalLong.of(100),
        fragment.rowIds(),
        fragment.lastUpdatedVersions(),
        fragment.createdVersions(),
        fragment.unknown());
  }

  private static Transaction delete(ManifestFile base, List<Fragment> updated, List<Long> removed) {
    return Transaction.of(
        base.manifest().version(),
        new Operation.Delete(updated, removed, "true", UnknownFields.none()));
  }
}
