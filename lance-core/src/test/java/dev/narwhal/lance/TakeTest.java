package dev.narwhal.lance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.RowNotFoundException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.fragment.RowAddress;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.scan.ScanOptions;
import dev.narwhal.lance.storage.FaultyObjectStore;
import dev.narwhal.lance.storage.LocalObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Takes against scans of the same version, on datasets that real Lance wrote. */
class TakeTest {
  private static final List<String> SYSTEM =
      List.of(
          "_rowid",
          "_rowaddr",
          "_rowoffset",
          "_row_created_at_version",
          "_row_last_updated_at_version");
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
  @ValueSource(
      strings = {
        "del-sparse",
        "del-append-del",
        "del-dense-bitmap",
        "stable-create",
        "stable-delete",
        "stable-upsert",
        "stable-compact",
        "types-2.0",
        "types-2.1",
        "types-2.2",
        "strings-2.0",
        "strings-2.1",
        "ints-2.1",
        "fsst-2.2",
        "vectors-2.0",
        "vectors-2.1",
        "add-null-column",
        "add-sql-column",
        "update-columns",
        "wide-2.1"
      })
  void everyWayToNameARowTakesWhatAScanGives(String name) throws IOException {
    Dataset dataset = Dataset.open(fixture(name).toString(), allocator);
    List<String> columns = new ArrayList<>(dataset.columnNames());
    columns.addAll(SYSTEM);
    try (VectorSchemaRoot all = scan(dataset, columns)) {
      Random random = new Random(name.hashCode());
      for (int round = 0; round < 6; round++) {
        int[] chosen = chosen(random, all.getRowCount(), round);
        long[] offsets = Arrays.stream(chosen).asLongStream().toArray();
        assertRows(dataset.takeOffsets(offsets, columns), all, chosen);
        assertRows(dataset.takeAddresses(values(all, "_rowaddr", chosen), columns), all, chosen);
        assertRows(dataset.takeRowIds(values(all, "_rowid", chosen), columns), all, chosen);
      }
    }
  }

  /** Ascending rows, all rows, none, one twice, any order with duplicates. */
  private static int[] chosen(Random random, int rows, int round) {
    return switch (round) {
      case 0 -> new int[0];
      case 1 -> new Random(3).ints(7, 0, rows).sorted().distinct().toArray();
      case 2 -> random.ints(20, 0, rows).toArray();
      case 3 -> new int[] {rows - 1, 0, rows - 1, rows - 1};
      case 4 -> new Random(5).ints(300, 0, rows).toArray();
      default -> IntStream.range(0, rows).toArray();
    };
  }

  @Test
  void o20_takeByOffsetPassesOverRowsDeletedAtTheStartOfAFragment() throws IOException {
    Dataset first = Dataset.open(copy("del-sparse").toString(), allocator);
    first.delete("id >= 100 AND id < 104 OR id = 0 OR id >= 197 AND id < 201");
    Dataset dataset = first.latest();
    try (VectorSchemaRoot all = scan(dataset, ID)) {
      long[] offsets = LongStream.range(0, all.getRowCount()).toArray();
      try (VectorSchemaRoot taken = dataset.takeOffsets(offsets, ID)) {
        assertThat(values(taken, "id")).isEqualTo(values(all, "id"));
      }
      for (int offset = 0; offset < offsets.length; offset++) {
        try (VectorSchemaRoot taken = dataset.takeOffsets(new long[] {offset}, ID)) {
          assertThat(values(taken, "id")).containsExactly(values(all, "id")[offset]);
        }
      }
    }
  }

  @Test
  void rowsThatAreNotThereAreNamedUpToFive() throws IOException {
    Dataset dataset = Dataset.open(fixture("del-sparse").toString(), allocator);
    assertThatThrownBy(() -> dataset.takeOffsets(new long[] {0, 292, -1}, ID))
        .isInstanceOf(RowNotFoundException.class)
        .hasMessageContaining("offset 292, -1;");
    assertThatThrownBy(() -> dataset.takeAddresses(new long[] {5, 6, 100, 7L << 32, -1}, ID))
        .isInstanceOf(RowNotFoundException.class)
        .hasMessageContaining("address 5, 100, 30064771072, 18446744073709551615;");
    assertThatThrownBy(() -> dataset.takeRowIds(new long[] {5}, ID))
        .isInstanceOf(RowNotFoundException.class)
        .hasMessageContaining("row id 5;");
    assertThat(dataset.addressesOf(new long[] {4, 5, 1L << 32, 100}))
        .containsExactly(4, RowAddress.TOMBSTONE, 1L << 32, RowAddress.TOMBSTONE);

    Dataset stable = Dataset.open(fixture("stable-delete").toString(), allocator);
    long[] missing = LongStream.range(1000, 1007).toArray();
    assertThatThrownBy(() -> stable.takeRowIds(missing, ID))
        .isInstanceOf(RowNotFoundException.class)
        .hasMessageContaining("row id 1000, 1001, 1002, 1003, 1004 and 2 more;");
  }

  @Test
  void aDeletedRowIsNotFoundByItsStableId() throws IOException {
    Dataset dataset = Dataset.open(copy("stable-create").toString(), allocator);
    dataset.delete("id = 17");
    assertThat(dataset.addressesOf(new long[] {17})).containsExactly(17);
    assertThat(dataset.latest().addressesOf(new long[] {16, 17, 18}))
        .containsExactly(16, RowAddress.TOMBSTONE, 18);
  }

  @Test
  void unknownAndRepeatedColumnsAreRefused() throws IOException {
    Dataset dataset = Dataset.open(fixture("del-sparse").toString(), allocator);
    for (List<String> columns : List.of(List.of("nope"), List.of("id", "id"))) {
      assertThatThrownBy(() -> dataset.takeOffsets(new long[] {1}, columns))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(columns.get(0));
    }
  }

  /** The file is back before the second try, which must not remember the first. */
  @Test
  void aDeletionFileThatCannotBeReadIsNeitherNoDeletionsNorRemembered() throws IOException {
    Path copy = copy("stable-delete");
    Dataset dataset = Dataset.open(copy.toString(), allocator);
    Fragment fragment =
        dataset.fragments().stream()
            .filter(f -> f.deletionFile().isPresent())
            .findFirst()
            .orElseThrow();
    long id = dataset.rowIds(fragment).orElseThrow().get(dataset.deletions(fragment).max());
    Path file = copy.resolve(fragment.deletionFile().orElseThrow().relativePath(fragment.id()));
    byte[] good = Files.readAllBytes(file);
    Files.delete(file);
    assertThatThrownBy(() -> dataset.takeRowIds(new long[] {id}, ID))
        .isInstanceOf(NoSuchFileException.class);
    Files.write(file, new byte[] {1, 2, 3});
    assertThatThrownBy(() -> dataset.addressesOf(new long[] {id}))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining(file.getFileName().toString());
    Files.write(file, good);
    assertThat(dataset.addressesOf(new long[] {id})).containsExactly(RowAddress.TOMBSTONE);
    Files.delete(file);
    assertThat(dataset.addressesOf(new long[] {id})).containsExactly(RowAddress.TOMBSTONE);
  }

  @Test
  void onlyFilesThatHoldTheRowsAndColumnsAreOpened() throws IOException {
    Path copy = copy("add-sql-column");
    Dataset dataset = Dataset.open(copy.toString(), allocator);
    Fragment fragment = dataset.fragments().get(0);
    assertThat(fragment.files()).hasSize(2);
    for (Fragment other : dataset.fragments()) {
      for (int i = other.id() == fragment.id() ? 1 : 0; i < other.files().size(); i++) {
        Files.delete(copy.resolve("data").resolve(other.files().get(i).path()));
      }
    }
    try (VectorSchemaRoot taken = dataset.takeOffsets(new long[] {2, 0}, ID)) {
      assertThat(taken.getRowCount()).isEqualTo(2);
    }
    assertThatThrownBy(() -> dataset.takeOffsets(new long[] {0}, dataset.columnNames()))
        .isInstanceOf(NoSuchFileException.class);
  }

  /** One thread, one fragment: the store below counts. */
  @Test
  void aSecondTakeReadsPagesOnly() throws IOException {
    FaultyObjectStore store = FaultyObjectStore.faultless(LocalObjectStore.at(fixture("ints-2.1")));
    Dataset dataset =
        Dataset.open("counted", VersionSelector.latest(), place -> store, allocator);
    dataset.takeOffsets(new long[] {7}, ID).close();
    int first = store.calls().size();

    try (VectorSchemaRoot taken = dataset.takeOffsets(new long[] {7}, ID)) {
      assertThat(taken.getRowCount()).isEqualTo(1);
    }

    List<String> second = store.calls().subList(first, store.calls().size());
    assertThat(second.get(0)).startsWith("open data/");
    assertThat(second.subList(1, second.size()))
        .hasSize(1)
        .allMatch(call -> call.startsWith("read data/"));
  }

  @Test
  void aFragmentThatFailsLeavesNothingOpen() throws IOException {
    Path copy = copy("del-sparse");
    Dataset dataset = Dataset.open(copy.toString(), allocator);
    String file = dataset.fragments().get(1).files().get(0).path();
    Files.write(copy.resolve("data").resolve(file), new byte[100]);
    assertThatThrownBy(() -> dataset.takeOffsets(new long[] {3, 150, 250}, ID))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining(file);
    try (VectorSchemaRoot taken = dataset.takeOffsets(new long[] {250, 3}, ID)) {
      assertThat(taken.getRowCount()).isEqualTo(2);
    }
  }

  private VectorSchemaRoot scan(Dataset dataset, List<String> columns) throws IOException {
    ScanOptions options = ScanOptions.of(columns).withBatchRows(1 << 20);
    VectorSchemaRoot all = VectorSchemaRoot.create(dataset.scan(options).schema(), allocator);
    try (BatchReader reader = dataset.scan(options).read(allocator)) {
      while (reader.next()) {
        for (int i = 0; i < columns.size(); i++) {
          FieldVector target = all.getVector(i);
          for (int row = 0; row < reader.batch().getRowCount(); row++) {
            target.copyFromSafe(row, all.getRowCount() + row, reader.batch().getVector(i));
          }
        }
        all.setRowCount(all.getRowCount() + reader.batch().getRowCount());
      }
    }
    return all;
  }

  private static void assertRows(VectorSchemaRoot taken, VectorSchemaRoot all, int[] chosen) {
    try (taken) {
      assertThat(taken.getSchema()).isEqualTo(all.getSchema());
      assertThat(taken.getRowCount()).isEqualTo(chosen.length);
      for (FieldVector vector : taken.getFieldVectors()) {
        assertThat(vector.getValueCount()).isEqualTo(chosen.length);
        for (int i = 0; i < chosen.length; i++) {
          assertThat(vector.getObject(i))
              .as("%s of row %d", vector.getName(), chosen[i])
              .isEqualTo(all.getVector(vector.getName()).getObject(chosen[i]));
        }
      }
    }
  }

  private static long[] values(VectorSchemaRoot rows, String column, int... chosen) {
    BaseIntVector vector = (BaseIntVector) rows.getVector(column);
    return Arrays.stream(chosen).mapToLong(vector::getValueAsLong).toArray();
  }

  private static long[] values(VectorSchemaRoot rows, String column) {
    return values(rows, column, IntStream.range(0, rows.getRowCount()).toArray());
  }

  private static Path fixture(String name) {
    return Path.of(System.getProperty("narwhal.root", ".."))
        .resolve("lance-core/src/test/resources/fixtures/lance")
        .resolve(name)
        .resolve("ds");
  }

  private Path copy(String name) throws IOException {
    Path source = fixture(name);
    Path target = folder.resolve(name);
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.toList()) {
        Files.copy(file, target.resolve(source.relativize(file).toString()));
      }
    }
    return target;
  }
}
