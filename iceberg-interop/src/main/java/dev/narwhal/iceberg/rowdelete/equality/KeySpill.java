package dev.narwhal.iceberg.rowdelete.equality;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.util.Tasks;

/**
 * Keys and rows in temporary files, spread by the keys' hash so that the keys of one part fit into
 * memory. Closing removes the files. For one thread.
 *
 * <pre>
 * keys-N     u32 BE length, key, u64 BE sequence number
 * rows-N     u32 BE length, key, u32 BE data file, u64 BE position
 * </pre>
 */
final class KeySpill implements Closeable {
  private static final int MAX_PARTS = 512;

  private final Path folder;
  private final List<Part> parts = new ArrayList<>();

  /** A row that has the key of a delete. */
  interface Joined {
    void accept(int dataFile, long position, long sequenceNumber);
  }

  private static final class Part {
    private final Path keys;
    private final Path rows;
    private final DataOutputStream keysOut;
    private final DataOutputStream rowsOut;

    private Part(Path folder, int number) throws IOException {
      this.keys = folder.resolve("keys-" + number);
      this.rows = folder.resolve("rows-" + number);
      this.keysOut = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(keys)));
      this.rowsOut = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(rows)));
    }
  }

  /**
   * @param keys how many there will be, duplicates counted
   * @param maxKeys how many may be in memory at once, give or take
   */
  KeySpill(long keys, long maxKeys) throws IOException {
    this.folder = Files.createTempDirectory("narwhal-equality-");
    int count = (int) Math.min(MAX_PARTS, 1 + 2 * keys / Math.max(1, maxKeys));
    try {
      for (int i = 0; i < count; i++) {
        parts.add(new Part(folder, i));
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  void addKey(KeyEncoder key, long sequenceNumber) throws IOException {
    DataOutputStream out = part(key).keysOut;
    putKey(out, key);
    out.writeLong(sequenceNumber);
  }

  void addRow(KeyEncoder key, int dataFile, long position) throws IOException {
    DataOutputStream out = part(key).rowsOut;
    putKey(out, key);
    out.writeInt(dataFile);
    out.writeLong(position);
  }

  private Part part(KeyEncoder key) {
    // Other bits than those that pick the slot in a table
    int hash = KeyTable.hash(key.bytes(), 0, key.length()) * 0x9E37_79B1;
    return parts.get(Math.floorMod(hash >>> 7, parts.size()));
  }

  private static void putKey(DataOutputStream out, KeyEncoder key) throws IOException {
    out.writeInt(key.length());
    out.write(key.bytes(), 0, key.length());
  }

  /** Ends the writing and hands over the rows whose key is there, in no order. */
  void join(Joined joined) throws IOException {
    for (Part part : parts) {
      part.keysOut.close();
      part.rowsOut.close();
      KeyTable table = new KeyTable();
      try (Reader keys = new Reader(part.keys)) {
        while (keys.next()) {
          table.add(keys.key, keys.length, keys.in.readLong());
        }
      }
      try (Reader rows = new Reader(part.rows)) {
        while (rows.next()) {
          long sequenceNumber = table.sequenceNumber(rows.key, rows.length);
          int dataFile = rows.in.readInt();
          long position = rows.in.readLong();
          if (sequenceNumber >= 0) {
            joined.accept(dataFile, position, sequenceNumber);
          }
        }
      }
    }
  }

  private static final class Reader implements Closeable {
    private final DataInputStream in;
    private byte[] key = new byte[64];
    private int length;

    private Reader(Path file) throws IOException {
      this.in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)));
    }

    private boolean next() throws IOException {
      try {
        length = in.readInt();
      } catch (EOFException e) {
        return false;
      }
      if (length > key.length) {
        key = new byte[Math.max(length, 2 * key.length)];
      }
      in.readFully(key, 0, length);
      return true;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  @Override
  public void close() throws IOException {
    List<Closeable> open = new ArrayList<>();
    List<Path> files = new ArrayList<>();
    for (Part part : parts) {
      open.add(part.keysOut);
      open.add(part.rowsOut);
      files.add(part.keys);
      files.add(part.rows);
    }
    files.add(folder);
    Tasks.foreach(open).suppressFailureWhenFinished().run(Closeable::close, IOException.class);
    Tasks.foreach(files)
        .suppressFailureWhenFinished()
        .run(Files::deleteIfExists, IOException.class);
  }
}
