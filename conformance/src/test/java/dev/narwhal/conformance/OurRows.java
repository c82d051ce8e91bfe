package dev.narwhal.conformance;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.scan.BatchReader;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** What Narwhal reads, in the canonical form. */
final class OurRows {
  private OurRows() {}

  /** All live rows of the newest version. */
  static CanonicalRows.Result of(Path dataset) throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      return of(Dataset.open(dataset.toString(), allocator));
    }
  }

  /** All live rows. */
  static CanonicalRows.Result of(Dataset dataset) throws IOException {
    CanonicalRows rows = new CanonicalRows();
    try (BatchReader reader = dataset.read()) {
      while (reader.next()) {
        rows.add(reader.batch());
      }
    }
    return rows.result();
  }
}
