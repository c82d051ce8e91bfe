package dev.narwhal.lance.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.narwhal.lance.error.IncompatibleConflictException;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.IndexMetadata;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.MemoryObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Indices on a table of fragments 0 and 1, committed over what was done since they were built. */
class NewIndicesTest {
  private static final CommitOptions FAST = CommitOptions.standard().withPacing(Pacing.none());

  private final MemoryObjectStore store = new MemoryObjectStore();
  private final ModelTable table = new ModelTable(store);
  private ManifestFile base;

  @BeforeEach
  void createTable() throws IOException {
    table.create(List.of(List.of(0L, 1L), List.of(10L, 11L)));
    base = table.latest();
  }

  @Test
  void doesNotClaimAFragmentWhoseColumnWasWrittenAnew() throws IOException {
    int field = base.manifest().schema().fields().get(0).id();
    Fragment first = rewritten(base.manifest().fragments().get(0));
    commit(
        new Operation.Update(
            List.of(),
            List.of(first),
            List.of(),
            List.of(field),
            List.of(),
            Operation.UpdateMode.REWRITE_COLUMNS,
            List.of(),
            Optional.empty(),
            UnknownFields.none()));
    commitIndex(SampleOperations.index(field, "v_idx", 0, 1));
    assertThat(covered()).containsExactly(1L);
    Operation stored = new TransactionStore(store).read(table.latest()).orElseThrow().operation();
    assertThat(((Operation.CreateIndex) stored).newIndices()).isEqualTo(table.latest().indices());
  }

  @Test
  void doesNotClaimAFragmentThatAMergeGaveOtherValues() throws IOException {
    List<Fragment> fragments = new ArrayList<>(base.manifest().fragments());
    fragments.set(1, rewritten(fragments.get(1)));
    commit(new Operation.Merge(fragments, base.manifest().schema(), UnknownFields.none()));
    commitIndex(SampleOperations.index(0, "v_idx", 0, 1));
    assertThat(covered()).containsExactly(0L);
  }

  @Test
  void claimsAFragmentThatOnlyLostRowsOrGotAnotherColumn() throws IOException {
    List<Fragment> fragments = new ArrayList<>(base.manifest().fragments());
    Fragment first = fragments.get(0);
    List<DataFile> files = new ArrayList<>(first.files());
    files.add(SampleOperations.file("other.lance", 77));
    fragments.set(0, SampleOperations.deleted(first.withFiles(files), 9, 1));
    commit(new Operation.Merge(fragments, base.manifest().schema(), UnknownFields.none()));
    commitIndex(SampleOperations.index(0, "v_idx", 0, 1));
    assertThat(covered()).containsExactly(0L, 1L);
  }

  @Test
  void onADroppedColumnIsAConflict() throws IOException {
    LanceSchema other = new LanceSchema(List.of(SampleOperations.field(5, "w")), Map.of());
    commit(new Operation.Project(other, UnknownFields.none()));
    assertThatExceptionOfType(IncompatibleConflictException.class)
        .isThrownBy(() -> commitIndex(SampleOperations.index(0, "v_idx", 0, 1)))
        .withMessageContaining("CreateIndex on version 1 lost to Project, which made version 2");
  }

  /** The fragment with all its columns in another file. */
  private static Fragment rewritten(Fragment fragment) {
    DataFile file = fragment.files().get(0);
    return fragment.withFiles(
        List.of(
            SampleOperations.file(
                UUID.randomUUID() + ".lance", file.fields().toArray(new Integer[0]))));
  }

  private void commit(Operation operation) throws IOException {
    new Committer(store).commit(Transaction.of(base.manifest().version(), operation), base, FAST);
  }

  private void commitIndex(IndexMetadata index) throws IOException {
    commit(new Operation.CreateIndex(List.of(index), List.of(), UnknownFields.none()));
  }

  private List<Long> covered() throws IOException {
    List<Long> ids = new ArrayList<>();
    table.latest().indices().get(0).fragmentBitmap().orElseThrow().forEach(ids::add);
    return ids;
  }
}
