package dev.narwhal.iceberg.rowdelete.rows;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.util.function.Supplier;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.CloseableIterator;

/** What is read of one file, with errors that name it: Parquet's readers leave that out. */
final class NamedReading<T> implements CloseableIterable<T> {
  private final String location;
  private final CloseableIterable<T> rows;

  NamedReading(String location, CloseableIterable<T> rows) {
    this.location = location;
    this.rows = rows;
  }

  @Override
  public CloseableIterator<T> iterator() {
    CloseableIterator<T> iterator = named(rows::iterator);
    return new CloseableIterator<>() {
      @Override
      public boolean hasNext() {
        return named(iterator::hasNext);
      }

      @Override
      public T next() {
        return named(iterator::next);
      }

      @Override
      public void close() throws IOException {
        iterator.close();
      }
    };
  }

  private <R> R named(Supplier<R> step) {
    try {
      return step.get();
    } catch (NotFoundException | UnsupportedFeatureException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new DamagedDataFileException(location, "cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
