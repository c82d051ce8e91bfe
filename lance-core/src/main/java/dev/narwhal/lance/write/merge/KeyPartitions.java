package dev.narwhal.lance.write.merge;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Keys in temporary files, one file for each range of hashes, so that equal keys are in files of
 * the same number. A key is stored as
 *
 * <pre>
 * i64 LE tag, i64 LE word                  where keys are words
 * i64 LE tag, i32 LE length, bytes         else
 * </pre>
 *
 * <p>Filled, then sealed, then read as often as needed. One thread.
 */
final class KeyPartitions implements Closeable {
  /** Number of files: with 32 KiB to collect writes in, each. */
  static final int COUNT = 1 << 6;

  private static final int HASH_SHIFT = 64 - 6;

  private final Path[] files = new Path[COUNT];
  private final SpillWriter[] writers = new SpillWriter[COUNT];
  private final long[] counts = new long[COUNT];

  KeyPartitions(SpillFolder folder, String name) throws IOException {
    try {
      for (int i = 0; i < COUNT; i++) {
        files[i] = folder.newFile(name);
        writers[i] = new SpillWriter(files[i]);
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  void add(KeyBatch keys, int key) throws IOException {
    int partition = (int) (keys.hash(key) >>> HASH_SHIFT);
    SpillWriter out = writers[partition];
    out.putLong(keys.tag(key));
    if (keys.isWords()) {
      out.putLong(keys.word(key));
    } else {
      out.putInt(keys.length(key));
      out.put(keys.bytes(), keys.start(key), keys.length(key));
    }
    counts[partition]++;
  }

  /** Ends the filling. */
  void seal() throws IOException {
    for (SpillWriter writer : writers) {
      writer.flush();
    }
    close();
  }

  /** Keys in a file. */
  long count(int partition) {
    return counts[partition];
  }

  /** Reads a file's keys, in the order in which they were added. The caller closes the result. */
  Reader read(int partition) throws IOException {
    return new Reader(new SpillReader(files[partition]), counts[partition]);
  }

  @Override
  public void close() throws IOException {
    for (SpillWriter writer : writers) {
      if (writer != null) {
        writer.close();
      }
    }
  }

  /** Keys of one file. */
  static final class Reader implements Closeable {
    private final SpillReader in;
    private long left;

    private Reader(SpillReader in, long count) {
      this.in = in;
      this.left = count;
    }

    boolean hasMore() {
      return left > 0;
    }

    /** Adds the next key to a batch. */
    void next(KeyBatch into) throws IOException {
      long tag = in.getLong();
      if (into.isWords()) {
        into.addWord(tag, in.getLong());
      } else {
        int length = in.getInt();
        int at = into.reserve(length);
        in.get(into.bytes(), at, length);
        into.advance(length);
        into.endKey(tag);
      }
      left--;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
