package dev.narwhal.lance.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every {@link ObjectStore} promises; each implementation's test extends it. */
abstract class ObjectStoreContract {
  /** A new, empty store on every call. */
  abstract ObjectStore newStore() throws IOException;

  @Test
  void givesBackWhatWasPut() throws IOException {
    ObjectStore store = newStore();
    store.put("a/b/c.bin", bytes("hello"));

    ByteBuffer read = store.read("a/b/c.bin");
    assertThat(text(read)).isEqualTo("hello");
    assertThat(read.isReadOnly()).isTrue();
    assertThat(read.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThat(read.position()).isZero();
  }

  @Test
  void putLeavesTheCallersBufferAlone() throws IOException {
    ObjectStore store = newStore();
    ByteBuffer source = bytes("xxhelloyy").position(2).limit(7);
    store.put("plain", source);
    store.putIfAbsent("exclusive", source);

    assertThat(source.position()).isEqualTo(2);
    assertThat(source.limit()).isEqualTo(7);
    assertThat(text(store.read("plain"))).isEqualTo("hello");
    assertThat(text(store.read("exclusive"))).isEqualTo("hello");
  }

  @Test
  void laterChangesOfTheCallersBytesDoNotReachTheObject() throws IOException {
    ObjectStore store = newStore();
    byte[] source = "hello".getBytes(UTF_8);
    store.put("a", ByteBuffer.wrap(source));
    Arrays.fill(source, (byte) 'x');
    assertThat(text(store.read("a"))).isEqualTo("hello");
  }

  @Test
  void attributesTellSizeAndAge() throws IOException {
    ObjectStore store = newStore();
    Instant before = Instant.now().minusSeconds(60);
    store.put("a/b", bytes("hello"));
    ObjectAttributes attributes = store.attributes("a/b");
    assertThat(attributes.sizeBytes()).isEqualTo(5);
    assertThat(attributes.lastModified()).isBetween(before, Instant.now().plusSeconds(60));
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> store.attributes("a/missing"))
        .withMessageContaining("missing");
    assertThatIllegalArgumentException().isThrownBy(() -> store.attributes("../b"));
  }

  @Test
  void pruneTakesDirectoriesWithoutObjectsAndNoObject() throws IOException {
    ObjectStore store = newStore();
    store.put("a/b/c/d", bytes("x"));
    store.put("a/b/e", bytes("y"));
    store.delete("a/b/c/d");
    store.prune("a/b");
    assertThat(store.list("a/b")).containsExactly("e");
    store.delete("a/b/e");
    store.prune("a/b");
    assertThat(store.list("a")).isEmpty();
    assertThat(store.list("")).doesNotContain("a");
    store.prune("never/there");
    assertThatIllegalArgumentException().isThrownBy(() -> store.prune(""));
    assertThatIllegalArgumentException().isThrownBy(() -> store.prune("../a"));
  }

  @Test
  void putReplaces() throws IOException {
    ObjectStore store = newStore();
    store.put("a", bytes("first, longer"));
    store.put("a", bytes("second"));
    assertThat(text(store.read("a"))).isEqualTo("second");
  }

  @Test
  void anObjectWrittenInPartsAppearsWhenItIsFinished() throws IOException {
    ObjectStore store = newStore();
    ByteBuffer part = bytes("xxhel").position(2);
    try (ObjectWriter writer = store.create("a/b")) {
      writer.write(part);
      assertThat(part.position()).isEqualTo(2);
      writer.write(bytes("lo"));
      assertThat(writer.sizeBytes()).isEqualTo(5);
      assertThat(writer.path()).endsWith("a/b");
      assertThat(store.exists("a/b")).isFalse();
      writer.finish();
      assertThatExceptionOfType(IOException.class).isThrownBy(() -> writer.write(bytes("x")));
    }
    assertThat(text(store.read("a/b"))).isEqualTo("hello");
    assertThat(store.list("a")).containsExactly("b");
  }

  @Test
  void anObjectThatIsNotFinishedLeavesNothing() throws IOException {
    ObjectStore store = newStore();
    store.put("a/b", bytes("old"));
    ObjectWriter writer = store.create("a/b");
    writer.write(bytes("new"));
    writer.close();
    writer.close();
    assertThatExceptionOfType(IOException.class).isThrownBy(writer::finish);
    assertThat(text(store.read("a/b"))).isEqualTo("old");
    assertThat(store.list("a")).containsExactly("b");
  }

  @Test
  void keepsEmptyObjects() throws IOException {
    ObjectStore store = newStore();
    store.put("a", bytes(""));
    assertThat(store.exists("a")).isTrue();
    assertThat(store.read("a").remaining()).isZero();
  }

  @Test
  void putIfAbsentCreatesOnceAndKeepsTheFirst() throws IOException {
    ObjectStore store = newStore();
    assertThat(store.putIfAbsent("v/1", bytes("first"))).isTrue();
    assertThat(store.putIfAbsent("v/1", bytes("second"))).isFalse();
    assertThat(text(store.read("v/1"))).isEqualTo("first");
    assertThat(store.list("v")).containsExactly("1");
  }

  @Test
  void missingObjectIsNamed() throws IOException {
    ObjectStore store = newStore();
    store.put("there/is/one", bytes("x"));
    for (String path : List.of("no/such", "there/is/no", "there")) {
      assertThat(store.exists(path)).as(path).isFalse();
    }
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> store.read("no/such"))
        .withMessageContaining("no/such");
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> store.open("there/is/no"))
        .withMessageContaining("there/is/no");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> store.read("there/is"))
        .withMessageContaining("there/is");
  }

  @Test
  void deleteRemovesAndIsSilentWithoutOne() throws IOException {
    ObjectStore store = newStore();
    store.put("d/a", bytes("x"));
    store.put("d/b", bytes("y"));
    store.delete("d/a");
    store.delete("d/a");
    store.delete("never/was");
    assertThat(store.exists("d/a")).isFalse();
    assertThat(store.list("d")).containsExactly("b");
    assertThat(store.putIfAbsent("d/a", bytes("again"))).isTrue();
  }

  @Test
  void listsNamesDirectlyBelow() throws IOException {
    ObjectStore store = newStore();
    store.put("top", bytes("1"));
    store.put("v/1", bytes("1"));
    store.put("v/2", bytes("1"));
    store.put("v/deep/3", bytes("1"));
    store.put("vv/4", bytes("1"));

    assertThat(store.list("")).containsExactlyInAnyOrder("top", "v", "vv");
    assertThat(store.list("v")).containsExactlyInAnyOrder("1", "2", "deep");
    assertThat(store.list("v/deep")).containsExactly("3");
    assertThat(store.list("none")).isEmpty();
    assertThat(store.list("none/below")).isEmpty();
  }

  @Test
  void emptyStoreListsNothing() throws IOException {
    assertThat(newStore().list("")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/etc/passwd",
        "..",
        "../outside",
        "a/../../outside",
        "a/..",
        ".",
        "./a",
        "a/./b",
        "a//b",
        "a/",
        "//a",
        "a\\b",
        "..\\outside",
        "C:\\x",
        "a\0b"
      })
  void refusesPathsThatCouldLeaveTheRoot(String path) throws IOException {
    ObjectStore store = newStore();
    List<Callable<?>> calls =
        List.of(
            () -> store.open(path),
            () -> store.read(path),
            () -> store.exists(path),
            () -> store.putIfAbsent(path, bytes("x")),
            () -> {
              store.put(path, bytes("x"));
              return "";
            },
            () -> {
              store.delete(path);
              return "";
            });
    for (Callable<?> call : calls) {
      assertThatIllegalArgumentException().isThrownBy(call::call).withMessageContaining("path");
    }
    if (!path.isEmpty()) {
      assertThatIllegalArgumentException().isThrownBy(() -> store.list(path));
    }
    assertThat(store.list("")).isEmpty();
  }

  @Test
  void readsRangesIntoHeapAndDirectBuffers() throws IOException {
    ObjectStore store = newStore();
    byte[] content = new byte[3_000_000];
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) ((i * 31) >> 3);
    }
    store.put("big", ByteBuffer.wrap(content));

    try (ObjectReader reader = store.open("big")) {
      assertThat(reader.sizeBytes()).isEqualTo(content.length);
      assertThat(reader.path()).endsWith("big");
      for (ByteBuffer target :
          List.of(ByteBuffer.allocate(2_500_000), ByteBuffer.allocateDirect(2_500_000))) {
        target.position(7).limit(2_400_007);
        reader.readFully(12_345, target);
        assertThat(target.position()).isEqualTo(2_400_007);
        assertThat(target.limit()).isEqualTo(2_400_007);
        target.position(7);
        assertThat(target).isEqualTo(ByteBuffer.wrap(content, 12_345, 2_400_000));
      }
      reader.readFully(content.length, ByteBuffer.allocate(0));
    }
  }

  @Test
  void readPastTheEndIsAnEofThatNamesTheObject() throws IOException {
    ObjectStore store = newStore();
    store.put("a", bytes("12345"));
    try (ObjectReader reader = store.open("a")) {
      for (long position : new long[] {3, 5, 6, 1L << 40}) {
        assertThatExceptionOfType(EOFException.class)
            .isThrownBy(() -> reader.readFully(position, ByteBuffer.allocate(3)))
            .withMessageContaining("/a");
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() -> reader.readFully(-1, ByteBuffer.allocate(1)));
    }
  }

  @Test
  void closedReaderDoesNotRead() throws IOException {
    ObjectStore store = newStore();
    store.put("a", bytes("12345"));
    ObjectReader reader = store.open("a");
    reader.close();
    reader.close();
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> reader.readFully(0, ByteBuffer.allocate(3)));
  }

  @Test
  void oneReaderServesManyThreads() throws Exception {
    ObjectStore store = newStore();
    ByteBuffer numbers = ByteBuffer.allocate(80_000).order(ByteOrder.LITTLE_ENDIAN);
    for (long i = 0; i < 10_000; i++) {
      numbers.putLong(i);
    }
    store.put("numbers", numbers.flip());
    try (ObjectReader reader = store.open("numbers")) {
      inParallel(
          8,
          thread -> {
            ByteBuffer target = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
            for (long i = thread; i < 10_000; i += 8) {
              reader.readFully(i * 8, target.clear());
              assertThat(target.flip().getLong()).isEqualTo(i);
            }
          });
    }
  }

  @Test
  void ofManyPutIfAbsentExactlyOneWinsAndNobodySeesAPart() throws Exception {
    ObjectStore store = newStore();
    int rounds = 20;
    int threads = 8;
    for (int round = 0; round < rounds; round++) {
      String path = "v/" + round;
      AtomicInteger winners = new AtomicInteger();
      AtomicInteger winner = new AtomicInteger(-1);
      inParallel(
          threads,
          thread -> {
            byte[] content = new byte[200_000];
            Arrays.fill(content, (byte) thread);
            if (store.putIfAbsent(path, ByteBuffer.wrap(content))) {
              winners.incrementAndGet();
              winner.set(thread);
            }
            assertWholeAndUniform(store.read(path), content.length);
          });
      assertThat(winners).hasValue(1);
      assertThat(store.read(path).get(0)).isEqualTo((byte) winner.get());
    }
    assertThat(store.list("v")).hasSize(rounds);
  }

  @Test
  void readersSeeTheOldBytesOrTheNewNeverAMix() throws Exception {
    ObjectStore store = newStore();
    byte[] content = new byte[200_000];
    store.put("a", ByteBuffer.wrap(content));
    inParallel(
        4,
        thread -> {
          byte[] mine = new byte[content.length];
          Arrays.fill(mine, (byte) thread);
          for (int i = 0; i < 25; i++) {
            store.put("a", ByteBuffer.wrap(mine));
            assertWholeAndUniform(store.read("a"), content.length);
          }
        });
    assertThat(store.list("")).containsExactly("a");
  }

  interface Work {
    void run(int thread) throws Exception;
  }

  static void inParallel(int threads, Work work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CyclicBarrier start = new CyclicBarrier(threads);
      List<Future<?>> results = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        results.add(
            pool.submit(
                () -> {
                  start.await();
                  work.run(thread);
                  return null;
                }));
      }
      for (Future<?> result : results) {
        result.get();
      }
    } finally {
      pool.shutdownNow();
    }
  }

  static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  static String text(ByteBuffer bytes) {
    return UTF_8.decode(bytes.duplicate()).toString();
  }

  private static void assertWholeAndUniform(ByteBuffer bytes, int size) {
    assertThat(bytes.remaining()).isEqualTo(size);
    byte first = bytes.get(0);
    for (int i = 0; i < size; i++) {
      if (bytes.get(i) != first) {
        throw new AssertionError("byte " + i + " is " + bytes.get(i) + " after " + first);
      }
    }
  }
}
