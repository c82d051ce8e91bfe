package dev.narwhal.lance.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.narwhal.lance.storage.LocalObjectStore;
import dev.narwhal.lance.storage.MemoryObjectStore;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A dataset that real Lance 7.0.0 wrote, with what it says that must be read from it. */
public record LanceFixture(String name, Path directory, JsonNode expected) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** All bundled ones, or all of the folder that {@code narwhal.fixtures} names. */
  public static List<LanceFixture> all() throws IOException {
    List<LanceFixture> fixtures = new ArrayList<>();
    try (Stream<Path> directories = Files.list(root())) {
      for (Path directory : directories.filter(Files::isDirectory).sorted().toList()) {
        fixtures.add(load(directory));
      }
    }
    if (fixtures.isEmpty()) {
      throw new IllegalStateException("no fixture in " + root());
    }
    return fixtures;
  }

  public static LanceFixture named(String name) throws IOException {
    return load(root().resolve(name));
  }

  /** The dataset itself, only to be read. */
  public ObjectStore store() {
    return LocalObjectStore.at(directory.resolve("ds"));
  }

  /** A copy of the dataset in memory. */
  public MemoryObjectStore copy() throws IOException {
    MemoryObjectStore copy = new MemoryObjectStore(name);
    Path ds = directory.resolve("ds");
    try (Stream<Path> files = Files.walk(ds)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        copy.put(
            ds.relativize(file).toString().replace('\\', '/'),
            ByteBuffer.wrap(Files.readAllBytes(file)));
      }
    }
    return copy;
  }

  /** One entry of {@code versions}, of main or of a branch. */
  public record Version(String label, JsonNode expected) {
    @Override
    public String toString() {
      return label;
    }

    public long number() {
      return expected.get("version").longValue();
    }

    public JsonNode manifest() {
      return expected.get("manifest");
    }
  }

  /** The versions of main, then those of the branches. */
  public List<Version> versions() {
    List<Version> versions = new ArrayList<>();
    for (JsonNode version : expected.get("versions")) {
      versions.add(new Version(name + " version " + version.get("version"), version));
    }
    for (JsonNode branch : expected.get("branches")) {
      for (JsonNode version : branch.get("versions")) {
        versions.add(
            new Version(
                name + " branch " + branch.get("name").textValue() + ' ' + version.get("version"),
                version));
      }
    }
    return versions;
  }

  @Override
  public String toString() {
    return name;
  }

  private static LanceFixture load(Path directory) throws IOException {
    return new LanceFixture(
        directory.getFileName().toString(),
        directory,
        MAPPER.readTree(directory.resolve("expected.json").toFile()));
  }

  private static Path root() {
    String given = System.getProperty("narwhal.fixtures", "");
    return given.isEmpty()
        ? Path.of(
            System.getProperty("narwhal.root"), "lance-core/src/test/resources/fixtures/lance")
        : Path.of(given, "lance");
  }
}
