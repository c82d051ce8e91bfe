package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.error.IncompatibleConflictException;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.scan.ScanOptions;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.transaction.History;
import dev.narwhal.lance.transaction.Operation;
import dev.narwhal.lance.transaction.Transaction;
import dev.narwhal.lance.write.RowSelection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.FragmentMetadata;
import org.lance.Tag;

/**
 * Narwhal and real Lance take turns on one dataset; after each step both see the rows of a plain
 * model, and each reads what the other one did.
 *
 * <p>{@code -Dnarwhal.soak.steps=N} does N steps on each kind of table, {@code
 * -Dnarwhal.soak.seed=N} other ones, or fresh ones for {@code random}; a failure names the seed.
 */
class TurnsJudgedTest {
  private static final Schema SCHEMA =
      new Schema(
          List.of(new Field("id", FieldType.notNullable(new ArrowType.Int(64, true)), null)));

  @TempDir Path folder;
  private final List<TreeSet<Long>> versions = new ArrayList<>();
  private final TreeSet<Long> rows = new TreeSet<>();
  private final Map<String, Long> tags = new TreeMap<>();
  private long next;

  @ParameterizedTest(name = "stable row ids: {0}")
  @ValueSource(booleans = {false, true})
  void bothSeeTheSameRowsAfterEachStep(boolean stableRowIds) throws IOException {
    Path table = folder.resolve("table");
    JudgeWriter plain = JudgeWriter.at(table, "2.1");
    JudgeWriter writer = stableRowIds ? plain.withStableRowIds() : plain;
    writer.create(SCHEMA, List.of(60), this::fill);
    versions.add(new TreeSet<>());
    remember(1);
    int steps = Integer.getInteger("narwhal.soak.steps", 300);
    long seed = seed();
    Random random = new Random(seed);
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset stale = Dataset.open(table.toString(), allocator);
      for (int step = 0; step < steps; step++) {
        String did = step(table, writer, stale, allocator, random);
        Dataset ours = Dataset.open(table.toString(), allocator);
        remember(ours.version());
        String label =
            "seed " + seed + ", step " + step + ", " + did + ", version " + ours.version();
        assertThat(ours.countRows()).as(label).isEqualTo(rows.size());
        try (LanceJudge judge = LanceJudge.open(table)) {
          assertThat(judge.version()).as(label).isEqualTo(ours.version());
          assertThat(judge.countRows()).as(label).isEqualTo(rows.size());
          assertThat(Arrays.stream(judge.longs("id")).boxed().sorted().toList())
              .as(label)
              .isEqualTo(List.copyOf(rows));
          requireSameTransaction(label, ours, judge);
          assertThat(judge.dataset().tags().list())
              .as(label)
              .extracting(Tag::getName)
              .containsExactlyInAnyOrderElementsOf(tags.keySet());
        }
        assertThat(OurRows.of(table)).as(label).isEqualTo(LanceJudge.judge(table).rows());
        if (random.nextInt(4) == 0) {
          stale = ours;
        }
      }
      List<History.Entry> history = stale.latest().history();
      assertThat(history).hasSize((int) stale.latest().version());
      assertThat(history).extracting(History.Entry::operation).doesNotContain(History.UNKNOWN);
      for (Map.Entry<String, Long> tag : tags.entrySet()) {
        assertThat(stale.references().tag(tag.getKey()).version()).isEqualTo(tag.getValue());
      }
    }
  }

  /** What made the version, as both read it. */
  private static void requireSameTransaction(String label, Dataset dataset, LanceJudge judge)
      throws IOException {
    Transaction ours = dataset.transaction(dataset.version()).orElseThrow();
    try (org.lance.Transaction theirs = judge.dataset().readTransaction().orElseThrow()) {
      assertThat(theirs.uuid()).as(label).isEqualTo(ours.uuid());
      assertThat(theirs.readVersion()).as(label).isEqualTo(ours.readVersion());
      assertThat(theirs.operation().name()).as(label).isEqualTo(ours.operation().name());
      if (ours.operation() instanceof Operation.Delete delete) {
        var read = (org.lance.operation.Delete) theirs.operation();
        assertThat(read.predicate()).as(label).isEqualTo(delete.predicate());
        assertThat(read.deletedFragmentIds())
            .as(label)
            .containsExactlyElementsOf(delete.deletedFragmentIds());
        assertThat(read.updatedFragments())
            .as(label)
            .extracting(fragment -> (long) fragment.getId())
            .containsExactlyElementsOf(
                delete.updatedFragments().stream().map(Fragment::id).toList());
      }
      if (ours.operation() instanceof Operation.Restore restore) {
        assertThat(((org.lance.operation.Restore) theirs.operation()).version())
            .as(label)
            .isEqualTo(restore.version());
      }
    }
  }

  private static long seed() {
    String seed = System.getProperty("narwhal.soak.seed", "7");
    return seed.equals("random") ? new Random().nextLong() : Long.parseLong(seed);
  }

  private String step(
      Path table, JudgeWriter writer, Dataset stale, BufferAllocator allocator, Random random)
      throws IOException {
    long some = rows.isEmpty() ? 0 : List.copyOf(rows).get(random.nextInt(rows.size()));
    String where = "id IN (" + some + ", " + (some + 3) + ")";
    TreeSet<Long> without = new TreeSet<>(rows);
    without.removeAll(List.of(some, some + 3));
    switch (random.nextInt(13)) {
      case 0, 1 -> {
        Dataset.open(table.toString(), allocator).delete(where);
        become(without);
        return "our delete";
      }
      case 2 -> {
        // planned on an older version: what is newer than that is not seen, nor hit
        TreeSet<Long> seen = versions.get((int) stale.version());
        TreeSet<Long> left = new TreeSet<>(rows);
        List.of(some, some + 3).stream().filter(seen::contains).forEach(left::remove);
        try {
          stale.delete(where);
          become(left);
        } catch (IncompatibleConflictException e) {
          assertThat(e).hasMessageContaining("Restore");
        }
        return "our delete on version " + stale.version();
      }
      case 3 -> {
        try (LanceJudge judge = LanceJudge.open(table)) {
          judge.delete(where);
        }
        become(without);
        return "their delete";
      }
      case 4 -> {
        writer.append(SCHEMA, List.of(1 + random.nextInt(20)), this::fill);
        return "their append";
      }
      case 5 -> {
        Dataset ours = Dataset.open(table.toString(), allocator);
        long first = ours.fragments().isEmpty() ? -1 : ours.fragments().get(0).id();
        if (first >= 0) {
          long before = ours.countRows();
          long live = ours.deletions(ours.fragments().get(0)).contains(0) ? 0 : 1;
          Optional<Long> value =
              live == 0 ? Optional.empty() : Optional.of(valueAt(ours, allocator));
          long deleted = ours.deleteRows(RowSelection.addresses(first << 32)).deletedRows();
          assertThat(deleted).isEqualTo(live);
          value.ifPresent(rows::remove);
          assertThat(ours.latest().countRows()).isEqualTo(before - live);
        }
        return "our delete by address";
      }
      case 6 -> {
        Operation.UpdateMap map =
            new Operation.UpdateMap(
                List.of(new Operation.UpdateMap.Entry("k", Optional.of("" + some))), false);
        Dataset ours = Dataset.open(table.toString(), allocator);
        ours.commit()
            .commit(
                new Operation.UpdateConfig(
                    Map.of(),
                    List.of(),
                    Map.of(),
                    Map.of(),
                    Optional.of(map),
                    Optional.empty(),
                    Optional.empty(),
                    Map.of(),
                    UnknownFields.none()));
        try (LanceJudge judge = LanceJudge.open(table)) {
          assertThat(judge.dataset().getConfig()).containsEntry("k", "" + some);
        }
        return "our config";
      }
      case 7 -> {
        Dataset ours = Dataset.open(table.toString(), allocator);
        ours.commit()
            .commit(
                new Operation.Append(
                    List.of(writtenByTheJudge(table, 1 + random.nextInt(20))),
                    UnknownFields.none()));
        return "our append of their file";
      }
      case 8 -> {
        try (LanceJudge judge = LanceJudge.open(table)) {
          judge.setConfig("their", "" + some);
        }
        Dataset ours = Dataset.open(table.toString(), allocator);
        assertThat(ours.manifest().config()).containsEntry("their", "" + some);
        return "their config";
      }
      case 9 -> {
        try (LanceJudge judge = LanceJudge.open(table)) {
          String name = "t" + next + '-' + tags.size();
          if (tags.putIfAbsent(name, judge.version()) == null) {
            judge.dataset().tags().create(name, judge.version());
          }
        }
        return "their tag";
      }
      case 10 -> {
        String name = "t" + next + '-' + tags.size();
        Dataset ours = Dataset.open(table.toString(), allocator);
        long version = 1L + random.nextInt((int) ours.version());
        if (tags.putIfAbsent(name, version) == null) {
          ours.tags().create(name, VersionSelector.version(version));
        }
        try (LanceJudge judge = LanceJudge.open(table)) {
          assertThat(judge.dataset().tags().getVersion(name)).isEqualTo(tags.get(name));
        }
        return "our tag";
      }
      case 11 -> {
        if (tags.isEmpty()) {
          return "no tag to delete";
        }
        String name = List.copyOf(tags.keySet()).get(random.nextInt(tags.size()));
        tags.remove(name);
        if (random.nextBoolean()) {
          Dataset.open(table.toString(), allocator).tags().delete(name);
          return "our deletion of a tag";
        }
        try (LanceJudge judge = LanceJudge.open(table)) {
          judge.dataset().tags().delete(name);
        }
        return "their deletion of a tag";
      }
      default -> {
        Dataset ours = Dataset.open(table.toString(), allocator);
        long version = 1L + random.nextInt((int) ours.version());
        if (random.nextBoolean()) {
          Dataset.open(table.toString(), VersionSelector.version(version), allocator).restore();
        } else {
          try (LanceJudge judge = LanceJudge.open(table, version)) {
            judge.dataset().restore();
          }
        }
        become(versions.get((int) version));
        return "restore of version " + version;
      }
    }
  }

  /** A fragment whose data file real Lance wrote, and which nobody has committed. */
  private Fragment writtenByTheJudge(Path table, int count) {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot batch = VectorSchemaRoot.create(SCHEMA, allocator)) {
      fill(batch, 0, count);
      FragmentMetadata written =
          org.lance.Fragment.write()
              .datasetUri(table.toString())
              .allocator(allocator)
              .data(batch)
              .dataStorageVersion("2.1")
              .execute()
              .get(0);
      org.lance.fragment.DataFile file = written.getFiles().get(0);
      return new Fragment(
          0,
          List.of(
              new DataFile(
                  file.getPath(),
                  Arrays.stream(file.getFields()).boxed().toList(),
                  Arrays.stream(file.getColumnIndices()).boxed().toList(),
                  file.getFileMajorVersion(),
                  file.getFileMinorVersion(),
                  OptionalLong.of(file.getFileSizeBytes()),
                  OptionalInt.empty(),
                  UnknownFields.none())),
          Optional.empty(),
          OptionalLong.of(written.getPhysicalRows()),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          UnknownFields.none());
    }
  }

  /** The first live row's value: that of offset 0 of the first fragment, when that is alive. */
  private static long valueAt(Dataset dataset, BufferAllocator allocator) throws IOException {
    try (var reader = dataset.scan(ScanOptions.of(List.of("id")).withLimit(1)).read(allocator)) {
      assertThat(reader.next()).isTrue();
      return ((BigIntVector) reader.batch().getVector("id")).get(0);
    }
  }

  private void become(Set<Long> state) {
    TreeSet<Long> copy = new TreeSet<>(state);
    rows.clear();
    rows.addAll(copy);
  }

  private void remember(long version) {
    while (versions.size() <= version) {
      versions.add(new TreeSet<>(rows));
    }
  }

  private void fill(VectorSchemaRoot batch, int fragment, int count) {
    BigIntVector ids = (BigIntVector) batch.getVector("id");
    ids.allocateNew(count);
    for (int i = 0; i < count; i++) {
      ids.set(i, next);
      rows.add(next++);
    }
    batch.setRowCount(count);
  }
}
