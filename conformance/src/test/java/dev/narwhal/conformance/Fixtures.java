package dev.narwhal.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds recorded datasets, data files and tables.
 *
 * <p>They come from the folder that the system property {@code narwhal.fixtures} names, which holds
 * {@code lance}, {@code lance-files/VERSION} and {@code iceberg}; with that property empty or
 * unset, from the bundled ones below the repository root, {@code narwhal.root}. A folder that
 * yields no case is an error: nothing is skipped silently.
 *
 * <p>Real Lance resolves a relative base path against the working directory of the process. {@link
 * LanceFixture#dataset()} therefore makes the fixture reachable under its name from there; the
 * build runs these tests in a folder of their own below {@code target}.
 */
final class Fixtures {
  private static final String EXPECTED = "expected.json";

  private Fixtures() {}

  /** A dataset with its recorded answers. */
  record LanceFixture(String name, Path folder) {
    /** The dataset's root. Read only: see {@link #copyInto}. */
    Path dataset() throws IOException {
      linkIntoWorkingDirectory(this);
      return folder.resolve("ds");
    }

    ExpectedDataset expected() throws IOException {
      return ExpectedDataset.read(folder.resolve(EXPECTED));
    }

    /**
     * Copies the dataset, times kept, and returns the copy's root. Relative base paths go on
     * meaning the original.
     */
    Path copyInto(Path target) throws IOException {
      return Trees.copy(dataset(), target.resolve(name));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** A data file of one column {@code x}, and the JSON array of its values. */
  record FileFixture(String storageVersion, String name, Path file, Path values) {
    @Override
    public String toString() {
      return storageVersion + "/" + name;
    }
  }

  /** An Iceberg table with its recorded answers. */
  record IcebergFixture(String name, Path table, Path expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<LanceFixture> lanceDatasets() throws IOException {
    return folders(lanceRoot()).stream()
        .map(folder -> new LanceFixture(folder.getFileName().toString(), folder))
        .toList();
  }

  static LanceFixture lanceDataset(String name) throws IOException {
    return lanceDatasets().stream()
        .filter(fixture -> fixture.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no dataset " + name + " in " + lanceRoot()));
  }

  /** The data files of a storage version: {@code 2.0}, {@code 2.1} or {@code 2.2}. */
  static List<FileFixture> lanceFiles(String storageVersion) throws IOException {
    Path folder = lanceFilesRoot().resolve(storageVersion);
    return children(folder, path -> path.getFileName().toString().endsWith(".lance")).stream()
        .map(
            file -> {
              String name = file.getFileName().toString().replace(".lance", "");
              return new FileFixture(
                  storageVersion, name, file, file.resolveSibling(name + ".json"));
            })
        .toList();
  }

  static List<IcebergFixture> icebergTables() throws IOException {
    return folders(icebergRoot()).stream()
        .map(
            folder ->
                new IcebergFixture(
                    folder.getFileName().toString(),
                    folder.resolve("table"),
                    folder.resolve(EXPECTED)))
        .toList();
  }

  /** The root of the repository. */
  static Path repository() {
    String root = System.getProperty("narwhal.root", "");
    if (root.isEmpty()) {
      throw new IllegalStateException("system property narwhal.root names the repository's root");
    }
    return Path.of(root).toAbsolutePath().normalize();
  }

  /** The folder whose children are the Lance datasets; relative base paths start here. */
  static Path lanceRoot() {
    return root("lance-core", "lance");
  }

  private static Path lanceFilesRoot() {
    return root("lance-core", "lance-files");
  }

  private static Path icebergRoot() {
    return root("iceberg-interop", "iceberg");
  }

  private static Path root(String module, String kind) {
    String named = System.getProperty("narwhal.fixtures", "");
    return named.isEmpty()
        ? repository().resolve(module).resolve("src/test/resources/fixtures").resolve(kind)
        : Path.of(named).toAbsolutePath().normalize().resolve(kind);
  }

  private static List<Path> folders(Path root) throws IOException {
    return children(root, path -> Files.exists(path.resolve(EXPECTED)));
  }

  private static List<Path> children(Path folder, Predicate<Path> wanted) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new IllegalStateException("no folder of fixtures: " + folder);
    }
    try (Stream<Path> all = Files.list(folder)) {
      List<Path> found = all.filter(wanted).sorted().toList();
      if (found.isEmpty()) {
        throw new IllegalStateException("no fixture in " + folder);
      }
      return found;
    }
  }

  private static void linkIntoWorkingDirectory(LanceFixture fixture) throws IOException {
    Path work = Path.of("").toAbsolutePath();
    if (work.getParent() == null || !work.getParent().endsWith("target")) {
      throw new IllegalStateException("run in a folder below target, not in " + work);
    }
    Path link = work.resolve(fixture.name());
    if (Files.isSymbolicLink(link) && !Files.readSymbolicLink(link).equals(fixture.folder())) {
      Files.delete(link);
    }
    if (!Files.exists(link)) {
      Files.createSymbolicLink(link, fixture.folder());
    }
  }
}
