package dev.narwhal.conformance;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.datafile.LanceFile;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.storage.LocalObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.util.AutoCloseables;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Narwhal's own reader of single data files. */
final class OurFiles {
  private OurFiles() {}

  static LanceFile open(Path file) throws IOException {
    Path folder = requireNonNull(file.toAbsolutePath().getParent(), "a file is in a folder");
    return LanceFile.open(LocalObjectStore.at(folder), file.getFileName().toString());
  }

  /** Rows [first, first + count) of all top-level fields. The caller closes the result. */
  static VectorSchemaRoot read(LanceFile file, long first, int count, BufferAllocator allocator)
      throws IOException {
    List<FieldVector> vectors = new ArrayList<>();
    try {
      for (LanceField field : file.schema().topLevel()) {
        vectors.add(file.column(field).read(first, count, allocator));
      }
      VectorSchemaRoot root = new VectorSchemaRoot(vectors);
      root.setRowCount(count);
      return root;
    } catch (IOException | RuntimeException e) {
      AutoCloseables.close(e, vectors);
      throw e;
    }
  }
}
