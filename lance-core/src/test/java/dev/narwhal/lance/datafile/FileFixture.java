package dev.narwhal.lance.datafile;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.narwhal.lance.storage.LocalObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A data file of one column, written by real Lance, with its values. */
record FileFixture(String version, String name, Path file) {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  /**
   * All files of a version: the bundled ones, or those of the folder that the system property
   * {@code narwhal.fixtures} names.
   */
  static List<FileFixture> all(String version) {
    String named = System.getProperty("narwhal.fixtures", "");
    return in(named.isEmpty() ? bundled() : Path.of(named), version);
  }

  /** The bundled files of a version. */
  static List<FileFixture> allBundled(String version) {
    return in(bundled(), version);
  }

  private static List<FileFixture> in(Path fixtures, String version) {
    Path folder = fixtures.resolve("lance-files").resolve(version);
    try (Stream<Path> files = Files.list(folder)) {
      List<FileFixture> found =
          files
              .filter(file -> file.toString().endsWith(".lance"))
              .sorted()
              .map(file -> new FileFixture(version, stem(file), file))
              .toList();
      if (found.isEmpty()) {
        throw new IllegalStateException("no fixture in " + folder);
      }
      return found;
    } catch (IOException e) {
      throw new IllegalStateException("no folder of fixtures: " + folder, e);
    }
  }

  private static Path bundled() {
    return Path.of(System.getProperty("narwhal.root"))
        .resolve("lance-core/src/test/resources/fixtures");
  }

  /** One bundled file. */
  static FileFixture bundled(String version, String name) {
    Path file = bundled().resolve("lance-files").resolve(version).resolve(name + ".lance");
    return new FileFixture(version, name, file);
  }

  /** A small file of kinds that the fixtures do not have, or have only in large files. */
  static FileFixture golden(String name) {
    Path file =
        Path.of(System.getProperty("narwhal.root"))
            .resolve("lance-core/src/test/resources/golden/lance-7.0.0/data-files")
            .resolve(name + ".lance");
    return new FileFixture("golden", name, file);
  }

  LanceFile open() throws IOException {
    return LanceFile.open(
        LocalObjectStore.at(file.resolveSibling("")).open(file.getFileName().toString()));
  }

  byte[] bytes() throws IOException {
    return Files.readAllBytes(file);
  }

  /** The expected values, in row order. */
  JsonNode expected() throws IOException {
    return JSON.readTree(file.resolveSibling(name + ".json").toFile());
  }

  @Override
  public String toString() {
    return version + "/" + name;
  }

  private static String stem(Path file) {
    String name = file.getFileName().toString();
    return name.substring(0, name.length() - ".lance".length());
  }
}
