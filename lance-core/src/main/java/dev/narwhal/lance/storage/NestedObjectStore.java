package dev.narwhal.lance.storage;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A directory of another store as a root of its own: a branch below {@code tree/}. Paths cannot
 * reach the rest of the outer store.
 */
public final class NestedObjectStore implements ObjectStore {
  private final ObjectStore outer;
  private final String directory;

  /**
   * @param directory relative to the root of the outer store
   */
  public NestedObjectStore(ObjectStore outer, String directory) {
    this.outer = requireNonNull(outer, "outer");
    this.directory = ObjectPath.requireRelative(directory);
  }

  @Override
  public String uri() {
    return outer.uri() + '/' + directory;
  }

  @Override
  public String location() {
    return outer.location() + '/' + directory;
  }

  @Override
  public ObjectReader open(String path) throws IOException {
    return outer.open(nested(path));
  }

  @Override
  public ByteBuffer read(String path) throws IOException {
    return outer.read(nested(path));
  }

  @Override
  public boolean exists(String path) throws IOException {
    return outer.exists(nested(path));
  }

  @Override
  public ObjectAttributes attributes(String path) throws IOException {
    return outer.attributes(nested(path));
  }

  @Override
  public List<String> list(String below) throws IOException {
    return outer.list(below.isEmpty() ? directory : nested(below));
  }

  @Override
  public void put(String path, ByteBuffer bytes) throws IOException {
    outer.put(nested(path), bytes);
  }

  @Override
  public ObjectWriter create(String path) throws IOException {
    return outer.create(nested(path));
  }

  @Override
  public boolean putIfAbsent(String path, ByteBuffer bytes) throws IOException {
    return outer.putIfAbsent(nested(path), bytes);
  }

  @Override
  public void delete(String path) throws IOException {
    outer.delete(nested(path));
  }

  @Override
  public void prune(String below) throws IOException {
    outer.prune(nested(below));
  }

  @Override
  public String toString() {
    return uri();
  }

  private String nested(String path) {
    return directory + '/' + ObjectPath.requireRelative(path);
  }
}
