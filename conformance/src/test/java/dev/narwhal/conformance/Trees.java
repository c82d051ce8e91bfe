package dev.narwhal.conformance;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Whole folders of files. */
final class Trees {
  private Trees() {}

  /**
   * Copies {@code source} to {@code target}, which must not exist yet, and returns it.
   *
   * <p>Files keep their times, which real Lance's clean-up looks at, but not their modes: a copy of
   * a read-only folder can be written.
   */
  static Path copy(Path source, Path target) throws IOException {
    Files.createDirectories(target.toAbsolutePath().getParent());
    Files.walkFileTree(
        source,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectory(target.resolve(source.relativize(dir).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path copy = target.resolve(source.relativize(file).toString());
            Files.write(copy, Files.readAllBytes(file));
            Files.setLastModifiedTime(copy, attributes.lastModifiedTime());
            return FileVisitResult.CONTINUE;
          }
        });
    return target;
  }

  /** The bytes of all files below {@code folder}. */
  static long sizeBytes(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
