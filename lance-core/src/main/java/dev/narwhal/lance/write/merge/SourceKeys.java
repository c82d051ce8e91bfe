package dev.narwhal.lance.write.merge;

import java.io.Closeable;
import java.io.IOException;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.Nullable;

/**
 * The keys of the source: in memory as far as the budget goes, else in files by hash. Then the
 * table's keys go to files as well, but for those that a sieve tells not to be in the source; and
 * pairs are found file by file, with as many of the source's keys in memory at a time as the budget
 * allows: however many rows have one key, it ends.
 *
 * <p>Filled, then sealed, then matched as often as needed. One thread.
 */
final class SourceKeys implements Closeable {
  /** Keys of the table looked up at once. */
  private static final int PROBE_KEYS = 4096;

  private final KeyEncoder encoder;
  private final SpillFolder folder;
  private final long memoryBytes;
  private final KeyBatch batch;
  private @Nullable KeyTable table;
  private @Nullable KeyPartitions spilled;
  private @Nullable KeySieve sieve;

  /**
   * @param folder for keys beyond the budget
   * @param memoryBytes for keys
   */
  SourceKeys(KeyEncoder encoder, SpillFolder folder, long memoryBytes) {
    this.encoder = encoder;
    this.folder = folder;
    this.memoryBytes = memoryBytes;
    this.batch = encoder.newBatch();
    this.table = new KeyTable(batch);
  }

  /**
   * Adds the keys of a batch.
   *
   * @param firstRow number of its first row in the source
   */
  void add(VectorSchemaRoot rows, long firstRow) throws IOException {
    batch.clear();
    encoder.encode(rows, firstRow, batch);
    for (int i = 0, count = batch.count(); i < count; i++) {
      add(batch, i);
    }
  }

  private void add(KeyBatch from, int key) throws IOException {
    KeyTable held = table;
    if (held != null && held.keys().hasRoomFor(from, key) && held.sizeBytes() < memoryBytes) {
      held.keys().add(from, key);
      return;
    }
    KeyPartitions files = spilled;
    KeySieve filter = sieve;
    if (files == null || filter == null) {
      files = new KeyPartitions(folder, "source-keys");
      spilled = files;
      filter = new KeySieve(memoryBytes / 2);
      sieve = filter;
      if (held != null) {
        KeyBatch keys = held.keys();
        for (int i = 0, count = keys.count(); i < count; i++) {
          files.add(keys, i);
          filter.add(keys.hash(i));
        }
        table = null;
      }
    }
    files.add(from, key);
    filter.add(from.hash(key));
  }

  /** Ends the filling. */
  void seal() throws IOException {
    if (table != null) {
      table.seal();
    } else if (spilled != null) {
      spilled.seal();
    }
  }

  /** Whether the keys went to files. */
  boolean isSpilled() {
    return spilled != null;
  }

  /**
   * The pairs of a source row and a table row with the same key.
   *
   * @param target the table's keys
   * @param attempt for files of this match
   */
  PairRuns match(TargetKeys target, SpillFolder attempt) throws IOException {
    KeyTable held = table;
    PairRuns pairs;
    if (held != null) {
      pairs = new PairRuns(held.keys(), attempt, memoryBytes);
      KeyBatch keys = encoder.newBatch();
      while (target.next(keys)) {
        held.probe(keys, pairs);
      }
    } else {
      pairs = matchFiles(target, attempt);
    }
    pairs.seal();
    return pairs;
  }

  private PairRuns matchFiles(TargetKeys target, SpillFolder attempt) throws IOException {
    KeyPartitions sources = spilled;
    KeySieve filter = sieve;
    if (sources == null || filter == null) {
      throw new IllegalStateException("no keys were added");
    }
    PairRuns pairs = new PairRuns(batch, attempt, memoryBytes);
    try (KeyPartitions targets = new KeyPartitions(attempt, "table-keys")) {
      KeyBatch keys = encoder.newBatch();
      while (target.next(keys)) {
        for (int i = 0, count = keys.count(); i < count; i++) {
          if (filter.mayHold(keys.hash(i))) {
            targets.add(keys, i);
          }
        }
      }
      targets.seal();
      for (int partition = 0; partition < KeyPartitions.COUNT; partition++) {
        if (targets.count(partition) > 0) {
          match(sources, targets, partition, pairs);
        }
      }
    }
    return pairs;
  }

  private void match(KeyPartitions sources, KeyPartitions targets, int partition, PairRuns pairs)
      throws IOException {
    try (KeyPartitions.Reader source = sources.read(partition)) {
      while (source.hasMore()) {
        KeyTable part = new KeyTable(batch);
        do {
          source.next(part.keys());
        } while (source.hasMore() && part.sizeBytes() < memoryBytes);
        part.seal();
        pairs.begin(part.keys());
        probe(targets, partition, part, pairs);
      }
    }
  }

  private void probe(KeyPartitions targets, int partition, KeyTable part, PairRuns pairs)
      throws IOException {
    KeyBatch keys = encoder.newBatch();
    try (KeyPartitions.Reader target = targets.read(partition)) {
      while (target.hasMore()) {
        keys.clear();
        while (target.hasMore() && keys.count() < PROBE_KEYS) {
          target.next(keys);
        }
        part.probe(keys, pairs);
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (spilled != null) {
      spilled.close();
    }
  }
}
