package dev.narwhal.lance.scan;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/** Batches of rows, in order. One thread; whoever reads closes, also after a failure. */
public final class BatchReader implements AutoCloseable {
  private final Schema schema;
  private final OrderedTasks<Optional<VectorSchemaRoot>> tasks;
  private final WindowTasks<?> windows;
  private long toSkip;
  private long left;
  private Optional<VectorSchemaRoot> current = Optional.empty();

  BatchReader(
      Schema schema,
      OrderedTasks<Optional<VectorSchemaRoot>> tasks,
      WindowTasks<?> windows,
      long offset,
      OptionalLong limit) {
    this.schema = schema;
    this.tasks = tasks;
    this.windows = windows;
    this.toSkip = offset;
    this.left = limit.orElse(Long.MAX_VALUE);
  }

  public Schema schema() {
    return schema;
  }

  /**
   * Moves to the next batch, which has at least one row; the one before is closed.
   *
   * @return whether there is one
   */
  public boolean next() throws IOException {
    closeCurrent();
    while (left > 0) {
      Optional<Optional<VectorSchemaRoot>> result = tasks.next();
      if (result.isEmpty()) {
        return false;
      }
      if (result.get().isPresent() && accept(result.get().get())) {
        return true;
      }
    }
    return false;
  }

  /**
   * The batch that {@link #next} found. It stays this reader's, and is valid until the next call.
   *
   * @throws IllegalStateException when there is none
   */
  public VectorSchemaRoot batch() {
    return current.orElseThrow(() -> new IllegalStateException("no batch: call next() first"));
  }

  @Override
  public void close() throws IOException {
    closeCurrent();
    try {
      tasks.close();
    } finally {
      windows.close();
    }
  }

  /** Cuts what is skipped and what is past the limit; false when nothing is left of the batch. */
  private boolean accept(VectorSchemaRoot batch) {
    int rows = batch.getRowCount();
    int from = (int) Math.min(rows, toSkip);
    int count = (int) Math.min(rows - from, left);
    toSkip -= from;
    left -= count;
    if (count == rows) {
      current = Optional.of(batch);
      return true;
    }
    try (batch) {
      current = count == 0 ? Optional.empty() : Optional.of(batch.slice(from, count));
    }
    return count > 0;
  }

  private void closeCurrent() {
    current.ifPresent(VectorSchemaRoot::close);
    current = Optional.empty();
  }
}
