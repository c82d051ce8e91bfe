package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.manifest.Branch;
import dev.narwhal.lance.manifest.Tag;
import dev.narwhal.lance.manifest.VersionSelector;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.Ref;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.scalar.ScalarIndexParams;

/**
 * Tags, branches, clones and restores: what we make real Lance lists, reads and goes on from, and
 * the other way about. The table has the ids 0 to 19 and 100 to 119.
 */
class ReferencesJudgedTest {
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              new Field("id", FieldType.notNullable(new ArrowType.Int(64, true)), null),
              new Field("x", FieldType.nullable(new ArrowType.Int(32, true)), null)));

  @TempDir Path folder;
  private Path table = Path.of("");
  private BufferAllocator allocator = new RootAllocator();

  @BeforeEach
  void createTable() {
    allocator.close();
    allocator = new RootAllocator();
    table = folder.resolve("table");
    create(JudgeWriter.at(table, "2.1"));
  }

  @AfterEach
  void closeAllocator() {
    allocator.close();
  }

  private static void create(JudgeWriter writer) {
    writer.create(SCHEMA, List.of(20, 20), ReferencesJudgedTest::fill);
  }

  private static void fill(VectorSchemaRoot batch, int fragment, int rows) {
    BigIntVector ids = (BigIntVector) batch.getVector("id");
    IntVector values = (IntVector) batch.getVector("x");
    ids.allocateNew(rows);
    values.allocateNew(rows);
    for (int i = 0; i < rows; i++) {
      ids.set(i, fragment * 100L + i);
      values.set(i, i);
    }
    batch.setRowCount(rows);
  }

  @Test
  void tagsAreTheSameForBoth() throws IOException {
    Dataset ours = open();
    ours.delete("id = 3");
    Tag tag = ours.tags().create("ours", VersionSelector.version(2));
    ours.tags().create("other", VersionSelector.version(1));
    ours.tags().replaceMetadata("ours", Map.of("k", "v"));
    try (LanceJudge judge = LanceJudge.open(table)) {
      org.lance.Tag theirs =
          judge.dataset().tags().list().stream()
              .filter(one -> one.getName().equals("ours"))
              .findFirst()
              .orElseThrow();
      assertThat(theirs.getVersion()).isEqualTo(2);
      assertThat(theirs.getBranch()).isEmpty();
      assertThat(theirs.getManifestSize()).isEqualTo(tag.manifestSizeBytes().orElseThrow());
      assertThat(theirs.getCreatedAt()).isEqualTo(tag.createdAt());
      assertThat(theirs.getMetadata()).isEqualTo(Map.of("k", "v"));
      assertThat(judge.dataset().tags().getVersion("other")).isEqualTo(1);
      try (org.lance.Dataset at = judge.dataset().checkoutTag("ours")) {
        assertThat(at.countRows()).isEqualTo(40);
      }
      judge.dataset().tags().update("ours", 3);
      judge.dataset().tags().delete("other");
      judge.dataset().tags().create("theirs", 1);
    }
    assertThat(ours.tags().list()).extracting(Tag::name).containsExactly("ours", "theirs");
    assertThat(ours.tags().get("ours").version()).isEqualTo(3);
    assertThat(ours.tags().get("ours").metadata()).isEqualTo(Map.of("k", "v"));
    ours.tags().update("theirs", VersionSelector.version(2));
    ours.tags().delete("ours");
    try (LanceJudge judge = LanceJudge.open(table)) {
      assertThat(judge.dataset().tags().list()).hasSize(1);
      assertThat(judge.dataset().tags().getVersion("theirs")).isEqualTo(2);
    }
  }

  @Test
  void bothCommitOnEachOthersBranches() throws IOException {
    open().branches().create("ours", VersionSelector.version(2));
    try (LanceJudge judge = LanceJudge.open(table)) {
      judge.dataset().createBranch("theirs/x", Ref.ofMain(2)).close();
    }
    for (String name : List.of("ours", "theirs/x")) {
      onBranch(name).delete("id = 1");
      try (LanceJudge judge = LanceJudge.openBranch(table, name, 3)) {
        assertThat(judge.countRows()).isEqualTo(39);
        judge.delete("id = 2");
        assertThat(judge.version()).isEqualTo(4);
      }
      onBranch(name).delete("id = 101");
      try (LanceJudge judge = LanceJudge.openBranch(table, name, 5)) {
        assertThat(judge.longs("id")).isEqualTo(ids(1, 2, 101));
        assertThat(OurRows.of(onBranch(name))).isEqualTo(judge.rows());
        assertThat(judge.dataset().readTransaction()).isPresent();
      }
    }
    try (LanceJudge judge = LanceJudge.open(table)) {
      assertThat(judge.version()).isEqualTo(2);
      assertThat(judge.countRows()).isEqualTo(40);
      assertThat(judge.dataset().branches().list())
          .extracting(org.lance.Branch::getName)
          .containsExactlyInAnyOrder("ours", "theirs/x");
    }
  }

  @Test
  void branchesOfBranchesAreListedAlikeAndDeletedByEither() throws IOException {
    Dataset ours = open();
    ours.branches().create("ä/1", VersionSelector.version(1));
    ours.branches().delete("ä/1");
    ours.branches().create("a", VersionSelector.version(1));
    onBranch("a").delete("id = 1");
    Branch child = ours.branches().create("b", VersionSelector.latest().onBranch("a"));
    // through a handle of main, real Lance 7.0.0 would take main's version of the same number
    try (LanceJudge judge = LanceJudge.openBranch(table, "b", 2)) {
      judge.dataset().createBranch("c", Ref.ofBranch("b")).close();
      org.lance.Branch theirs =
          judge.dataset().branches().list().stream()
              .filter(one -> one.getName().equals("b"))
              .findFirst()
              .orElseThrow();
      assertThat(theirs.getParentBranch()).contains("a");
      assertThat(theirs.getParentVersion()).isEqualTo(2);
      assertThat(theirs.getManifestSize()).isEqualTo(child.manifestSizeBytes().orElseThrow());
      assertThat(theirs.getBranchIdentifier().stream().map(one -> one.getUuid()).toList())
          .isEqualTo(child.lineage().stream().map(point -> point.uuid()).toList());
      // real Lance sees by our identifier that c descends from b
      assertThatThrownBy(() -> judge.dataset().branches().delete("b"))
          .hasMessageContaining("can not delete");
    }
    assertThat(ours.branches().get("c").lineage())
        .hasSize(3)
        .startsWith(child.lineage().toArray(new dev.narwhal.lance.manifest.BranchPoint[0]));
    assertThatThrownBy(() -> ours.branches().delete("b")).hasMessageContaining("branch c needs");
    try (LanceJudge judge = LanceJudge.openBranch(table, "c", 2)) {
      assertThat(judge.longs("id")).hasSize(19);
      assertThat(OurRows.of(onBranch("c"))).isEqualTo(judge.rows());
    }
    ours.branches().delete("c");
    try (LanceJudge judge = LanceJudge.open(table)) {
      assertThat(judge.dataset().branches().list()).hasSize(2);
      judge.dataset().branches().delete("b");
      judge.dataset().branches().delete("a");
    }
    assertThat(ours.branches().list()).isEmpty();
    assertThat(table.resolve("tree"))
        .satisfiesAnyOf(
            tree -> assertThat(tree).doesNotExist(), tree -> assertThat(tree).isEmptyDirectory());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void realLanceReadsOurCloneAndGoesOnInIt(boolean stableRowIds) throws IOException {
    Path source = folder.resolve("source");
    JudgeWriter writer = JudgeWriter.at(source, "2.1");
    create(stableRowIds ? writer.withStableRowIds() : writer);
    try (LanceJudge judge = LanceJudge.open(source)) {
      judge.delete("id IN (1, 2)");
      judge
          .dataset()
          .createIndex(
              IndexOptions.builder(
                      List.of("x"),
                      IndexType.BTREE,
                      IndexParams.builder()
                          .setScalarIndexParams(ScalarIndexParams.create("btree"))
                          .build())
                  .build());
    }
    Path clone = folder.resolve("clone");
    Dataset.open(source.toString(), allocator).shallowClone(clone.toString());

    assertThat(LanceJudge.judge(clone)).isEqualTo(LanceJudge.judge(source));
    assertThat(OurRows.of(clone)).isEqualTo(LanceJudge.judge(source).rows());
    try (LanceJudge judge = LanceJudge.open(clone)) {
      assertThat(judge.dataset().listIndexes()).containsExactly("x_idx");
      assertThat(judge.countRows("x = 7")).isEqualTo(2);
      judge.delete("x = 7");
    }
    Dataset.open(clone.toString(), allocator).delete("x = 8");
    writerOf(clone, stableRowIds).append(SCHEMA, List.of(3), ReferencesJudgedTest::fill);
    try (LanceJudge judge = LanceJudge.open(clone)) {
      assertThat(judge.countRows()).isEqualTo(38 - 4 + 3);
      assertThat(OurRows.of(clone)).isEqualTo(judge.rows());
      assertThat(Arrays.stream(judge.rowIds()).distinct().count()).isEqualTo(37);
    }
    assertThat(LanceJudge.judge(source).count()).isEqualTo(38);

    // theirs, and a clone of a clone by each
    Path theirs = folder.resolve("theirs");
    try (LanceJudge judge = LanceJudge.open(clone)) {
      judge.dataset().shallowClone(theirs.toString(), Ref.ofMain()).close();
    }
    Path last = folder.resolve("last");
    Dataset.open(theirs.toString(), allocator).shallowClone(last.toString());
    assertThat(LanceJudge.judge(last).rows()).isEqualTo(LanceJudge.judge(clone).rows());
    assertThat(OurRows.of(last)).isEqualTo(OurRows.of(clone));
  }

  private static JudgeWriter writerOf(Path path, boolean stableRowIds) {
    JudgeWriter writer = JudgeWriter.at(path, "2.1");
    return stableRowIds ? writer.withStableRowIds() : writer;
  }

  @Test
  void afterARestoreOfOursNoRowIdIsGivenTwice() throws IOException {
    Path stable = folder.resolve("stable");
    JudgeWriter writer = JudgeWriter.at(stable, "2.1").withStableRowIds();
    create(writer);
    long highest;
    try (LanceJudge judge = LanceJudge.open(stable)) {
      highest = Arrays.stream(judge.rowIds()).max().orElseThrow();
      judge.delete("id = 3");
    }
    Dataset.open(stable.toString(), VersionSelector.version(1), allocator).restore();
    try (LanceJudge judge = LanceJudge.open(stable)) {
      assertThat(judge.countRows()).isEqualTo(20);
      assertThat(OurRows.of(stable)).isEqualTo(judge.rows());
    }
    writer.append(SCHEMA, List.of(5), ReferencesJudgedTest::fill);
    try (LanceJudge judge = LanceJudge.open(stable)) {
      long[] ids = judge.rowIds();
      assertThat(ids).hasSize(25);
      assertThat(Arrays.stream(ids, 20, 25)).allMatch(id -> id > highest);
      assertThat(judge.dataset().getFragments().get(1).getId()).isEqualTo(2);
      judge.delete("x = 1");
    }
    assertThat(Dataset.open(stable.toString(), allocator).delete("x = 2").deletedRows())
        .isEqualTo(2);
    assertThat(LanceJudge.judge(stable).count()).isEqualTo(21);
  }

  private Dataset open() throws IOException {
    return Dataset.open(table.toString(), allocator);
  }

  private Dataset onBranch(String name) throws IOException {
    return Dataset.open(table.toString(), VersionSelector.latest().onBranch(name), allocator);
  }

  /** The table's ids without some. */
  private static long[] ids(long... without) {
    return LongStream.concat(LongStream.range(0, 20), LongStream.range(100, 120))
        .filter(id -> Arrays.stream(without).noneMatch(gone -> gone == id))
        .toArray();
  }
}
