package dev.narwhal.lance.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.manifest.ManifestCodec;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.manifest.ManifestLocation;
import dev.narwhal.lance.manifest.ManifestNaming;
import dev.narwhal.lance.manifest.ManifestStore;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.FaultyObjectStore;
import dev.narwhal.lance.storage.FaultyObjectStore.Fault;
import dev.narwhal.lance.storage.MemoryObjectStore;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RebaseTest {
  private static final CommitOptions FAST = CommitOptions.standard().withPacing(Pacing.none());

  /** A delete of 1 and 2, and of the whole fragment 1, planned on version 1 of this table. */
  private record Staged(
      MemoryObjectStore store,
      ModelTable table,
      ManifestFile base,
      Transaction transaction,
      AffectedRows rows) {
    static Staged of(long... values) throws IOException {
      MemoryObjectStore store = new MemoryObjectStore();
      ModelTable table = new ModelTable(store);
      table.create(List.of(List.of(0L, 1L, 2L, 3L), List.of(10L, 11L)));
      ManifestFile base = table.latest();
      AffectedRows rows = table.find(base.manifest(), boxed(values));
      return new Staged(store, table, base, delete(table, base.manifest(), rows), rows);
    }

    Committed commit(ObjectStore through) throws IOException {
      return new Committer(through).commit(transaction, base, FAST.withAffectedRows(rows));
    }

    void others(long... values) throws IOException {
      ManifestFile latest = table.latest();
      AffectedRows theirs = table.find(latest.manifest(), boxed(values));
      new Committer(store)
          .commit(delete(table, latest.manifest(), theirs), latest, FAST.withAffectedRows(theirs));
    }

    List<Long> values() throws IOException {
      return table.values(table.latest().manifest());
    }
  }

  @Test
  void o10OnlyTheDeletionFileOfARebasedFragmentChanges() throws IOException {
    Staged staged = Staged.of(1, 2);
    byte[] unknown = {(byte) 0xA2, 0x06, 0x02, 'h', 'i'};
    Manifest manifest = staged.base().manifest();
    Fragment first = manifest.fragments().get(0);
    Fragment newer =
        new Fragment(
            first.id(),
            first.files(),
            first.deletionFile(),
            first.physicalRows(),
            first.rowIds(),
            first.lastUpdatedVersions(),
            first.createdVersions(),
            UnknownFields.of(unknown));
    putNext(staged, List.of(newer, manifest.fragments().get(1)));

    staged.commit(staged.store());

    Fragment after = staged.table().latest().manifest().fragments().get(0);
    assertThat(after.unknown().toByteArray()).as("O10").isEqualTo(unknown);
    assertThat(after.deletedRows()).hasValue(2);
    assertThat(staged.values()).containsExactly(0L, 3L, 10L, 11L);
  }

  /** A manifest that says it was made by an append, with these fragments. */
  private static void putNext(Staged staged, List<Fragment> fragments) throws IOException {
    Transaction append = Transaction.of(1, new Operation.Append(List.of(), UnknownFields.none()));
    Manifest next = staged.base().manifest().toDraft().version(2).fragments(fragments).build();
    staged
        .store()
        .put(
            new ManifestLocation(2, ManifestNaming.V2).path(),
            ManifestCodec.encode(
                ManifestFile.of(next, List.of(), TransactionCodec.encode(append))));
  }

  @Test
  void lastRowsOfAFragmentRemoveItWhoeverDeletedTheRest() throws IOException {
    Staged staged = Staged.of(10);
    staged.others(11);
    Committed committed = staged.commit(staged.store());
    assertThat(staged.values()).containsExactly(0L, 1L, 2L, 3L);
    assertThat(committed.file().manifest().fragments()).hasSize(1);
    assertThat(((Operation.Delete) committed.transaction().operation()).deletedFragmentIds())
        .containsExactly(1L);
    assertThat(committed.transaction().readVersion()).isEqualTo(2);
  }

  @Test
  void nothingLeftMakesNoVersionAndLeavesNoFile() throws IOException {
    Staged staged = Staged.of(1, 10, 11);
    staged.others(1, 10, 11);
    List<String> transactions = staged.store().list("_transactions");
    Committed committed = staged.commit(staged.store());
    assertThat(committed.created()).isFalse();
    assertThat(committed.location().version()).isEqualTo(2);
    assertThat(committed.rowsAlreadyGone()).isEqualTo(staged.rows());
    assertThat(staged.store().list("_transactions")).isEqualTo(transactions);
  }

  @Test
  void aFragmentWhoseFilesChangedIsNotRebased() throws IOException {
    Staged staged = Staged.of(1);
    Fragment first = staged.base().manifest().fragments().get(0);
    putNext(
        staged,
        List.of(
            first.withFiles(List.of(SampleOperations.file("other.lance", 0, 1))),
            staged.base().manifest().fragments().get(1)));
    assertThatExceptionOfType(RetryableConflictException.class)
        .isThrownBy(() -> staged.commit(staged.store()))
        .withMessageContaining("fragment 0");
  }

  @Test
  void unknownFragmentsOfATransactionAreRefused() throws IOException {
    Staged staged = Staged.of(1);
    Transaction stranger = Transaction.of(1, SampleOperations.remove(9));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Committer(staged.store()).commit(stranger, staged.base(), FAST))
        .withMessageContaining("Delete names fragment 9, which version 1 does not have");
    assertThat(staged.table().latest().manifest().version()).isEqualTo(1);
  }

  @Test
  void whatDoesNotTellWhatItChangedIsNotRebasedOverButTheWorkIsDoneAgain() throws IOException {
    Staged staged = Staged.of(1);
    Manifest next = staged.base().manifest().toDraft().version(2).build();
    staged
        .store()
        .put(
            new ManifestLocation(2, ManifestNaming.V2).path(),
            ManifestCodec.encode(ManifestFile.of(next, List.of())));
    assertThatExceptionOfType(RetryableConflictException.class)
        .isThrownBy(() -> staged.commit(staged.store()))
        .withMessageContaining("lost to a commit whose transaction is gone, which made version 2");
  }

  @Test
  void aVersionThatWasCleanedUpIsNotRebasedOverButTheWorkIsDoneAgain() throws IOException {
    Staged staged = Staged.of(1);
    staged.others(2);
    staged.others(10);
    staged.store().delete(new ManifestLocation(2, ManifestNaming.V2).path());
    assertThatExceptionOfType(RetryableConflictException.class)
        .isThrownBy(() -> staged.commit(staged.store()))
        .withMessageContaining("cleaned up since, which made version 2");
    assertThat(staged.table().latest().manifest().version()).isEqualTo(3);
  }

  @Test
  void affectedRowsThatLeaveSomeOutAreRefused() throws IOException {
    Staged staged = Staged.of(1, 2);
    AffectedRows fewer = staged.table().find(staged.base().manifest(), boxed(1));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Committer(staged.store())
                    .commit(staged.transaction(), staged.base(), FAST.withAffectedRows(fewer)))
        .withMessageContaining("deletes 2 rows of fragment 0, of which only 1 are named");
    assertThat(staged.values()).hasSize(6);
  }

  /** A plan that was made on the version before a delete must not bring its rows back. */
  @Test
  void o14AMaintenancePlanIsNotCarriedOverADelete() throws IOException {
    Staged staged = Staged.of(1);
    Manifest planned = staged.base().manifest();
    List<Long> live = staged.table().values(planned);
    Transaction compaction =
        Transaction.of(
            planned.version(),
            new Operation.Rewrite(
                List.of(
                    new Operation.RewriteGroup(
                        planned.fragments(),
                        List.of(staged.table().fragment(live)),
                        UnknownFields.none())),
                List.of(),
                UnknownFields.none()));
    staged.others(2, 10);
    List<String> deletionFiles = staged.store().list("_deletions");
    assertThatExceptionOfType(RetryableConflictException.class)
        .isThrownBy(() -> new Committer(staged.store()).commit(compaction, staged.base(), FAST))
        .withMessageContaining("Rewrite on version 1 lost to Delete, which made version 2");
    assertThat(staged.values()).containsExactly(0L, 1L, 3L, 11L);
    assertThat(staged.store().list("_deletions")).isEqualTo(deletionFiles);
  }

  /** Of the files that rebases write, only those go that no version names. */
  @Test
  void deletionFilesOfOtherVersionsOutliveEveryRebase() throws IOException {
    Staged staged = Staged.of(1);
    for (long value : new long[] {2, 3, 10}) {
      staged.others(value);
    }
    staged.commit(staged.store());
    for (ManifestLocation location : new ManifestStore(staged.store()).list()) {
      Manifest version = new ManifestStore(staged.store()).read(location).manifest();
      for (Fragment fragment : version.fragments()) {
        if (fragment.deletionFile().isPresent()) {
          assertThat(
                  staged.store().exists(fragment.deletionFile().get().relativePath(fragment.id())))
              .as("version %s, fragment %s", location.version(), fragment.id())
              .isTrue();
        }
      }
    }
  }

  /** A listing that is behind must not have a version made twice. */
  @Test
  void aListingThatIsBehindDoesNotHideAVersion() throws IOException {
    Staged staged = Staged.of(1);
    List<String> old = staged.store().list("_versions");
    staged.others(2);
    staged.others(3);
    ObjectStore behind =
        new ForwardingObjectStore(staged.store()) {
          @Override
          public List<String> list(String directory) throws IOException {
            return directory.equals("_versions") ? old : super.list(directory);
          }
        };
    assertThat(staged.commit(behind).location().version()).isEqualTo(4);
    assertThat(staged.values()).containsExactly(0L, 10L, 11L);
  }

  /** The reply is lost, the look-up fails, others go on: our version is found by its uuid. */
  @Test
  void ourOwnVersionAmongNewerOnesIsRecognised() throws IOException {
    Staged staged = Staged.of(1);
    staged.commit(staged.store());
    staged.others(2);
    Committed again = staged.commit(staged.store());
    assertThat(again.location().version()).isEqualTo(2);
    assertThat(again.created()).isTrue();
    assertThat(staged.table().latest().manifest().version()).isEqualTo(3);
  }

  @Test
  void o48ALargeTransactionIsStoredOnce() throws IOException {
    MemoryObjectStore store = new MemoryObjectStore();
    ModelTable table = new ModelTable(store);
    List<List<Long>> fragments = new ArrayList<>();
    LongStream.range(0, 2000).forEach(value -> fragments.add(List.of(value, -1 - value)));
    table.create(fragments);
    ManifestFile base = table.latest();
    AffectedRows rows = table.find(base.manifest(), LongStream.range(0, 1500).boxed().toList());
    Transaction large = delete(table, base.manifest(), rows);
    new Committer(store).commit(large, base, FAST.withAffectedRows(rows));
    ManifestFile after = table.latest();
    assertThat(TransactionCodec.encode(large).remaining())
        .isGreaterThan(ManifestBuilder.INLINE_TRANSACTION_BYTES);
    assertThat(after.transaction()).isEmpty();
    assertThat(new TransactionStore(store).read(after)).contains(large);

    AffectedRows one = table.find(after.manifest(), List.of(1700L));
    Committed small =
        new Committer(store)
            .commit(delete(table, after.manifest(), one), after, FAST.withAffectedRows(one));
    assertThat(small.file().transaction().orElseThrow().remaining())
        .as("what a delete of one row adds, whatever the table's size")
        .isLessThan(300);
  }

  @ParameterizedTest(name = "{0} bytes more than the limit of {1}")
  @CsvSource({"0, 65536", "1, 65536", "0, 500", "1, 500"})
  void aTransactionUpToTheLimitIsInTheManifestFileToo(int more, int limit) throws IOException {
    Staged staged = Staged.of();
    CommitOptions options = limit == 65_536 ? FAST : FAST.withInlineTransactionBytes(limit);
    Operation operation = SampleOperations.config("k");
    int empty = TransactionCodec.encode(padded(operation, 200)).remaining() - 200;
    Transaction transaction = padded(operation, limit + more - empty);
    int off = TransactionCodec.encode(transaction).remaining() - (limit + more);
    transaction = padded(operation, limit + more - empty - off);
    assertThat(TransactionCodec.encode(transaction).remaining()).isEqualTo(limit + more);

    new Committer(staged.store()).commit(transaction, staged.base(), options);

    ManifestFile after = staged.table().latest();
    assertThat(after.transaction().isPresent()).isEqualTo(more == 0);
    assertThat(new TransactionStore(staged.store()).read(after)).contains(transaction);
    assertThat(staged.store().exists("_transactions/" + transaction.fileName())).isTrue();
  }

  private static Transaction padded(Operation operation, int length) {
    return Transaction.of(1, operation, Map.of("p", "x".repeat(length)));
  }

  /** As the first commit on a table of an old writer does it. */
  @Test
  void aCommitThatFillsInFileSizesHindersNoDelete() throws IOException {
    Staged staged = Staged.of();
    Manifest full = staged.base().manifest();
    List<Fragment> silent = new ArrayList<>();
    for (Fragment fragment : full.fragments()) {
      List<DataFile> files = new ArrayList<>();
      fragment.files().forEach(file -> files.add(file.withSizeBytes(OptionalLong.empty())));
      silent.add(fragment.withFiles(files));
    }
    assertThat(silent).isNotEqualTo(full.fragments());
    put(staged, ManifestFile.of(full.toDraft().fragments(silent).build(), List.of()));
    ManifestFile base = staged.table().latest();
    AffectedRows rows = staged.table().find(base.manifest(), List.of(1L, 10L, 11L));
    Transaction ours = delete(staged.table(), base.manifest(), rows);
    put(
        staged,
        ManifestFile.of(
            full.toDraft().version(2).build(),
            List.of(),
            TransactionCodec.encode(Transaction.of(1, SampleOperations.config("k")))));

    Committed done = new Committer(staged.store()).commit(ours, base, FAST.withAffectedRows(rows));

    assertThat(done.location().version()).isEqualTo(3);
    assertThat(staged.values()).containsExactly(0L, 2L, 3L);
    assertThat(done.file().manifest().fragments().get(0).files())
        .isEqualTo(full.fragments().get(0).files());
  }

  private static void put(Staged staged, ManifestFile file) {
    staged
        .store()
        .put(
            new ManifestLocation(file.manifest().version(), ManifestNaming.V2).path(),
            ManifestCodec.encode(file));
  }

  /** Whatever call of a rebasing commit fails: the old version or the new one, whole. */
  @ParameterizedTest
  @EnumSource(Fault.class)
  void whereverARebaseBreaksTheTableIsWhole(Fault fault) throws IOException {
    Staged counted = Staged.of(1, 2, 10);
    counted.others(2, 3);
    FaultyObjectStore counting = FaultyObjectStore.faultless(counted.store());
    counted.commit(counting);
    for (int call = 1; call <= counting.calls().size(); call++) {
      String label = fault + " at " + counting.calls().get(call - 1);
      Staged staged = Staged.of(1, 2, 10);
      staged.others(2, 3);
      int deletionFiles = staged.store().list("_deletions").size();
      FaultyObjectStore faulty = new FaultyObjectStore(staged.store(), fault, call);
      boolean stopped = false;
      boolean done = false;
      try {
        done = staged.commit(faulty).created();
      } catch (IOException e) {
        assertThat(e).as(label).hasMessageContaining("injected");
      } catch (FaultyObjectStore.Stopped e) {
        stopped = true;
      }
      assertThat(faulty.struck()).as(label).isTrue();
      boolean isNew = new ManifestStore(staged.store()).latest().version() == 3;
      assertThat(staged.values())
          .as(label)
          .isEqualTo(isNew ? List.of(0L, 11L) : List.of(0L, 1L, 10L, 11L));
      if (!stopped) {
        assertThat(isNew).as(label).isEqualTo(done);
      }
      if (!stopped && !isNew && fault != Fault.READ_ONLY) {
        assertThat(staged.store().list("_deletions")).as(label).hasSize(deletionFiles);
      }
      staged.others(11);
      assertThat(staged.values()).as(label).doesNotContain(11L);
    }
  }

  @Test
  void affectedRowsGoThroughTheirBytes() {
    AffectedRows rows =
        AffectedRows.of(
            Map.of(
                0L, DeletionVector.ofOffsets(1, 2, -1),
                0xFFFF_FFFFL, DeletionVector.ofOffsets(7)));
    ByteBuffer bytes = AffectedRowsCodec.encode(rows);
    assertThat(AffectedRowsCodec.decode(bytes)).isEqualTo(rows);
    for (int length = 0; length < bytes.remaining(); length++) {
      ByteBuffer truncated = bytes.slice(0, length);
      assertThatExceptionOfType(LanceFormatException.class)
          .isThrownBy(() -> AffectedRowsCodec.decode(truncated));
    }
  }

  private static Transaction delete(ModelTable table, Manifest manifest, AffectedRows rows)
      throws IOException {
    List<Fragment> updated = new ArrayList<>();
    List<Long> removed = new ArrayList<>();
    table.delete(manifest, rows, updated, removed);
    return Transaction.of(
        manifest.version(), new Operation.Delete(updated, removed, "x", UnknownFields.none()));
  }

  private static List<Long> boxed(long... values) {
    return LongStream.of(values).boxed().toList();
  }
}
