package dev.narwhal.lance.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A store that misbehaves at its n-th call, reads included, counted from 1: for tests that run some
 * work for every n and look at what is left. Scans call it from several threads; which of their
 * reads is the n-th may differ from run to run.
 */
public final class FaultyObjectStore implements ObjectStore {
  /** What happens at the chosen call. */
  public enum Fault {
    /** Nothing is done, and the call fails; later calls work. */
    FAIL,
    /** The call is done, and then fails as if the reply were lost; later calls work. */
    LOSE_REPLY,
    /** The process dies before the call: nothing is done, by this call or any later one. */
    STOP_BEFORE,
    /** The process dies after the call: it is done, and no later one is. */
    STOP_AFTER,
    /**
     * The process dies in the middle of the call: of what it writes half is there, under the
     * temporary name that stores give such halves.
     */
    TEAR,
    /** From this call on there is no space left: nothing can be written, all else works. */
    FULL,
    /** From this call on nobody may write or remove anything. */
    READ_ONLY;

    private boolean stops() {
      return this == STOP_BEFORE || this == STOP_AFTER || this == TEAR;
    }
  }

  /** Stands for the death of the process: no production code catches it. */
  public static final class Stopped extends Error {
    private static final long serialVersionUID = 1L;

    Stopped(String call) {
      super("stopped at " + call);
    }
  }

  private final ObjectStore store;
  private final Fault fault;
  private final int faultyCall;
  private final List<String> calls = new ArrayList<>();

  /**
   * @param faultyCall the first call is 1; 0 is none, for counting
   */
  public FaultyObjectStore(ObjectStore store, Fault fault, int faultyCall) {
    this.store = store;
    this.fault = fault;
    this.faultyCall = faultyCall;
  }

  /** A store that cannot be written to, because of the fault, from the first call on. */
  public static FaultyObjectStore refusing(ObjectStore store, Fault fault) {
    return new FaultyObjectStore(store, fault, 1);
  }

  /** A store that only counts and lists its calls. */
  public static FaultyObjectStore faultless(ObjectStore store) {
    return new FaultyObjectStore(store, Fault.FAIL, 0);
  }

  /** The calls so far, such as {@code put _transactions/1-x.txn}. */
  public List<String> calls() {
    synchronized (calls) {
      return List.copyOf(calls);
    }
  }

  /** Whether the chosen call came. */
  public boolean struck() {
    return faultyCall > 0 && calls().size() >= faultyCall;
  }

  private interface Call<T> {
    T run() throws IOException;
  }

  private <T> T call(String name, Call<T> call) throws IOException {
    int number;
    synchronized (calls) {
      calls.add(name);
      number = calls.size();
    }
    if (faultyCall == 0 || number < faultyCall) {
      return call.run();
    }
    if (fault == Fault.FULL || fault == Fault.READ_ONLY) {
      requireAllowed(name);
      return call.run();
    }
    if (number > faultyCall && !fault.stops()) {
      return call.run();
    }
    if (number > faultyCall || fault == Fault.STOP_BEFORE || fault == Fault.TEAR) {
      throw new Stopped(name);
    }
    if (fault == Fault.FAIL) {
      throw new IOException("injected fault at call " + number + ", " + name);
    }
    call.run();
    if (fault == Fault.STOP_AFTER) {
      throw new Stopped(name);
    }
    throw new IOException("injected loss of the reply to call " + number + ", " + name);
  }

  private void requireAllowed(String name) throws FileSystemException {
    String path = store.uri() + '/' + name.substring(name.indexOf(' ') + 1);
    boolean writes = Stream.of("put", "create ", "write ").anyMatch(name::startsWith);
    if (fault == Fault.FULL && writes) {
      throw new FileSystemException(path, null, "injected: No space left on device");
    }
    if (fault == Fault.READ_ONLY && (writes || name.startsWith("delete"))) {
      throw new AccessDeniedException(path, null, "injected: Permission denied");
    }
  }

  private void tear(String path, ByteBuffer bytes) throws IOException {
    if (fault == Fault.TEAR && calls.size() + 1 == faultyCall) {
      String folder = path.substring(0, path.lastIndexOf('/') + 1);
      store.put(folder + ".tmp" + faultyCall, bytes.duplicate().limit(bytes.limit() / 2));
    }
  }

  @Override
  public String uri() {
    return store.uri();
  }

  @Override
  public String location() {
    return store.location();
  }

  @Override
  public ObjectReader open(String path) throws IOException {
    ObjectReader reader = call("open " + path, () -> store.open(path));
    return new ObjectReader() {
      @Override
      public String path() {
        return reader.path();
      }

      @Override
      public long sizeBytes() {
        return reader.sizeBytes();
      }

      @Override
      public void readFully(long position, ByteBuffer target) throws IOException {
        call(
            "read " + path + " at " + position,
            () -> {
              reader.readFully(position, target);
              return true;
            });
      }

      @Override
      public void close() throws IOException {
        reader.close();
      }
    };
  }

  @Override
  public ByteBuffer read(String path) throws IOException {
    return call("read " + path, () -> store.read(path));
  }

  @Override
  public boolean exists(String path) throws IOException {
    return call("exists " + path, () -> store.exists(path));
  }

  @Override
  public ObjectAttributes attributes(String path) throws IOException {
    return call("attributes " + path, () -> store.attributes(path));
  }

  @Override
  public List<String> list(String directory) throws IOException {
    return call("list " + directory, () -> store.list(directory));
  }

  @Override
  public void put(String path, ByteBuffer bytes) throws IOException {
    tear(path, bytes);
    call(
        "put " + path,
        () -> {
          store.put(path, bytes);
          return true;
        });
  }

  @Override
  public ObjectWriter create(String path) throws IOException {
    ObjectWriter writer = call("create " + path, () -> store.create(path));
    return new ObjectWriter() {
      @Override
      public String path() {
        return writer.path();
      }

      @Override
      public long sizeBytes() {
        return writer.sizeBytes();
      }

      @Override
      public void write(ByteBuffer bytes) throws IOException {
        call(
            "write " + path,
            () -> {
              writer.write(bytes);
              return true;
            });
      }

      @Override
      public void finish() throws IOException {
        call(
            "finish " + path,
            () -> {
              writer.finish();
              return true;
            });
      }

      @Override
      public void close() throws IOException {
        writer.close();
      }
    };
  }

  @Override
  public boolean putIfAbsent(String path, ByteBuffer bytes) throws IOException {
    tear(path, bytes);
    return call("putIfAbsent " + path, () -> store.putIfAbsent(path, bytes));
  }

  @Override
  public void delete(String path) throws IOException {
    call(
        "delete " + path,
        () -> {
          store.delete(path);
          return true;
        });
  }

  @Override
  public void prune(String directory) throws IOException {
    call(
        "prune " + directory,
        () -> {
          store.prune(directory);
          return true;
        });
  }
}
