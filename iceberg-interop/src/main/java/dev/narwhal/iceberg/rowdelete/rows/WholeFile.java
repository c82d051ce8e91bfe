package dev.narwhal.iceberg.rowdelete.rows;

import java.io.IOException;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.CloseableIterator;

/**
 * All rows of a data file, which must be as many as its table says: whoever takes rows by positions
 * would else leave the ones behind that nobody counted. The end of a reading tells.
 */
final class WholeFile<T> implements CloseableIterable<T> {
  private final DataFile file;
  private final CloseableIterable<T> rows;

  WholeFile(DataFile file, CloseableIterable<T> rows) {
    this.file = file;
    this.rows = rows;
  }

  @Override
  public CloseableIterator<T> iterator() {
    CloseableIterator<T> iterator = rows.iterator();
    return new CloseableIterator<>() {
      private long count;

      @Override
      public boolean hasNext() {
        boolean more = iterator.hasNext();
        if (!more && count != file.recordCount()) {
          throw DamagedDataFileException.ofRows(
              file.location(), Long.toString(count), file.recordCount());
        }
        return more;
      }

      @Override
      public T next() {
        T row = iterator.next();
        count++;
        return row;
      }

      @Override
      public void close() throws IOException {
        iterator.close();
      }
    };
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
