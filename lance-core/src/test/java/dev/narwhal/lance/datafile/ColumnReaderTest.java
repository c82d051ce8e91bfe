package dev.narwhal.lance.datafile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.schema.FieldTree;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.MemoryObjectStore;
import dev.narwhal.lance.storage.ObjectReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ColumnReaderTest {
  private static final int ADDED_ID = 77;

  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void leaksNothing() {
    allocator.close();
  }

  @Test
  void refusesRowsThatAreNotThere() throws IOException {
    try (LanceFile file = FileFixture.bundled("2.1", "i32_small").open()) {
      ColumnReader reader = onlyColumn(file);
      int rows = (int) file.rows();
      for (Callable<FieldVector> call :
          List.<Callable<FieldVector>>of(
              () -> reader.read(-1, 1, allocator),
              () -> reader.read(0, rows + 1, allocator),
              () -> reader.read(rows, 1, allocator),
              () -> reader.read(0, -1, allocator),
              () -> reader.read(Long.MAX_VALUE, 1, allocator),
              () -> reader.take(0, new int[] {rows}, allocator),
              () -> reader.take(1, new int[] {0, rows - 1}, allocator),
              () -> reader.take(0, new int[] {2, 1}, allocator),
              () -> reader.take(0, new int[] {1, 1}, allocator),
              () -> reader.take(0, new int[] {-1}, allocator),
              () -> reader.take(Long.MAX_VALUE, new int[] {1}, allocator))) {
        assertThatIllegalArgumentException().isThrownBy(call::call);
      }
    }
  }

  @Test
  void givesEmptyVectorsForNoRows() throws IOException {
    try (LanceFile file = FileFixture.bundled("2.1", "str_few").open()) {
      ColumnReader reader = onlyColumn(file);
      try (FieldVector read = reader.read(file.rows(), 0, allocator);
          FieldVector taken = reader.take(0, new int[0], allocator)) {
        assertThat(read.getValueCount()).isZero();
        assertThat(taken.getValueCount()).isZero();
      }
    }
  }

  @Test
  void refusesColumnsThatAreNotThere() throws IOException {
    try (LanceFile file = FileFixture.bundled("2.1", "i32_small").open()) {
      FieldTree tree = FieldTree.topLevel(file.schema()).get(0);
      for (int column : new int[] {-2, -1, 1}) {
        assertThatIllegalArgumentException().isThrownBy(() -> file.column(tree, id -> column));
      }
    }
  }

  @Test
  void servesManyThreadsAtOnce() throws Exception {
    try (LanceFile file = FileFixture.bundled("2.1", "str_dict").open()) {
      ColumnReader reader = onlyColumn(file);
      List<@Nullable Object> rows = values(reader.read(0, (int) file.rows(), allocator));
      ColumnReader fresh = onlyColumn(file);
      ExecutorService threads = Executors.newFixedThreadPool(4);
      try {
        List<Future<?>> futures = new ArrayList<>();
        for (int seed = 0; seed < 8; seed++) {
          Random random = new Random(seed);
          futures.add(
              threads.submit(
                  () -> {
                    for (int i = 0; i < 50; i++) {
                      int first = random.nextInt(rows.size());
                      int count = random.nextInt(rows.size() - first);
                      assertThat(values(fresh.read(first, count, allocator)))
                          .isEqualTo(rows.subList(first, first + count));
                    }
                    return null;
                  }));
        }
        for (Future<?> future : futures) {
          future.get();
        }
      } finally {
        threads.shutdown();
      }
    }
  }

  @Test
  void takesByReadingOnlyTheChunksTouched() throws IOException {
    Counting counting = new Counting(reader(FileFixture.bundled("2.1", "i32_null").bytes()));
    try (LanceFile file = LanceFile.open(counting)) {
      ColumnReader reader = onlyColumn(file);
      long page = file.pages(0).get(0).sizeBytes();
      // the first call reads the chunk table too
      values(reader.take(0, new int[] {0}, allocator));
      long before = counting.bytes.get();
      values(reader.take(0, new int[] {5000}, allocator));
      assertThat(counting.bytes.get() - before).isBetween(1L, page / 5);
    }
  }

  @Test
  void takesListsByReadingOnlyTheChunksTouched() throws IOException {
    Counting counting = new Counting(reader(FileFixture.bundled("2.2", "list").bytes()));
    try (LanceFile file = LanceFile.open(counting)) {
      ColumnReader reader = onlyColumn(file);
      long page = file.pages(0).get(0).sizeBytes();
      // the first call reads chunk table and repetition index too
      values(reader.take(0, new int[] {0}, allocator));
      long before = counting.bytes.get();
      values(reader.take(0, new int[] {(int) file.rows() / 2}, allocator));
      assertThat(counting.bytes.get() - before).isBetween(1L, page / 3);
    }
  }

  @Test
  void readsRunsOfChunksAtOnce() throws IOException {
    Counting counting = new Counting(reader(FileFixture.bundled("2.1", "i32_null").bytes()));
    try (LanceFile file = LanceFile.open(counting)) {
      ColumnReader reader = onlyColumn(file);
      values(reader.read(0, 1, allocator));
      int before = counting.reads.get();
      values(reader.read(0, (int) file.rows(), allocator));
      assertThat(counting.reads.get() - before).isEqualTo(1);
    }
  }

  @Test
  void takesOnlyTheItemsOfTakenLists() throws IOException {
    Counting counting = new Counting(reader(FileFixture.bundled("2.0", "list_const").bytes()));
    try (LanceFile file = LanceFile.open(counting)) {
      ColumnReader reader = onlyColumn(file);
      List<@Nullable Object> rows = values(reader.read(0, (int) file.rows(), allocator));
      int[] offsets = {3, 400};
      long before = counting.bytes.get();
      assertThat(values(reader.take(0, offsets, allocator)))
          .isEqualTo(ColumnValues.pick(rows, offsets));
      // an end before and an end for each list, and what lies between items that are near
      assertThat(counting.bytes.get() - before).isBetween(3 * 8L, 450 * 8L);
    }
  }

  @Test
  void givesNullsForChildrenThatTheFileDoesNotHold() throws IOException {
    try (LanceFile file = FileFixture.bundled("2.0", "struct_allnull").open()) {
      FieldTree tree = FieldTree.topLevel(file.schema()).get(0);
      FieldTree added =
          new FieldTree(
              tree.field(),
              Stream.concat(tree.children().stream(), Stream.of(addedTo(tree))).toList());
      ColumnReader reader = file.column(added, id -> id == ADDED_ID ? -1 : id - tree.field().id());
      try (FieldVector vector = reader.read(0, 10, allocator)) {
        List<FieldVector> children = vector.getChildrenFromFields();
        assertThat(children).hasSize(tree.children().size() + 1);
        assertThat(children.get(children.size() - 1).getNullCount()).isEqualTo(10);
      }
    }
  }

  private static FieldTree addedTo(FieldTree tree) {
    return new FieldTree(
        new LanceField(
            ADDED_ID, tree.field().id(), "added", "int64", true, Map.of(), UnknownFields.none()),
        List.of());
  }

  @Test
  void closesTheReaderOfAFileThatDoesNotOpen() throws IOException {
    Counting counting = new Counting(reader(new byte[100]));
    assertThatThrownBy(() -> LanceFile.open(counting)).isInstanceOf(LanceFormatException.class);
    assertThat(counting.closes).hasValue(1);
  }

  private static ColumnReader onlyColumn(LanceFile file) throws IOException {
    LanceField field = file.schema().topLevel().get(0);
    return file.column(field);
  }

  private static List<@Nullable Object> values(FieldVector vector) {
    try (vector) {
      return ColumnValues.of(vector);
    }
  }

  private static ObjectReader reader(byte[] bytes) throws IOException {
    MemoryObjectStore store = new MemoryObjectStore();
    store.put("file.lance", ByteBuffer.wrap(bytes));
    return store.open("file.lance");
  }

  private static final class Counting implements ObjectReader {
    private final ObjectReader reader;
    final AtomicInteger reads = new AtomicInteger();
    final AtomicLong bytes = new AtomicLong();
    final AtomicInteger closes = new AtomicInteger();

    Counting(ObjectReader reader) {
      this.reader = reader;
    }

    @Override
    public String path() {
      return reader.path();
    }

    @Override
    public long sizeBytes() {
      return reader.sizeBytes();
    }

    @Override
    public void readFully(long position, ByteBuffer target) throws IOException {
      reads.incrementAndGet();
      bytes.addAndGet(target.remaining());
      reader.readFully(position, target);
    }

    @Override
    public void close() throws IOException {
      closes.incrementAndGet();
      reader.close();
    }
  }
}
