package dev.narwhal.iceberg.rowdelete;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.inmemory.InMemoryInputFile;
import org.apache.iceberg.inmemory.InMemoryOutputFile;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;

/** Files of one table in memory; {@code file:///x}, {@code file:/x} and {@code /x} are one. */
final class MemoryFiles implements FileIO {
  private static final long serialVersionUID = 1L;

  private final transient Map<String, InMemoryOutputFile> files = new ConcurrentSkipListMap<>();
  private final transient Set<String> read = ConcurrentHashMap.newKeySet();

  private static String key(String location) {
    return location.replaceFirst("^file:/*", "/");
  }

  @Override
  public InputFile newInputFile(String location) {
    InMemoryOutputFile file = files.get(key(location));
    if (file == null) {
      throw new NotFoundException("File does not exist: %s", location);
    }
    read.add(key(location));
    return new InMemoryInputFile(location, file.toByteArray());
  }

  @Override
  public OutputFile newOutputFile(String location) {
    InMemoryOutputFile file = new InMemoryOutputFile(location);
    files.put(key(location), file);
    return file;
  }

  @Override
  public void deleteFile(String location) {
    if (files.remove(key(location)) == null) {
      throw new NotFoundException("File does not exist: %s", location);
    }
  }

  /** Puts a file in place of what was there. */
  void put(String location, byte[] content) {
    InMemoryOutputFile file = new InMemoryOutputFile(location);
    try (var out = file.create()) {
      out.write(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    files.put(key(location), file);
  }

  byte[] bytes(String location) {
    return Objects.requireNonNull(files.get(key(location)), location).toByteArray();
  }

  /** Copies a folder to where its files say that they are. */
  void load(Path folder, String location) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.filter(Files::isRegularFile).toList()) {
        put(location + '/' + folder.relativize(path), Files.readAllBytes(path));
      }
    }
  }

  /** Data and delete files, in order. */
  List<String> dataFiles() {
    return files.keySet().stream().filter(name -> name.contains("/data/")).toList();
  }

  /** Whether a file was opened since {@link #forgetReads}. */
  boolean wasRead(String location) {
    return read.contains(key(location));
  }

  void forgetReads() {
    read.clear();
  }
}
