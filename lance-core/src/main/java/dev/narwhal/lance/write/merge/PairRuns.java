package dev.narwhal.lance.write.merge;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Pairs of a source row and the address of a table row with the same key, to be read in the order
 * of the source rows: sorted runs, in memory as far as the budget goes, else in files, which are
 * merged when they are read. Filled table after table of keys, then read as often as needed. One
 * thread.
 */
final class PairRuns {
  private static final int BYTES_PER_PAIR = 16;
  private static final int MIN_CAPACITY = 1024;

  /** Files of one size that are merged into one: as many are open at once. */
  private static final int MAX_FILES = 64;

  private final SpillFolder folder;
  private final long memoryBytes;
  private final int maxPending;
  private final List<Run> held = new ArrayList<>();

  /** Files by how often their pairs were merged; those that were so more often are older. */
  private final List<List<Spilled>> levels = new ArrayList<>();

  private int[] keys = new int[MIN_CAPACITY];
  private long[] addresses = new long[MIN_CAPACITY];
  private int pending;
  private long heldBytes;
  private long count;
  private KeyBatch table;

  /** A sorted part: its pairs in arrays, or in a file. */
  private sealed interface Run {
    PairSource open() throws IOException;
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Held(long[] rows, long[] addresses) implements Run {
    @Override
    public PairSource open() {
      return new PairSource.Arrays(rows, addresses);
    }
  }

  private record Spilled(Path file) implements Run {
    @Override
    public PairSource open() throws IOException {
      return new PairSource.File(new SpillReader(file));
    }
  }

  /**
   * @param table the keys that are looked up first
   * @param memoryBytes for pairs that are held
   */
  PairRuns(KeyBatch table, SpillFolder folder, long memoryBytes) {
    this.table = table;
    this.folder = folder;
    this.memoryBytes = memoryBytes;
    this.maxPending =
        (int) Math.max(MIN_CAPACITY, Math.min(1 << 24, memoryBytes / (4 * BYTES_PER_PAIR)));
  }

  /**
   * Begins with another table of keys.
   *
   * @param keys in the order of the source's rows
   */
  void begin(KeyBatch keys) throws IOException {
    endRun();
    table = keys;
  }

  /**
   * Adds a pair.
   *
   * @param key of the table that was begun
   */
  void add(int key, long address) throws IOException {
    if (pending == maxPending) {
      endRun();
    }
    if (pending == keys.length) {
      int capacity = Math.min(maxPending, 2 * pending);
      keys = Arrays.copyOf(keys, capacity);
      addresses = Arrays.copyOf(addresses, capacity);
    }
    keys[pending] = key;
    addresses[pending] = address;
    pending++;
  }

  /** Ends the filling. */
  void seal() throws IOException {
    endRun();
    keys = new int[0];
    addresses = new long[0];
  }

  /** Number of pairs. */
  long count() {
    return count;
  }

  /** The pairs by source row, those of one row by address. The caller closes the result. */
  PairCursor open() throws IOException {
    List<Run> runs = new ArrayList<>(held);
    for (int level = levels.size() - 1; level >= 0; level--) {
      runs.addAll(levels.get(level));
    }
    return open(runs);
  }

  private static PairCursor open(List<? extends Run> runs) throws IOException {
    List<PairSource> sources = new ArrayList<>(runs.size());
    try {
      for (Run run : runs) {
        sources.add(run.open());
      }
      return new PairCursor(sources);
    } catch (IOException | RuntimeException e) {
      for (Closeable source : sources) {
        source.close();
      }
      throw e;
    }
  }

  /** Sorts by the keys' places, which are in the order of the rows, by counting. */
  private void endRun() throws IOException {
    if (pending == 0) {
      return;
    }
    int[] starts = new int[table.count() + 1];
    for (int i = 0; i < pending; i++) {
      starts[keys[i] + 1]++;
    }
    for (int key = 0; key < table.count(); key++) {
      starts[key + 1] += starts[key];
    }
    long[] sortedRows = new long[pending];
    long[] sortedAddresses = new long[pending];
    for (int i = 0; i < pending; i++) {
      int at = starts[keys[i]]++;
      sortedRows[at] = table.tag(keys[i]);
      sortedAddresses[at] = addresses[i];
    }
    count += pending;
    pending = 0;
    keep(sortedRows, sortedAddresses);
  }

  private void keep(long[] rows, long[] sortedAddresses) throws IOException {
    long bytes = (long) BYTES_PER_PAIR * rows.length;
    if (levels.isEmpty() && heldBytes + bytes <= memoryBytes) {
      heldBytes += bytes;
      held.add(new Held(rows, sortedAddresses));
      return;
    }
    Path file = folder.newFile("pairs");
    try (SpillWriter out = new SpillWriter(file)) {
      for (int i = 0; i < rows.length; i++) {
        out.putLong(rows[i]);
        out.putLong(sortedAddresses[i]);
      }
      out.flush();
    }
    add(0, new Spilled(file));
  }

  /** Merges the files of a level when there are many, so that few are ever open. */
  private void add(int level, Spilled run) throws IOException {
    if (level == levels.size()) {
      levels.add(new ArrayList<>());
    }
    List<Spilled> files = levels.get(level);
    files.add(run);
    if (files.size() < MAX_FILES) {
      return;
    }
    Path merged = folder.newFile("pairs");
    try (PairCursor cursor = open(files);
        SpillWriter out = new SpillWriter(merged)) {
      while (cursor.next()) {
        out.putLong(cursor.row());
        out.putLong(cursor.address());
      }
      out.flush();
    }
    for (Spilled old : files) {
      folder.remove(old.file());
    }
    files.clear();
    add(level + 1, new Spilled(merged));
  }
}
