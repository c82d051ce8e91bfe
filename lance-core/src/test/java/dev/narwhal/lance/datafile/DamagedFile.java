package dev.narwhal.lance.datafile;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.storage.MemoryObjectStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * A file that may be damaged, read in every way. What must not happen is an {@link AssertionError}:
 * an exception without a type of ours or without a name of the file, an invalid vector, memory that
 * is not given back, or more of it than 64 MiB and 4 times the file, on the heap or off.
 */
final class DamagedFile {
  private static final String NAME = "damaged.lance";
  private static final long FREE_BYTES = 64 << 20;
  private static final int MAX_ROWS = 4096;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final byte[] bytes;
  private final long maxBytes;

  private DamagedFile(byte[] bytes) {
    this.bytes = bytes;
    this.maxBytes = FREE_BYTES + 4L * bytes.length;
  }

  /**
   * Reads the file.
   *
   * @param damage what is wrong with it, for messages
   * @return why it cannot be read; empty when it can, as far as the format can tell
   */
  static Optional<RuntimeException> read(byte[] bytes, String damage) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    DamagedFile file = new DamagedFile(bytes);
    Optional<RuntimeException> failure;
    try {
      failure = file.read();
    } catch (IOException | RuntimeException | StackOverflowError | AssertionError e) {
      throw new AssertionError(damage + ": " + e, e);
    }
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before)
        .as("%s: bytes of heap", damage)
        .isLessThan(file.maxBytes);
    failure.ifPresent(
        e ->
            assertThat(e)
                .as(damage)
                .hasMessageStartingWith("memory:/" + NAME)
                // the safety net is for faults that no test knows yet
                .hasMessageNotContaining("inconsistent page"));
    return failure;
  }

  private Optional<RuntimeException> read() throws IOException {
    MemoryObjectStore store = new MemoryObjectStore("");
    store.put(NAME, ByteBuffer.wrap(bytes));
    Optional<RuntimeException> failure = Optional.empty();
    try (BufferAllocator allocator = new RootAllocator(maxBytes);
        LanceFile file = LanceFile.open(store.open(NAME))) {
      for (int column = 0; column < file.columnCount(); column++) {
        failure = first(failure, describe(file, column));
      }
      for (LanceField field : file.schema().topLevel()) {
        failure = first(failure, read(file, () -> file.column(field), allocator));
        if (field.isBlob()) {
          failure = first(failure, read(file, () -> file.column(field, BlobMode.BYTES), allocator));
        }
      }
    } catch (LanceFormatException | UnsupportedFeatureException e) {
      failure = first(failure, Optional.of(e));
    }
    return failure;
  }

  private static Optional<RuntimeException> describe(LanceFile file, int column)
      throws IOException {
    try {
      file.pages(column);
      return Optional.empty();
    } catch (LanceFormatException | UnsupportedFeatureException e) {
      return Optional.of(e);
    }
  }

  private static Optional<RuntimeException> read(
      LanceFile file, Opening opening, BufferAllocator allocator) throws IOException {
    Optional<RuntimeException> failure = Optional.empty();
    int rows = (int) Math.min(file.rows(), MAX_ROWS);
    try {
      ColumnReader reader = opening.column();
      // a failure of one row must not keep others from being tried
      failure = first(failure, check(() -> reader.read(0, rows, allocator), rows));
      failure = first(failure, check(() -> reader.read(rows / 3, rows / 2, allocator), rows / 2));
      if (rows > 2) {
        int[] offsets = {0, rows / 2, rows - 1};
        failure = first(failure, check(() -> reader.take(0, offsets, allocator), 3));
      }
      if (file.rows() > rows) {
        failure = first(failure, check(() -> reader.read(file.rows() - 1, 1, allocator), 1));
      }
    } catch (LanceFormatException | UnsupportedFeatureException e) {
      failure = first(failure, Optional.of(e));
    }
    return failure;
  }

  private interface Opening {
    ColumnReader column() throws IOException;
  }

  private interface Reading {
    FieldVector vector() throws IOException;
  }

  private static Optional<RuntimeException> check(Reading reading, int rows) throws IOException {
    try (FieldVector vector = reading.vector()) {
      assertThat(vector.getValueCount()).isEqualTo(rows);
      VectorChecks.check(vector);
      return Optional.empty();
    } catch (LanceFormatException | UnsupportedFeatureException e) {
      return Optional.of(e);
    }
  }

  private static Optional<RuntimeException> first(
      Optional<RuntimeException> known, Optional<RuntimeException> other) {
    return known.isPresent() ? known : other;
  }
}
