package dev.narwhal.iceberg.table;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.CloseableIterator;

/** What is read of one file, with errors that name it: Parquet's readers leave that out. */
public final class NamedReading<T> implements CloseableIterable<T> {
  /** Makes the error of a file whose content cannot be read. */
  public interface Damage {
    /**
     * The error to throw.
     *
     * @param problem a clause about the file
     */
    RuntimeException of(String problem, RuntimeException cause);
  }

  private final CloseableIterable<T> rows;
  private final Damage damage;

  public NamedReading(CloseableIterable<T> rows, Damage damage) {
    this.rows = rows;
    this.damage = damage;
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
    } catch (UnsupportedFeatureException e) {
      throw e;
    } catch (NotFoundException e) {
      throw new NotFoundException(
          e,
          "%s; restore the file, or roll the table back to a snapshot that does not need it",
          e.getMessage());
    } catch (RuntimeException e) {
      throw damage.of("cannot be read: " + reason(e), e);
    }
  }

  /** The error and what it comes from in the end: the readers' outermost errors say little. */
  private static String reason(RuntimeException error) {
    Throwable root = error;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String outer = Objects.requireNonNullElse(error.getMessage(), error.getClass().getSimpleName());
    String inner = Objects.requireNonNullElse(root.getMessage(), root.getClass().getSimpleName());
    return outer.contains(inner) ? outer : outer + " (" + inner + ")";
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
