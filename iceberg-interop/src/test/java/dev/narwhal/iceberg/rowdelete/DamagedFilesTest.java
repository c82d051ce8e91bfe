package dev.narwhal.iceberg.rowdelete;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.iceberg.deletes.DamagedDeleteFileException;
import dev.narwhal.iceberg.rowdelete.maintenance.DeleteMaintenance;
import dev.narwhal.iceberg.rowdelete.maintenance.InspectedTable;
import dev.narwhal.iceberg.rowdelete.maintenance.TableInspection;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.rowdelete.plan.NothingToDeleteException;
import dev.narwhal.iceberg.rowdelete.plan.RowMatcher;
import dev.narwhal.iceberg.rowdelete.rows.DamagedDataFileException;
import dev.narwhal.iceberg.rowdelete.write.MergeClauses;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Data and delete files that are not what they should be. */
class DamagedFilesTest {
  private static final Schema SCHEMA =
      new Schema(
          required(1, "id", Types.LongType.get()), optional(2, "part", Types.IntegerType.get()));

  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  private static MemoryTable table() {
    return MemoryTable.create(
        2,
        SCHEMA,
        PartitionSpec.unpartitioned(),
        Map.of(
            "write.parquet.compression-codec", "uncompressed",
            "write.delete.parquet.compression-codec", "uncompressed"));
  }

  private static List<Record> rows(MemoryTable memory, int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> memory.record((long) i, 0)).toList();
  }

  /** A file of ten rows, of which the table says that they are more or fewer. */
  private static MemoryTable miscounted(long recorded) {
    MemoryTable memory = table();
    PartitionSpec spec = memory.table.spec();
    DataFile file = memory.write(spec, null, rows(memory, 0, 10));
    memory
        .table
        .newAppend()
        .appendFile(DataFiles.builder(spec).copy(file).withRecordCount(recorded).build())
        .commit();
    return memory;
  }

  private RowDeletes deletes(MemoryTable memory) {
    return new RowDeletes(memory.table, allocator);
  }

  @ParameterizedTest
  @CsvSource({
    "8, TRUE, COPY_ON_WRITE",
    "8, id >= 0, MERGE_ON_READ",
    "12, TRUE, COPY_ON_WRITE",
    "12, id >= 0, MERGE_ON_READ"
  })
  void anUpdateOfAWholeFileWithOtherRowsThanRecordedIsRefused(
      long recorded, String where, DeleteMode mode) throws IOException {
    MemoryTable memory = miscounted(recorded);
    List<String> before = memory.files.dataFiles();
    RowMatcher matcher = deletes(memory).matcher(where);
    SetColumns set = SetColumns.of(SCHEMA, Map.of("part", "7"));

    assertThatThrownBy(() -> deletes(memory).prepareUpdate(matcher, set, mode))
        .isInstanceOf(DamagedDataFileException.class)
        .hasMessageContaining("has 10 rows, the table's metadata says " + recorded)
        .hasMessageContaining(memory.dataFiles().get(0).location());
    assertThat(memory.files.dataFiles()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(longs = {8, 12})
  void aMergeAndKeysOfAFileWithOtherRowsThanRecordedAreRefused(long recorded) {
    MemoryTable memory = miscounted(recorded);
    assertThatThrownBy(
            () ->
                deletes(memory)
                    .prepareMerge(rows(memory, 3, 5), List.of("id"), MergeClauses.upsert()))
        .isInstanceOf(DamagedDataFileException.class);
    assertThatThrownBy(
            () -> deletes(memory).prepareEqualityDelete(deletes(memory).matcher("id >= 0")))
        .isInstanceOf(DamagedDataFileException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {1L << 40, 1L << 62, Long.MAX_VALUE})
  void aPositionThatNoRowCanHaveIsRefusedBeforeItCostsMemory(long position) throws IOException {
    MemoryTable memory = table();
    memory.append(rows(memory, 0, 10));
    DataFile file = memory.dataFiles().get(0);
    DeleteFile delete =
        new ForeignDeletes(memory).positions(List.of(file.location()), 3L, position);
    memory.table.newRowDelta().addDeletes(delete).commit();

    assertThatThrownBy(() -> deletes(memory).planRowDeletes(deletes(memory).matcher("id = 5")))
        .isInstanceOf(DamagedDeleteFileException.class)
        .hasMessageContaining("position " + position)
        .hasMessageContaining(file.location())
        .hasMessageContaining(delete.location());
  }

  /** Files cut to nothing, cut in the middle, and with another footer. */
  private static List<byte[]> damages(byte[] whole) {
    byte[] footer = whole.clone();
    Arrays.fill(footer, whole.length - 40, whole.length - 8, (byte) 0x7b);
    byte[] length = whole.clone();
    length[whole.length - 6] = (byte) 0x7f;
    return List.of(new byte[0], Arrays.copyOf(whole, whole.length / 2), footer, length);
  }

  @Test
  void damagedPositionAndEqualityDeleteFilesAreNamed() throws IOException {
    for (boolean equality : new boolean[] {false, true}) {
      MemoryTable memory = table();
      memory.append(rows(memory, 0, 10));
      memory.append(rows(memory, 10, 20));
      List<String> both = memory.dataFiles().stream().map(DataFile::location).toList();
      ForeignDeletes foreign = new ForeignDeletes(memory);
      DeleteFile delete =
          equality
              ? foreign.equality(null, List.of("id"), rows(memory, 3, 12))
              : foreign.positions(both, 3L);
      memory.table.newRowDelta().addDeletes(delete).commit();
      byte[] whole = memory.files.bytes(delete.location());
      for (byte[] damaged : damages(whole)) {
        memory.files.put(delete.location(), damaged);
        RowMatcher matcher = deletes(memory).matcher("id * 2 = 10");
        assertThatThrownBy(() -> deletes(memory).delete(matcher, DeleteMode.COPY_ON_WRITE))
            .isInstanceOf(DamagedDeleteFileException.class)
            .hasMessageContaining(delete.location());
        if (!equality) {
          assertThatThrownBy(new DeleteMaintenance(memory.table)::prepareDanglingRemoval)
              .isInstanceOf(DamagedDeleteFileException.class)
              .hasMessageContaining(delete.location());
        }
      }
    }
  }

  private static int indexOf(byte[] bytes, byte[] wanted) {
    for (int i = 0; i + wanted.length <= bytes.length; i++) {
      if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
        return i;
      }
    }
    throw new AssertionError("not in the file");
  }

  @Test
  void aPathThatADeleteFilesBitFlipMadeAnotherIsNoPath() throws IOException {
    MemoryTable memory = table();
    memory.append(rows(memory, 0, 10));
    memory.append(rows(memory, 10, 20));
    List<String> both = memory.dataFiles().stream().map(DataFile::location).sorted().toList();
    DeleteFile delete = new ForeignDeletes(memory).positions(both, 3L, 4L);
    memory.table.newRowDelta().addDeletes(delete).commit();
    byte[] bytes = memory.files.bytes(delete.location());
    bytes[4 + indexOf(bytes, both.get(0).getBytes(StandardCharsets.UTF_8))] ^= 1;
    memory.files.put(delete.location(), bytes);

    assertThatThrownBy(() -> deletes(memory).planRowDeletes(deletes(memory).matcher("id * 2 = 8")))
        .isInstanceOf(DamagedDeleteFileException.class)
        .hasMessageContaining(delete.location());
    assertThatThrownBy(new DeleteMaintenance(memory.table)::prepareDanglingRemoval)
        .isInstanceOf(DamagedDeleteFileException.class);
  }

  @ParameterizedTest
  @EnumSource(DeleteMode.class)
  void aValueThatABitFlipMadeAnotherIsNoValue(DeleteMode mode) throws IOException {
    MemoryTable memory = table();
    memory.append(rows(memory, 1_000_000, 1_000_010));
    DataFile file = memory.dataFiles().get(0);
    byte[] bytes = memory.files.bytes(file.location());
    byte[] value = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(1_000_005).array();
    bytes[indexOf(bytes, value)] ^= 1;
    memory.files.put(file.location(), bytes);

    RowMatcher matcher = deletes(memory).matcher("id * 2 = 2000008");
    assertThatThrownBy(() -> deletes(memory).delete(matcher, mode))
        .isInstanceOf(DamagedDataFileException.class)
        .hasMessageContaining(file.location());
    RowMatcher all = deletes(memory).matcher("TRUE");
    SetColumns set = SetColumns.of(SCHEMA, Map.of("part", "7"));
    assertThatThrownBy(() -> deletes(memory).prepareUpdate(all, set, mode))
        .isInstanceOf(DamagedDataFileException.class);
  }

  private static void assertInspected(MemoryTable memory, DeleteFile delete) throws IOException {
    InspectedTable inspected = TableInspection.of(memory.table);
    assertThat(inspected.liveRows()).isEmpty();
    assertThat(inspected.dataFiles()).hasSize(2);
    assertThat(inspected.warnings()).anyMatch(warning -> warning.contains(delete.location()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"position", "equality", "vector"})
  void aTableWithDeleteFilesLostOrDamagedIsInspected(String kind) throws IOException {
    MemoryTable memory = table();
    memory.append(rows(memory, 0, 10));
    memory.append(rows(memory, 10, 20));
    List<DataFile> both = memory.dataFiles();
    if (kind.equals("vector")) {
      memory.table.updateProperties().set("format-version", "3").commit();
    }
    ForeignDeletes foreign = new ForeignDeletes(memory);
    DeleteFile delete =
        switch (kind) {
          case "position" -> foreign.positions(both.stream().map(DataFile::location).toList(), 3L);
          case "equality" -> foreign.equality(null, List.of("id"), rows(memory, 3, 12));
          default -> foreign.vector(both.get(0), 3L);
        };
    memory.table.newRowDelta().addDeletes(delete).commit();
    byte[] whole = memory.files.bytes(delete.location());
    for (byte[] damaged : damages(whole)) {
      if (!kind.equals("vector") || damaged.length != whole.length) {
        memory.files.put(delete.location(), damaged);
        assertInspected(memory, delete);
      }
    }
    memory.table.io().deleteFile(delete.location());
    assertInspected(memory, delete);
  }

  @Test
  void aDeleteFileOfDataFilesThatNoSnapshotKnowsIsKeptAndReported() throws IOException {
    MemoryTable memory = table();
    memory.append(rows(memory, 0, 10));
    List<String> unknown =
        List.of("memory:///table/data/a.parquet", "memory:///table/data/b.parquet");
    DeleteFile delete = new ForeignDeletes(memory).positions(unknown, 3L);
    memory.table.newRowDelta().addDeletes(delete).commit();

    assertThatThrownBy(new DeleteMaintenance(memory.table)::prepareDanglingRemoval)
        .isInstanceOf(NothingToDeleteException.class);
    InspectedTable inspected = TableInspection.of(memory.table);
    assertThat(inspected.liveRows()).hasValue(10);
    assertThat(inspected.warnings())
        .singleElement()
        .asString()
        .contains(delete.location(), "no snapshot of the table has");
  }

  @ParameterizedTest
  @CsvSource({
    "write.target-file-size-bytes, x, COPY_ON_WRITE, a number of bytes",
    "write.target-file-size-bytes, 0, COPY_ON_WRITE, a number of bytes",
    "write.delete.target-file-size-bytes, -1, MERGE_ON_READ, a number of bytes",
    "write.delete.granularity, foo, MERGE_ON_READ, file or partition",
    "write.delete.format.default, foo, MERGE_ON_READ, parquet or avro"
  })
  void aPropertyThatCannotBeUsedIsNamedWithWhatCan(
      String property, String value, DeleteMode mode, String advice) throws IOException {
    MemoryTable memory = table();
    memory.append(rows(memory, 0, 10));
    memory.table.updateProperties().set(property, value).commit();
    List<String> before = memory.files.dataFiles();
    RowMatcher matcher = deletes(memory).matcher("id = 3");
    assertThatThrownBy(() -> deletes(memory).delete(matcher, mode))
        .hasMessageContaining(property)
        .hasMessageContaining(value)
        .hasMessageContaining(advice);
    assertThat(memory.files.dataFiles()).isEqualTo(before);
  }
}
