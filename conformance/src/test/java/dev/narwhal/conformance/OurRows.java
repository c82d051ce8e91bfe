package dev.narwhal.conformance;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.scan.ScanOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseIntVector;

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

  /** Live rows' values of an integer column without nulls, u64 as all bits of a long. */
  static long[] longs(Dataset dataset, String column) throws IOException {
    LongStream.Builder values = LongStream.builder();
    try (BufferAllocator allocator = new RootAllocator();
        BatchReader reader = dataset.scan(ScanOptions.of(List.of(column))).read(allocator)) {
      while (reader.next()) {
        BaseIntVector ints = (BaseIntVector) reader.batch().getVector(0);
        for (int i = 0; i < reader.batch().getRowCount(); i++) {
          values.add(ints.getValueAsLong(i));
        }
      }
    }
    return values.build().toArray();
  }
}
