package dev.narwhal.lance.write.merge;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.scan.ScanOptions;
import dev.narwhal.lance.storage.MemoryObjectStore;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.write.RowSource;
import dev.narwhal.lance.write.insert.InsertOptions;
import dev.narwhal.lance.write.insert.NewDataset;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A table in memory for tests of merges: {@code id} and {@code text}, and {@code n} without nulls.
 */
final class MergeTable implements AutoCloseable {
  static final Field ID = Field.nullable("id", new ArrowType.Int(64, true));
  static final Field TEXT = Field.nullable("text", new ArrowType.Utf8());
  static final Field N = Field.notNullable("n", new ArrowType.Int(32, true));
  static final Schema SCHEMA = new Schema(List.of(ID, TEXT, N));

  final MemoryObjectStore store = new MemoryObjectStore();
  final BufferAllocator allocator = new RootAllocator();

  /** A table of rows with ids from 0 on, {@code text = "old" + id}, {@code n = id}. */
  static MergeTable of(int rows, InsertOptions options) throws IOException {
    MergeTable table = new MergeTable();
    Object[][] values = new Object[rows][];
    for (int i = 0; i < rows; i++) {
      values[i] = new Object[] {(long) i, "old" + i, i};
    }
    try (VectorSchemaRoot batch = table.batch(SCHEMA, values)) {
      new NewDataset(table.store).withOptions(options).write(RowSource.of(batch));
    }
    return table;
  }

  Dataset open() throws IOException {
    return open(store);
  }

  Dataset open(ObjectStore through) throws IOException {
    return Dataset.open("memory", VersionSelector.latest(), place -> through, allocator);
  }

  /** A store that runs something once, right before a manifest is first put through it. */
  ObjectStore beforeFirstPut(ThrowingRunnable first) {
    AtomicBoolean done = new AtomicBoolean();
    return (ObjectStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("putIfAbsent")
                  && ((String) arguments[0]).startsWith("_versions/")
                  && done.compareAndSet(false, true)) {
                first.run();
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** What another writer does meanwhile. */
  @FunctionalInterface
  interface ThrowingRunnable {
    void run() throws IOException;
  }

  /** Upserts rows of all columns by id. */
  MergeResult upsert(Dataset dataset, Object[]... rows) throws IOException {
    return merge(dataset.mergeInsert("id").whenMatched(WhenMatched.updateAll()), SCHEMA, rows);
  }

  MergeResult merge(MergeInsert merge, Schema schema, Object[]... rows) throws IOException {
    try (VectorSchemaRoot batch = batch(schema, rows)) {
      return merge.execute(RowSource.of(batch));
    }
  }

  /** A batch of longs, ints and texts; the caller closes it. */
  VectorSchemaRoot batch(Schema schema, Object[]... rows) {
    VectorSchemaRoot batch = VectorSchemaRoot.create(schema, allocator);
    batch.allocateNew();
    for (int row = 0; row < rows.length; row++) {
      for (int column = 0; column < rows[row].length; column++) {
        if (rows[row][column] != null) {
          set(batch.getVector(column), row, rows[row][column]);
        }
      }
    }
    batch.setRowCount(rows.length);
    return batch;
  }

  private static void set(FieldVector vector, int row, Object value) {
    if (vector instanceof BigIntVector longs) {
      longs.setSafe(row, (Long) value);
    } else if (vector instanceof IntVector ints) {
      ints.setSafe(row, (Integer) value);
    } else {
      ((VarCharVector) vector).setSafe(row, ((String) value).getBytes(StandardCharsets.UTF_8));
    }
  }

  static @Nullable Object[] row(@Nullable Object... values) {
    return values;
  }

  /** The newest version's rows as text, sorted; columns as asked for. */
  List<String> rows(String... columns) throws IOException {
    return rows(open(), columns);
  }

  List<String> rows(Dataset dataset, String... columns) throws IOException {
    List<String> rows = new ArrayList<>();
    try (BatchReader reader = dataset.scan(ScanOptions.of(List.of(columns))).read(allocator)) {
      while (reader.next()) {
        for (int row = 0; row < reader.batch().getRowCount(); row++) {
          List<String> values = new ArrayList<>();
          for (FieldVector vector : reader.batch().getFieldVectors()) {
            values.add("" + vector.getObject(row));
          }
          rows.add(String.join(" ", values));
        }
      }
    }
    rows.sort(null);
    return rows;
  }

  @Override
  public void close() {
    allocator.close();
  }
}
