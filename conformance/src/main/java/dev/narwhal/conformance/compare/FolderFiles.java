package dev.narwhal.conformance.compare;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;

/**
 * The files below a folder with their sizes. Checksum files that Hadoop's local file system puts
 * beside every file are no part of a table and left out.
 */
record FolderFiles(Map<Path, Long> sizes) {
  FolderFiles {
    sizes = Map.copyOf(sizes);
  }

  static FolderFiles of(Path folder) throws IOException {
    Map<Path, Long> sizes = new HashMap<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (!file.getFileName().toString().endsWith(".crc")) {
              sizes.put(file, attributes.size());
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return new FolderFiles(sizes);
  }

  /** The files that were not there before. */
  FolderFiles since(FolderFiles before) {
    Map<Path, Long> added = new HashMap<>(sizes);
    added.keySet().removeAll(before.sizes.keySet());
    return new FolderFiles(added);
  }

  long count() {
    return sizes.size();
  }

  long bytes() {
    return sizes.values().stream().mapToLong(Long::longValue).sum();
  }
}
