package dev.narwhal.iceberg.rowdelete;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.iceberg.rowdelete.rows.DataFileRows;
import dev.narwhal.iceberg.rowdelete.rows.RowBatch;
import dev.narwhal.iceberg.rowdelete.rows.VectorValues;
import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches of columns hold what Iceberg's generic reader reads, whatever way they were filled. */
class RowBatchTest {
  private static final Schema SCHEMA =
      new Schema(
          required(1, "id", Types.LongType.get()),
          optional(2, "i", Types.IntegerType.get()),
          optional(3, "l", Types.LongType.get()),
          optional(4, "f", Types.FloatType.get()),
          optional(5, "d", Types.DoubleType.get()),
          optional(6, "b", Types.BooleanType.get()),
          optional(7, "s", Types.StringType.get()),
          optional(8, "bytes", Types.BinaryType.get()),
          optional(9, "date", Types.DateType.get()),
          optional(10, "time", Types.TimeType.get()),
          optional(11, "ts", Types.TimestampType.withoutZone()),
          optional(12, "tsz", Types.TimestampType.withZone()),
          optional(13, "nanos", Types.TimestampNanoType.withoutZone()),
          optional(14, "dec", Types.DecimalType.of(9, 2)),
          optional(15, "wide", Types.DecimalType.of(38, 4)),
          optional(16, "uuid", Types.UUIDType.get()),
          optional(17, "fixed", Types.FixedType.ofLength(3)),
          required(18, "promotedInt", Types.IntegerType.get()),
          optional(19, "promotedFloat", Types.FloatType.get()),
          optional(20, "nothing", Types.StringType.get()));

  @ParameterizedTest(name = "{0} of the values repeat, dead rows in {1}, page version {2}")
  @CsvSource({
    "none, 1000000, 1",
    "all, 1000000, 1",
    "none, 3, 1",
    "all, 7, 1",
    "none, 5, 2",
    "all, 2, 2"
  })
  void columnsAreThoseOfTheGenericReader(String repeating, int deadEvery, int pages)
      throws IOException {
    Random random = new Random(deadEvery);
    MemoryTable memory =
        MemoryTable.create(
            3,
            SCHEMA,
            PartitionSpec.unpartitioned(),
            Map.of(
                "write.parquet.row-group-size-bytes",
                "400000",
                "write.parquet.page-size-bytes",
                "3000",
                "write.parquet.page-version",
                "v" + pages,
                "write.parquet.dict-size-bytes",
                repeating.equals("all") ? "100000" : "64"));
    List<Record> rows = new ArrayList<>();
    for (int i = 0; i < 9_000; i++) {
      rows.add(row(memory, i, repeating.equals("all") ? random.nextInt(20) : random.nextInt()));
    }
    memory.append(rows);
    memory
        .table
        .updateSchema()
        .updateColumn("promotedInt", Types.LongType.get())
        .updateColumn("promotedFloat", Types.DoubleType.get())
        .addColumn("added", Types.IntegerType.get())
        .commit();
    memory.table.refresh();

    Schema schema = memory.table.schema();
    FileScanTask task = memory.tasks().get(0);
    PositionSet.Builder dead = PositionSet.builder();
    for (int i = 1; i < 9_000; i += deadEvery) {
      dead.add(i);
    }
    PositionSet gone = dead.build();
    DataFileRows reader = new DataFileRows(memory.table);
    List<String> expected = new ArrayList<>();
    try (CloseableIterable<StructLike> records = reader.open(task, schema)) {
      long position = 0;
      for (StructLike record : records) {
        if (!gone.contains(position)) {
          expected.add(text(position, schema, i -> record.get(i, Object.class)));
        }
        position++;
      }
    }
    List<String> seen = new ArrayList<>();
    long read = 0;
    try (BufferAllocator allocator = new RootAllocator();
        RowBatch batch = new RowBatch(schema, gone, allocator);
        CloseableIterable<RowBatch> batches = reader.read(task, batch, Expressions.alwaysTrue())) {
      for (RowBatch next : batches) {
        read += next.rowsRead();
        for (int row = 0; row < next.rows(); row++) {
          int at = row;
          seen.add(
              text(
                  next.position(row),
                  schema,
                  i ->
                      VectorValues.get(
                          next.columns().getVector(i), schema.columns().get(i).type(), at)));
        }
      }
    }
    assertThat(read).isEqualTo(9_000);
    assertThat(seen).isEqualTo(expected);
  }

  private interface Values {
    @Nullable Object at(int column);
  }

  private static String text(long position, Schema schema, Values values) {
    StringBuilder text = new StringBuilder().append(position);
    for (int i = 0; i < schema.columns().size(); i++) {
      Object value = values.at(i);
      text.append(' ')
          .append(
              value instanceof ByteBuffer bytes
                  ? new java.math.BigInteger(1, array(bytes)).toString(16) + "/" + bytes.remaining()
                  : String.valueOf(value));
    }
    return text.toString();
  }

  private static byte[] array(ByteBuffer bytes) {
    byte[] array = new byte[bytes.remaining()];
    bytes.duplicate().get(array);
    return array;
  }

  private static Record row(MemoryTable memory, int i, int v) {
    Object[] values = {
      (long) i,
      v,
      v * 3_000_000_000L,
      v / 7f,
      v / 7d,
      v % 2 == 0,
      "text " + v,
      ByteBuffer.wrap(Integer.toString(v).getBytes(java.nio.charset.StandardCharsets.UTF_8)),
      LocalDate.ofEpochDay(v % 100_000),
      LocalTime.ofSecondOfDay(Math.floorMod(v, 86_400)),
      LocalDateTime.ofEpochSecond(v, 1_000, ZoneOffset.UTC),
      LocalDateTime.ofEpochSecond(v, 2_000, ZoneOffset.UTC).atOffset(ZoneOffset.UTC),
      LocalDateTime.ofEpochSecond(v, 3, ZoneOffset.UTC),
      BigDecimal.valueOf(v % 10_000_000, 2),
      BigDecimal.valueOf(v, 4),
      new UUID(v, i),
      new byte[] {(byte) v, (byte) (v >> 8), 7},
      v,
      v / 3f,
      null
    };
    // runs of nulls in each column, of another rhythm each
    for (int column = 1; column < values.length; column++) {
      if (column != 17 && (i / 3 + column) % (column + 2) == 0) {
        values[column] = null;
      }
    }
    return memory.record(values);
  }

  @ParameterizedTest
  @ValueSource(strings = {"i > 0 OR f < 1 OR d > 3", "s < 'text 5'", "nanos IS NULL AND l = 5"})
  void aDamagedFileIsAnErrorThatNamesIt(String where) throws IOException {
    MemoryTable memory =
        MemoryTable.create(
            3,
            SCHEMA,
            PartitionSpec.unpartitioned(),
            Map.of("write.parquet.compression-codec", "uncompressed"));
    List<Record> rows = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      rows.add(row(memory, i, i * 31));
    }
    memory.append(rows);
    String location = memory.dataFiles().get(0).location();
    byte[] whole = memory.files.bytes(location);
    Random random = new Random(5);
    int errors = 0;
    try (BufferAllocator allocator = new RootAllocator()) {
      for (int i = 0; i < 200; i++) {
        byte[] damaged = whole.clone();
        for (int at = random.nextInt(whole.length - 40), n = 0; n < 1 + i % 32; n++) {
          damaged[at + n] = (byte) random.nextInt();
        }
        memory.files.put(location, damaged);
        RowDeletes deletes = new RowDeletes(memory.table, allocator);
        try {
          deletes.planRowDeletes(deletes.matcher(where));
        } catch (IOException | RuntimeException e) {
          assertThat(e).as("damage %d", i).hasStackTraceContaining(location);
          errors++;
        }
      }
    }
    assertThat(errors).isPositive();
  }
}
