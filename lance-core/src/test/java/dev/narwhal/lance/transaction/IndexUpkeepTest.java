package dev.narwhal.lance.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.IndexMetadata;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.MemoryObjectStore;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tables of fragments 0 and 1, after a compaction of 7 and 8 into 0 that left indices alone. */
class IndexUpkeepTest {
  private static final IndexMetadata OLD = SampleOperations.index(0, "id_idx", 7);
  private static final IndexMetadata OTHER = SampleOperations.index(0, "id_idx", 8, 1);
  private static final IndexMetadata OF_C = SampleOperations.index(1, "c_idx", 7, 1);

  @Test
  void deferredCompactionDoesNotCostAnIndexThatNamesTheOldFragments() throws IOException {
    Operation delete = new Operation.Delete(List.of(), List.of(1L), "true", UnknownFields.none());
    assertThat(after(delete, OLD, OTHER, OF_C, reuse())).containsExactly(OLD, OTHER, OF_C, reuse());
    assertThat(after(delete, OLD, OTHER, OF_C))
        .as("without one, what covers nothing goes but for the oldest segment")
        .containsExactly(OLD, OF_C);
  }

  @Test
  void afterADeferredCompactionAnOldFragmentIsNotClaimedForColumnsThatChanged() throws IOException {
    Operation update =
        new Operation.Update(
            List.of(),
            List.of(base(reuse()).manifest().fragments().get(0)),
            List.of(),
            List.of(0),
            List.of(),
            Operation.UpdateMode.REWRITE_COLUMNS,
            List.of(),
            Optional.empty(),
            UnknownFields.none());
    List<IndexMetadata> indices = after(update, OTHER, OF_C, reuse());
    assertThat(covered(indices.get(0))).as("8 may stand for 0").containsExactly(1L);
    assertThat(indices.get(1)).isEqualTo(OF_C);
  }

  private static List<IndexMetadata> after(Operation operation, IndexMetadata... indices)
      throws IOException {
    return ManifestBuilder.build(base(indices), Transaction.of(1, operation), Instant.EPOCH)
        .indices();
  }

  private static ManifestFile base(IndexMetadata... indices) throws IOException {
    ModelTable table = new ModelTable(new MemoryObjectStore());
    table.create(List.of(List.of(0L, 1L), List.of(10L, 11L)));
    List<Fragment> fragments = table.latest().manifest().fragments();
    assertThat(fragments).hasSize(2);
    return ManifestFile.of(table.latest().manifest(), List.of(indices));
  }

  private static IndexMetadata reuse() {
    return new IndexMetadata(
        new UUID(1, 1),
        List.of(),
        IndexMetadata.FRAGMENT_REUSE,
        1,
        Optional.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        OptionalLong.empty(),
        OptionalInt.empty(),
        List.of(),
        UnknownFields.none());
  }

  private static List<Long> covered(IndexMetadata index) {
    List<Long> ids = new ArrayList<>();
    index.fragmentBitmap().orElseThrow().forEach(ids::add);
    return ids;
  }
}
