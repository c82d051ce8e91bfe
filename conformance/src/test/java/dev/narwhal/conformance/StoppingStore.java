package dev.narwhal.conformance;

import dev.narwhal.lance.storage.ObjectAttributes;
import dev.narwhal.lance.storage.ObjectReader;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.storage.ObjectWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A store whose process dies at the n-th call that writes or removes, counted from 1. */
final class StoppingStore implements ObjectStore {
  /** When it dies. */
  enum When {
    BEFORE,
    AFTER,
    /** Half of what is written is there, under the temporary name that stores give such halves. */
    MIDST
  }

  /** Stands for the death of the process: no production code catches it. */
  static final class Stopped extends Error {
    private static final long serialVersionUID = 1L;
  }

  private final ObjectStore store;
  private final When when;
  private final int fatal;
  private int writes;

  /**
   * @param fatal the write it dies at; 0 is none, for counting
   */
  StoppingStore(ObjectStore store, When when, int fatal) {
    this.store = store;
    this.when = when;
    this.fatal = fatal;
  }

  /** Calls so far. */
  int writes() {
    return writes;
  }

  private interface Write<T> {
    T run() throws IOException;
  }

  private <T> T write(Write<T> write, Write<Boolean> half) throws IOException {
    if (fatal != 0 && writes == fatal) {
      throw new Stopped(); // the dead do not tidy up
    }
    writes++;
    if (writes != fatal) {
      return write.run();
    }
    switch (when) {
      case AFTER -> write.run();
      case MIDST -> half.run();
      case BEFORE -> {}
    }
    throw new Stopped();
  }

  private Write<Boolean> half(String path, ByteBuffer bytes) {
    return () -> {
      String torn = path.substring(0, path.lastIndexOf('/') + 1) + ".tmp" + fatal;
      store.put(torn, bytes.duplicate().limit(bytes.position() + bytes.remaining() / 2));
      return true;
    };
  }

  @Override
  public void put(String path, ByteBuffer bytes) throws IOException {
    write(
        () -> {
          store.put(path, bytes);
          return true;
        },
        half(path, bytes));
  }

  @Override
  public boolean putIfAbsent(String path, ByteBuffer bytes) throws IOException {
    return write(() -> store.putIfAbsent(path, bytes), half(path, bytes));
  }

  @Override
  public ObjectWriter create(String path) throws IOException {
    return write(() -> store.create(path), () -> false);
  }

  @Override
  public void delete(String path) throws IOException {
    write(
        () -> {
          store.delete(path);
          return true;
        },
        () -> false);
  }

  @Override
  public void prune(String directory) throws IOException {
    write(
        () -> {
          store.prune(directory);
          return true;
        },
        () -> false);
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
  public ObjectAttributes attributes(String path) throws IOException {
    return store.attributes(path);
  }

  @Override
  public ObjectReader open(String path) throws IOException {
    return store.open(path);
  }

  @Override
  public ByteBuffer read(String path) throws IOException {
    return store.read(path);
  }

  @Override
  public boolean exists(String path) throws IOException {
    return store.exists(path);
  }

  @Override
  public List<String> list(String directory) throws IOException {
    return store.list(directory);
  }
}
