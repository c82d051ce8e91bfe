package dev.narwhal.lance.write.insert;

import dev.narwhal.lance.storage.ObjectAttributes;
import dev.narwhal.lance.storage.ObjectReader;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.storage.ObjectWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.List;

/** A store that takes new objects and drops them: it only counts their bytes. Nothing is in it. */
public final class DryRunStore implements ObjectStore {
  private final String uri;

  /**
   * @param uri of the store that it stands for
   */
  public DryRunStore(String uri) {
    this.uri = uri;
  }

  @Override
  public String uri() {
    return uri;
  }

  @Override
  public ObjectWriter create(String path) {
    return new ObjectWriter() {
      private long sizeBytes;

      @Override
      public String path() {
        return path;
      }

      @Override
      public long sizeBytes() {
        return sizeBytes;
      }

      @Override
      public void write(ByteBuffer bytes) {
        sizeBytes += bytes.remaining();
      }

      @Override
      public void finish() {
        // it never appears
      }

      @Override
      public void close() {
        // nothing is held
      }
    };
  }

  @Override
  public ObjectReader open(String path) throws IOException {
    throw new NoSuchFileException(path);
  }

  @Override
  public ByteBuffer read(String path) throws IOException {
    throw new NoSuchFileException(path);
  }

  @Override
  public boolean exists(String path) {
    return false;
  }

  @Override
  public ObjectAttributes attributes(String path) throws IOException {
    throw new NoSuchFileException(path);
  }

  @Override
  public List<String> list(String directory) {
    return List.of();
  }

  @Override
  public void put(String path, ByteBuffer bytes) {
    // dropped
  }

  @Override
  public boolean putIfAbsent(String path, ByteBuffer bytes) {
    return true;
  }

  @Override
  public void delete(String path) {
    // nothing is there
  }

  @Override
  public void prune(String directory) {
    // nothing is there
  }
}
