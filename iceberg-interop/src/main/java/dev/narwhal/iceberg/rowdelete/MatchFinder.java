package dev.narwhal.iceberg.rowdelete;

import dev.narwhal.iceberg.deletes.ExistingDeletes;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.parquet.InternalReader;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.parquet.Parquet;

/**
 * Finds the live rows of data files that match, reading only the matcher's columns. Safe for use by
 * many threads.
 */
final class MatchFinder {
  private static final int BATCH_ROWS = 4096;

  private final Table table;
  private final RowMatcher matcher;
  private final BufferAllocator allocator;
  private final ExistingDeletes existing;
  private final Schema projection;

  MatchFinder(Table table, RowMatcher matcher, BufferAllocator allocator) {
    this.table = table;
    this.matcher = matcher;
    this.allocator = allocator;
    this.existing = new ExistingDeletes(table.io());
    this.projection = table.schema().select(matcher.columns());
    if (projection.columns().size() != matcher.columns().size()) {
      throw new IllegalArgumentException(
          "columns " + matcher.columns() + " of " + matcher.text() + " are not all in the table");
    }
  }

  /** What matches in a data file; empty where nothing that is alive does. */
  Optional<FileMatch> find(FileScanTask task) throws IOException {
    PositionSet dead = existing.of(task);
    if (dead.cardinality() == task.file().recordCount()) {
      return Optional.empty();
    }
    PositionSet matched = matching(task, dead);
    return matched.isEmpty() ? Optional.empty() : Optional.of(new FileMatch(task, dead, matched));
  }

  /** Live rows only: what a dead row would fail at, such as a division, is nobody's error. */
  private PositionSet matching(FileScanTask task, PositionSet dead) throws IOException {
    if (task.file().format() != FileFormat.PARQUET) {
      throw new UnsupportedFeatureException(
          "data file " + task.file().location() + " is no Parquet file");
    }
    Matches matches = new Matches(dead);
    try (RecordVectors vectors = new RecordVectors(projection, allocator)) {
      if (projection.columns().isEmpty()) {
        countThrough(task.file().recordCount(), vectors, matches);
      } else {
        readThrough(task, vectors, matches);
      }
    }
    if (matches.rows != task.file().recordCount()) {
      throw new IllegalStateException(
          "data file "
              + task.file().location()
              + " has "
              + matches.rows
              + " rows, the table's metadata says "
              + task.file().recordCount());
    }
    return matches.positions.build().minus(dead);
  }

  private void readThrough(FileScanTask task, RecordVectors vectors, Matches matches)
      throws IOException {
    try (CloseableIterable<StructLike> records = open(task)) {
      for (StructLike record : records) {
        if (matches.isNextAlive()) {
          vectors.add(record);
        }
        if (vectors.rows() == BATCH_ROWS) {
          matches.add(vectors);
        }
      }
      matches.add(vectors);
    }
  }

  /** A matcher that looks at no column needs no file to be read. */
  private void countThrough(long rows, RecordVectors vectors, Matches matches) {
    for (long left = rows; left > 0; left -= BATCH_ROWS) {
      int count = (int) Math.min(left, BATCH_ROWS);
      vectors.addEmpty(count);
      matches.addNeighbours(count);
      matches.add(vectors);
    }
  }

  private CloseableIterable<StructLike> open(FileScanTask task) {
    return Parquet.read(table.io().newInputFile(task.file().location()))
        .project(projection)
        .createReaderFunc(fileSchema -> InternalReader.create(projection, fileSchema))
        .reuseContainers()
        .build();
  }

  /** The matches of one file, batch after batch. */
  private final class Matches {
    private final PositionSet.Builder positions = PositionSet.builder();
    private final long[] bits = new long[BATCH_ROWS / Long.SIZE];
    private final PositionSet dead;

    /** Positions of the rows gathered. */
    private final long[] gathered = new long[BATCH_ROWS];

    private int count;

    /** Rows of the file that were read so far, dead ones too. */
    private long rows;

    Matches(PositionSet dead) {
      this.dead = dead;
    }

    /** Goes to the next row of the file; whether it is to be gathered. */
    private boolean isNextAlive() {
      long position = rows++;
      if (!dead.isEmpty() && dead.contains(position)) {
        return false;
      }
      gathered[count++] = position;
      return true;
    }

    /** Goes over rows that are gathered whether or not they are alive. */
    private void addNeighbours(int neighbours) {
      for (int i = 0; i < neighbours; i++) {
        gathered[count++] = rows++;
      }
    }

    /** Matches the rows gathered, and begins to gather anew. */
    private void add(RecordVectors vectors) {
      Arrays.fill(bits, 0);
      matcher.match(vectors.batch(), bits);
      int run = nextSet(bits, 0);
      while (run < BATCH_ROWS) {
        int end = nextClear(bits, run);
        addPositions(run, end);
        run = nextSet(bits, end);
      }
      count = 0;
      vectors.clear();
    }

    private void addPositions(int from, int to) {
      long first = gathered[from];
      if (gathered[to - 1] - first == to - 1 - from) {
        positions.addRange(first, first + to - from);
        return;
      }
      for (int i = from; i < to; i++) {
        positions.add(gathered[i]);
      }
    }
  }

  private static int nextSet(long[] bits, int from) {
    return next(bits, from, 0);
  }

  private static int nextClear(long[] bits, int from) {
    return next(bits, from, -1);
  }

  /** The first bit from {@code from} on that differs from {@code skip}'s; BATCH_ROWS if none. */
  private static int next(long[] bits, int from, long skip) {
    int word = from >>> 6;
    if (word == bits.length) {
      return BATCH_ROWS;
    }
    long found = (bits[word] ^ skip) & (-1L << from);
    while (found == 0) {
      word++;
      if (word == bits.length) {
        return BATCH_ROWS;
      }
      found = bits[word] ^ skip;
    }
    return word * Long.SIZE + Long.numberOfTrailingZeros(found);
  }
}
