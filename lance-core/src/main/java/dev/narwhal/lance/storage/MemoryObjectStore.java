package dev.narwhal.lance.storage;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Objects in memory, gone with the instance: for tests and for trying things out. Directories exist
 * as far as objects below them do.
 */
public final class MemoryObjectStore implements ObjectStore {
  private final String uri;
  private final NavigableMap<String, Stored> objects = new ConcurrentSkipListMap<>();
  private final Clock clock;

  public MemoryObjectStore() {
    this("memory");
  }

  /**
   * @param name tells stores apart in messages
   */
  public MemoryObjectStore(String name) {
    this(name, Clock.systemUTC());
  }

  /**
   * @param name tells stores apart in messages
   * @param clock tells when an object was written
   */
  public MemoryObjectStore(String name, Clock clock) {
    this.uri = "memory:" + name;
    this.clock = requireNonNull(clock, "clock");
  }

  private record Stored(ByteBuffer bytes, Instant written) {}

  @Override
  public String uri() {
    return uri;
  }

  @Override
  public ObjectReader open(String path) throws IOException {
    return new Reader(uri + '/' + path, read(path));
  }

  @Override
  public ByteBuffer read(String path) throws IOException {
    return stored(path).bytes().duplicate().order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public boolean exists(String path) {
    return objects.containsKey(ObjectPath.requireRelative(path));
  }

  @Override
  public ObjectAttributes attributes(String path) throws IOException {
    Stored object = stored(path);
    return new ObjectAttributes(object.bytes().remaining(), object.written());
  }

  @Override
  public List<String> list(String directory) {
    String prefix = ObjectPath.requireDirectory(directory).isEmpty() ? "" : directory + '/';
    TreeSet<String> names = new TreeSet<>();
    for (String path : objects.tailMap(prefix).keySet()) {
      if (!path.startsWith(prefix)) {
        break;
      }
      int slash = path.indexOf('/', prefix.length());
      names.add(path.substring(prefix.length(), slash < 0 ? path.length() : slash));
    }
    return new ArrayList<>(names);
  }

  @Override
  public void put(String path, ByteBuffer bytes) {
    objects.put(ObjectPath.requireRelative(path), copy(bytes));
  }

  @Override
  public ObjectWriter create(String path) {
    return new Writer(ObjectPath.requireRelative(path));
  }

  @Override
  public boolean putIfAbsent(String path, ByteBuffer bytes) {
    return objects.putIfAbsent(ObjectPath.requireRelative(path), copy(bytes)) == null;
  }

  @Override
  public void delete(String path) {
    objects.remove(ObjectPath.requireRelative(path));
  }

  @Override
  public void prune(String directory) {
    ObjectPath.requireRelative(directory);
  }

  @Override
  public String toString() {
    return uri;
  }

  private Stored stored(String path) throws NoSuchFileException {
    Stored object = objects.get(ObjectPath.requireRelative(path));
    if (object == null) {
      throw new NoSuchFileException(uri + '/' + path);
    }
    return object;
  }

  private Stored copy(ByteBuffer bytes) {
    ByteBuffer copy = ByteBuffer.allocate(bytes.remaining());
    copy.put(bytes.duplicate()).flip();
    return new Stored(copy.asReadOnlyBuffer(), clock.instant());
  }

  private static final class Reader implements ObjectReader {
    private final String path;
    private final ByteBuffer bytes;
    private volatile boolean closed;

    Reader(String path, ByteBuffer bytes) {
      this.path = path;
      this.bytes = bytes;
    }

    @Override
    public String path() {
      return path;
    }

    @Override
    public long sizeBytes() {
      return bytes.limit();
    }

    @Override
    public void readFully(long position, ByteBuffer target) throws IOException {
      if (position < 0) {
        throw new IllegalArgumentException("position must not be negative: " + position);
      }
      if (closed) {
        throw new ClosedChannelException();
      }
      if (target.hasRemaining() && target.remaining() > bytes.limit() - position) {
        throw new EOFException(
            path
                + ": ends at byte "
                + bytes.limit()
                + ", before the end of a read of "
                + target.remaining()
                + " at "
                + position);
      }
      if (target.hasRemaining()) {
        target.put(
            bytes.duplicate().position((int) position).limit((int) position + target.remaining()));
      }
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private final class Writer implements ObjectWriter {
    private final String path;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean ended;

    Writer(String path) {
      this.path = path;
    }

    @Override
    public String path() {
      return uri + '/' + path;
    }

    @Override
    public long sizeBytes() {
      return bytes.size();
    }

    @Override
    public void write(ByteBuffer source) throws IOException {
      if (ended) {
        throw new ClosedChannelException();
      }
      byte[] part = new byte[source.remaining()];
      source.duplicate().get(part);
      bytes.write(part, 0, part.length);
    }

    @Override
    public void finish() throws IOException {
      if (ended) {
        throw new ClosedChannelException();
      }
      ended = true;
      put(path, ByteBuffer.wrap(bytes.toByteArray()));
    }

    @Override
    public void close() {
      ended = true;
    }
  }
}
