package dev.narwhal.lance.refs;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.manifest.LanceFixture;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.storage.LocalObjectStore;
import dev.narwhal.lance.storage.MemoryObjectStore;
import dev.narwhal.lance.storage.NestedObjectStore;
import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.storage.Stores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;

/** Datasets in memory, found by the places that manifests name, those inside them too. */
public final class MemoryTables implements Stores {
  private final Map<String, ObjectStore> roots = new HashMap<>();
  private final Path fixtures;

  private MemoryTables(Path fixtures) {
    this.fixtures = fixtures;
  }

  /** A copy of a fixture, whose further bases are found where fixtures are. */
  public static MemoryTables of(LanceFixture fixture, Clock clock) throws IOException {
    MemoryTables tables = new MemoryTables(requireNonNull(fixture.directory().getParent()));
    MemoryObjectStore copy = new MemoryObjectStore(fixture.name(), clock);
    Path ds = fixture.directory().resolve("ds");
    try (Stream<Path> files = Files.walk(ds)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        copy.put(
            ds.relativize(file).toString().replace('\\', '/'),
            ByteBuffer.wrap(Files.readAllBytes(file)));
      }
    }
    tables.put(copy);
    // a branch of the fixture names its parent by the place where that was made
    tables.roots.put(fixture.name() + "/ds", copy);
    return tables;
  }

  /** Has a store be found by its location from now on. */
  public void put(ObjectStore store) {
    roots.put(store.location(), store);
  }

  @Override
  public ObjectStore at(String place) {
    for (Map.Entry<String, ObjectStore> root : roots.entrySet()) {
      if (place.equals(root.getKey())) {
        return root.getValue();
      }
      if (place.startsWith(root.getKey() + '/')) {
        return new NestedObjectStore(root.getValue(), place.substring(root.getKey().length() + 1));
      }
    }
    return LocalObjectStore.at(fixtures.resolve(place));
  }

  public Dataset open(ObjectStore root, VersionSelector selector, BufferAllocator allocator)
      throws IOException {
    return Dataset.open(root.location(), selector, this, allocator);
  }

  public Dataset open(ObjectStore root, BufferAllocator allocator) throws IOException {
    return open(root, VersionSelector.latest(), allocator);
  }
}
