package dev.narwhal.lance.write.merge;

import java.io.Closeable;
import java.io.IOException;

/** Pairs of one sorted run, one after the other. One thread. */
sealed interface PairSource extends Closeable {
  /** Moves to the next pair; false after the last. */
  boolean next() throws IOException;

  /** Number of the source row. */
  long row();

  /** Row address in the table. */
  long address();

  /** Pairs in memory. */
  final class Arrays implements PairSource {
    private final long[] rows;
    private final long[] addresses;
    private int at = -1;

    Arrays(long[] rows, long[] addresses) {
      this.rows = rows;
      this.addresses = addresses;
    }

    @Override
    public boolean next() {
      at++;
      return at < rows.length;
    }

    @Override
    public long row() {
      return rows[at];
    }

    @Override
    public long address() {
      return addresses[at];
    }

    @Override
    public void close() {}
  }

  /** Pairs in a temporary file: both numbers of each, as longs. */
  final class File implements PairSource {
    private final SpillReader in;
    private long row;
    private long address;

    File(SpillReader in) {
      this.in = in;
    }

    @Override
    public boolean next() throws IOException {
      if (!in.hasMore()) {
        return false;
      }
      row = in.getLong();
      address = in.getLong();
      return true;
    }

    @Override
    public long row() {
      return row;
    }

    @Override
    public long address() {
      return address;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
