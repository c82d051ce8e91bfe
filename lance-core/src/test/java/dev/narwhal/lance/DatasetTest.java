package dev.narwhal.lance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.InvalidPredicateException;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.PredicateEvaluationException;
import dev.narwhal.lance.error.RetryableConflictException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.scan.ScanOptions;
import dev.narwhal.lance.write.DeleteOptions;
import dev.narwhal.lance.write.DeleteResult;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scans and deletes on copies of datasets that real Lance wrote. {@code del-sparse} has the ids 0
 * to 299 in three fragments of 100 rows, of which eight are deleted.
 */
class DatasetTest {
  private static final List<String> ID = List.of("id");

  @TempDir Path folder;
  private BufferAllocator allocator = new RootAllocator();

  @BeforeEach
  void openAllocator() {
    allocator.close();
    allocator = new RootAllocator();
  }

  /** Fails when anything was left open. */
  @AfterEach
  void closeAllocator() {
    allocator.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 64, 100, 1000})
  void theSizeOfBatchesChangesNoRow(int batchRows) throws IOException {
    Dataset dataset = open("del-sparse");
    List<Long> whole = ids(dataset, ScanOptions.of(ID));
    assertThat(whole).hasSize(292).isSorted();
    assertThat(ids(dataset, ScanOptions.of(ID).withBatchRows(batchRows))).isEqualTo(whole);
    assertThat(ids(dataset, ScanOptions.of(ID).withBatchRows(batchRows).withParallelism(1)))
        .isEqualTo(whole);
  }

  @Test
  void aLimitCutsTheLastBatch() throws IOException {
    Dataset dataset = open("del-sparse");
    List<Long> whole = ids(dataset, ScanOptions.of(ID));
    for (int limit : new int[] {0, 1, 99, 100, 291, 292, 1000}) {
      assertThat(ids(dataset, ScanOptions.of(ID).withLimit(limit).withBatchRows(10)))
          .isEqualTo(whole.subList(0, Math.min(limit, whole.size())));
    }
  }

  @Test
  void anOffsetPassesOverTheFirstRows() throws IOException {
    Dataset dataset = open("del-sparse");
    List<Long> whole = ids(dataset, ScanOptions.of(ID));
    List<Long> some = whole.stream().filter(id -> id % 3 == 0).toList();
    ScanOptions filtered = ScanOptions.of(ID).withFilter(dataset.predicate("id % 3 = 0"));
    for (int offset : new int[] {0, 1, 5, 96, 97, 98, 150, 194, 291, 292, 1000}) {
      for (int limit : new int[] {0, 1, 42, 97, 200, 1000}) {
        assertThat(
                ids(
                    dataset,
                    ScanOptions.of(ID).withOffset(offset).withLimit(limit).withBatchRows(10)))
            .isEqualTo(part(whole, offset, limit));
        assertThat(ids(dataset, filtered.withOffset(offset).withLimit(limit).withBatchRows(16)))
            .isEqualTo(part(some, offset, limit));
        assertThat(dataset.scan(filtered.withOffset(offset).withLimit(limit)).count(allocator))
            .isEqualTo(part(some, offset, limit).size());
        try (BatchReader reader = dataset.read(offset, limit)) {
          assertThat(rows(reader)).isEqualTo(part(whole, offset, limit).size());
        }
      }
      assertThat(ids(dataset, ScanOptions.of(ID).withOffset(offset)))
          .isEqualTo(part(whole, offset, 1000));
      assertThat(ids(dataset, ScanOptions.of(ID).withDeletedRows().withOffset(offset)))
          .hasSize(Math.max(0, 300 - offset));
    }
  }

  @Test
  void aRangeOpensNoFragmentOutsideIt() throws IOException {
    Dataset dataset = open("del-sparse");
    for (int fragment : new int[] {0, 2}) {
      String file = dataset.fragments().get(fragment).files().get(0).path();
      Files.delete(folder.resolve("del-sparse/data").resolve(file));
    }
    assertThat(ids(dataset, ScanOptions.of(ID).withOffset(97).withLimit(97)))
        .hasSize(97)
        .startsWith(100L)
        .endsWith(199L);
  }

  @Test
  void columnsComeInTheOrderAskedForWithSystemColumnsLast() throws IOException {
    Dataset dataset = open("del-sparse");
    List<String> columns = new ArrayList<>(dataset.columnNames());
    Collections.reverse(columns);
    ScanOptions options = ScanOptions.of(columns).withRowAddress().withRowId();
    columns.add("_rowid");
    columns.add("_rowaddr");
    try (BatchReader reader = dataset.scan(options).read(allocator)) {
      assertThat(reader.next()).isTrue();
      assertThat(reader.batch().getSchema().getFields().stream().map(Field::getName))
          .containsExactlyElementsOf(columns);
      assertThat(reader.schema()).isEqualTo(reader.batch().getSchema());
    }
  }

  @Test
  void unknownAndRepeatedColumnsAreRefused() throws IOException {
    Dataset dataset = open("del-sparse");
    assertThatThrownBy(() -> dataset.scan(ScanOptions.of(List.of("nope"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nope")
        .hasMessageContaining("id");
    assertThatThrownBy(() -> dataset.scan(ScanOptions.of(List.of("id", "id"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("twice");
    assertThatThrownBy(() -> dataset.countRows("nope = 1"))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining("nope");
  }

  @Test
  void deletedRowsKeepTheirPlacesWhenAskedFor() throws IOException {
    Dataset dataset = open("del-sparse");
    assertThat(ids(dataset, ScanOptions.of(ID).withDeletedRows()))
        .isEqualTo(IntStream.range(0, 300).mapToObj(Long::valueOf).toList());
  }

  @Test
  void rowOffsetsCountLiveRowsOnly() throws IOException {
    Dataset dataset = open("del-sparse");
    List<Long> whole = ids(dataset, ScanOptions.of(ID));
    ScanOptions tenth = ScanOptions.of(ID).withFilter(dataset.predicate("_rowoffset % 10 = 3"));
    List<Long> expected =
        IntStream.range(0, whole.size()).filter(i -> i % 10 == 3).mapToObj(whole::get).toList();
    assertThat(ids(dataset, tenth)).isEqualTo(expected);
    assertThat(ids(dataset, tenth.withBatchRows(16))).isEqualTo(expected);
  }

  @Test
  void versionColumnsOfATableThatKeepsNoneAreOne() throws IOException {
    Dataset dataset = open("del-sparse");
    ScanOptions options =
        ScanOptions.of(List.of("_row_created_at_version", "_row_last_updated_at_version"));
    for (String column : options.columns()) {
      assertThat(longs(dataset, options, column)).hasSize(292).containsOnly(1L);
    }
    assertThat(dataset.countRows("_row_created_at_version = 1")).isEqualTo(292);
    assertThat(dataset.countRows("_row_last_updated_at_version > 1")).isZero();
  }

  @Test
  void versionColumnsMayBeFilteredAndProjected() throws IOException {
    Dataset dataset = open("stable-upsert");
    String where = "_row_created_at_version = 1 AND _row_last_updated_at_version = 2";
    ScanOptions options =
        ScanOptions.of(List.of("_row_last_updated_at_version", "id"))
            .withFilter(dataset.predicate(where));
    assertThat(longs(dataset, options, "id")).hasSize(45).startsWith(15L).endsWith(59L);
    assertThat(longs(dataset, options, "_row_last_updated_at_version")).containsOnly(2L);
    assertThat(longs(dataset, options.withFilter(dataset.predicate("id = 7 OR id = 61")), "id"))
        .containsExactly(7L, 61L);
  }

  @Test
  void rowsMayBeDeletedByTheVersionThatWroteThem() throws IOException {
    Dataset dataset = open("stable-upsert");
    assertThat(dataset.delete("_row_last_updated_at_version = 2").deletedRows()).isEqualTo(60);
    assertThat(ids(dataset.latest(), ScanOptions.of(ID)))
        .isEqualTo(IntStream.range(0, 15).mapToObj(Long::valueOf).toList());
  }

  @Test
  void rowAddressesNameFragmentAndOffset() throws IOException {
    Dataset dataset = open("del-sparse");
    ScanOptions options =
        ScanOptions.of(List.of())
            .withRowAddress()
            .withFilter(dataset.predicate("id = 6 OR id = 206"));
    assertThat(longs(dataset, options, "_rowaddr")).containsExactly(6L, (2L << 32) + 6);
    assertThat(dataset.countRows("_rowaddr = 6")).isEqualTo(1);
  }

  @Test
  void whatADeadRowWouldFailAtIsNobodysError() throws IOException {
    Dataset before = open("del-sparse");
    before.delete("id = 50");
    Dataset dataset = before.latest();
    assertThat(before.countRows("id <> 50")).isEqualTo(291);
    assertThat(dataset.countRows("100 / (id - 50) > 10"))
        .isEqualTo(before.countRows("id > 50 AND id < 60"));
    assertThatThrownBy(() -> before.countRows("100 / (id - 50) > 10"))
        .isInstanceOf(PredicateEvaluationException.class)
        .hasMessageContaining("fragment 0, a batch of the live rows [0, 100): ");
  }

  @Test
  void readersMayStopWhereTheyLike() throws IOException {
    Dataset dataset = open("del-sparse");
    for (int batches = 0; batches < 5; batches++) {
      try (BatchReader reader = dataset.scan(ScanOptions.of(ID).withBatchRows(8)).read(allocator)) {
        for (int i = 0; i < batches; i++) {
          assertThat(reader.next()).isTrue();
        }
      }
      assertThat(allocator.getAllocatedMemory()).isZero();
    }
  }

  @Test
  void aMissingDataFileIsNamed() throws IOException {
    Dataset dataset = open("del-sparse");
    String file = dataset.fragments().get(1).files().get(0).path();
    Files.delete(folder.resolve("del-sparse/data").resolve(file));
    assertThat(dataset.countRows()).isEqualTo(292);
    assertThatThrownBy(() -> ids(dataset, ScanOptions.of(ID)))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(file);
  }

  @Test
  void aDeletionFileThatCannotBeReadIsNeverNoDeletions() throws IOException {
    Dataset dataset = open("del-sparse");
    Fragment fragment = dataset.fragments().get(2);
    String path = fragment.deletionFile().orElseThrow().relativePath(fragment.id());
    Path file = folder.resolve("del-sparse").resolve(path);
    Files.write(file, new byte[] {1, 2, 3});
    assertThatThrownBy(() -> ids(dataset, ScanOptions.of(ID)))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining(path);
    Files.delete(file);
    assertThatThrownBy(() -> dataset.countRows("id >= 0"))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(path);
    assertThatThrownBy(() -> dataset.delete("id >= 0")).isInstanceOf(NoSuchFileException.class);
    assertThat(dataset.latest().version()).isEqualTo(dataset.version());
  }

  @Test
  void aDeleteThatMatchesNothingWritesNothing() throws IOException {
    Dataset dataset = open("del-sparse");
    List<String> before = tree();
    for (String where : List.of("id < 0", "false", "id IN (1000, NULL)", "id = NULL")) {
      DeleteResult result = dataset.delete(where);
      assertThat(result).isEqualTo(new DeleteResult(dataset.version(), 0, 0, 0, 0, 0));
    }
    assertThat(tree()).isEqualTo(before);
  }

  @Test
  void aDryRunTellsWhatADeleteWouldDo() throws IOException {
    Dataset dataset = open("del-sparse");
    List<String> before = tree();
    String where = "id >= 100 AND id < 210";
    DeleteResult planned = dataset.delete(where, DeleteOptions.standard().asDryRun());
    assertThat(tree()).isEqualTo(before);
    DeleteResult done = dataset.delete(where);
    assertThat(done.deletedRows()).isEqualTo(planned.deletedRows()).isPositive();
    assertThat(done.fragmentsDropped()).isEqualTo(planned.fragmentsDropped()).isEqualTo(1);
    assertThat(done.fragmentsUpdated()).isEqualTo(planned.fragmentsUpdated()).isEqualTo(1);
    assertThat(done.version()).isEqualTo(planned.version() + 1);
    assertThat(dataset.latest().countRows()).isEqualTo(292 - done.deletedRows());
  }

  @Test
  void aStaleHandleDeletesOnTopOfWhatOthersDeleted() throws IOException {
    Dataset stale = open("del-sparse");
    stale.delete("id = 10");
    int files = tree().size();
    DeleteResult second = stale.delete("id = 11");
    assertThat(second.deletedRows()).isEqualTo(1);
    assertThat(second.version()).isEqualTo(4);
    assertThat(second.attempts()).isEqualTo(1);
    assertThat(stale.latest().countRows("id IN (10, 11)")).isZero();
    assertThat(stale.latest().countRows()).isEqualTo(290);
    assertThat(tree()).as("manifest, transaction, one deletion file").hasSize(files + 3);
  }

  @Test
  void strictnessMakesARowThatIsGoneAConflictThatARetryResolves() throws IOException {
    Dataset stale = open("del-sparse");
    stale.delete("id = 10");
    DeleteOptions strict = DeleteOptions.standard().withStrictRowConflicts();
    assertThatThrownBy(() -> stale.delete("id = 10", strict.withRetries(0, Duration.ofSeconds(30))))
        .isInstanceOf(RetryableConflictException.class)
        .hasMessageContaining("Delete on version 2 lost to Delete, which made version 3")
        .hasMessageContaining("0:10");
    List<String> before = tree();
    DeleteResult again = stale.delete("id = 10", strict);
    assertThat(again).isEqualTo(new DeleteResult(3, 0, 0, 0, 0, 1));
    assertThat(tree()).isEqualTo(before);
  }

  @Test
  void fragmentsDeleteWithoutACommit() throws IOException {
    Dataset dataset = open("del-sparse");
    Fragment fragment = dataset.fragment(1).fragment();
    assertThat(dataset.fragment(1).delete("id < 100")).contains(fragment);
    assertThat(dataset.fragment(1).delete("id >= 100")).isEmpty();
    assertThat(dataset.fragment(1).delete("true")).isEmpty();
    Optional<Fragment> updated = dataset.fragment(1).delete("id = 150 OR id = 20");
    assertThat(updated.orElseThrow().deletedRows().getAsLong())
        .isEqualTo(fragment.deletedRows().getAsLong() + 1);
    assertThat(dataset.latest().version()).isEqualTo(dataset.version());
    assertThatThrownBy(() -> dataset.fragment(77)).isInstanceOf(IllegalArgumentException.class);
  }

  private Dataset open(String name) throws IOException {
    Path source =
        Path.of(System.getProperty("narwhal.root", ".."))
            .resolve("lance-core/src/test/resources/fixtures/lance")
            .resolve(name)
            .resolve("ds");
    Path target = folder.resolve(name);
    Files.walkFileTree(
        source,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path copy = target.resolve(source.relativize(file).toString());
            Files.createDirectories(copy.getParent());
            Files.write(copy, Files.readAllBytes(file));
            return FileVisitResult.CONTINUE;
          }
        });
    return Dataset.open(target.toString(), allocator);
  }

  private static List<Long> part(List<Long> rows, int offset, int limit) {
    int from = Math.min(offset, rows.size());
    return rows.subList(from, Math.min(from + limit, rows.size()));
  }

  private static int rows(BatchReader reader) throws IOException {
    int rows = 0;
    while (reader.next()) {
      rows += reader.batch().getRowCount();
    }
    return rows;
  }

  private List<String> tree() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.map(Path::toString).sorted().toList();
    }
  }

  private List<Long> ids(Dataset dataset, ScanOptions options) throws IOException {
    return longs(dataset, options, "id");
  }

  private List<Long> longs(Dataset dataset, ScanOptions options, String column) throws IOException {
    List<Long> values = new ArrayList<>();
    try (BatchReader reader = dataset.scan(options).read(allocator)) {
      while (reader.next()) {
        BaseIntVector vector = (BaseIntVector) reader.batch().getVector(column);
        for (int i = 0; i < reader.batch().getRowCount(); i++) {
          values.add(vector.getValueAsLong(i));
        }
      }
    }
    return values;
  }
}
