package dev.narwhal.conformance.compare;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folder {@code work} below the report, where the copies live. It is marked as ours, and a
 * folder without the mark is never removed.
 */
final class WorkFolder {
  private static final String NAME = "work";
  private static final String MARK = ".narwhal-compare";

  private final Path folder;

  private WorkFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * An empty work folder; the one that an earlier comparison left is removed.
   *
   * @throws FileAlreadyExistsException when there is a folder of that name that is not ours
   */
  static WorkFolder renew(Path report) throws IOException {
    Path folder = report.toAbsolutePath().normalize().resolve(NAME);
    if (Files.exists(folder)) {
      if (!Files.exists(folder.resolve(MARK))) {
        throw new FileAlreadyExistsException(
            folder.toString(), null, "it was not made by compare; choose another --out");
      }
      removeTree(folder);
    }
    Files.createDirectories(folder);
    Files.createFile(folder.resolve(MARK));
    return new WorkFolder(folder);
  }

  /** A path for a copy. */
  Path folder(String name) {
    return folder.resolve(name);
  }

  /** Removes the copies whose name begins so. */
  void remove(String prefix) throws IOException {
    List<Path> folders;
    try (Stream<Path> children = Files.list(folder)) {
      folders =
          children.filter(child -> child.getFileName().toString().startsWith(prefix)).toList();
    }
    for (Path child : folders) {
      removeTree(child);
    }
  }

  private static void removeTree(Path root) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(
              Path directory, @SuppressWarnings("unused") IOException failure) throws IOException {
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
