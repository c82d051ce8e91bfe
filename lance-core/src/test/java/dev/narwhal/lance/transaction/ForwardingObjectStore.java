package dev.narwhal.lance.transaction;

import dev.narwhal.lance.storage.ObjectAttributes;
import dev.narwhal.lance.storage.ObjectReader;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.storage.ObjectWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Passes every call on, for tests that change one. */
public class ForwardingObjectStore implements ObjectStore {
  private final ObjectStore store;

  public ForwardingObjectStore(ObjectStore store) {
    this.store = store;
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
  public ObjectAttributes attributes(String path) throws IOException {
    return store.attributes(path);
  }

  @Override
  public List<String> list(String directory) throws IOException {
    return store.list(directory);
  }

  @Override
  public void put(String path, ByteBuffer bytes) throws IOException {
    store.put(path, bytes);
  }

  @Override
  public ObjectWriter create(String path) throws IOException {
    return store.create(path);
  }

  @Override
  public boolean putIfAbsent(String path, ByteBuffer bytes) throws IOException {
    return store.putIfAbsent(path, bytes);
  }

  @Override
  public void delete(String path) throws IOException {
    store.delete(path);
  }

  @Override
  public void prune(String directory) throws IOException {
    store.prune(directory);
  }
}
