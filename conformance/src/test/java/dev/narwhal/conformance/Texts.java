package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.schema.BlobMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.lance.ipc.ScanOptions;

/** Rows in the canonical text form, one text each. */
final class Texts {
  private static final DictionaryProvider NO_DICTIONARIES =
      new DictionaryProvider.MapDictionaryProvider();

  private Texts() {}

  /** Rows of vectors. */
  static List<String> of(List<FieldVector> columns, int rows, DictionaryProvider dictionaries) {
    CanonicalValue row =
        CanonicalValue.object(
            columns.stream().map(FieldVector::getName).toList(),
            columns.stream().map(column -> CanonicalValue.of(column, dictionaries)).toList());
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      texts.add(CanonicalValue.text(row, i));
    }
    return texts;
  }

  /** Rows that real Lance scans. */
  static List<String> of(LanceJudge judge, ScanOptions options) throws IOException {
    List<String> texts = new ArrayList<>();
    judge.scan(
        options,
        (batch, dictionaries) ->
            texts.addAll(of(batch.getFieldVectors(), batch.getRowCount(), dictionaries)));
    return texts;
  }

  /** Rows that Narwhal reads, blobs as descriptors. */
  static List<String> read(Path dataset) throws IOException {
    return read(dataset, BlobMode.DESCRIPTORS);
  }

  /** Rows that Narwhal reads, blobs as bytes. */
  static List<String> readBlobs(Path dataset) throws IOException {
    return read(dataset, BlobMode.BYTES);
  }

  private static List<String> read(Path path, BlobMode blobs) throws IOException {
    List<String> texts = new ArrayList<>();
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset dataset = Dataset.open(path.toString(), allocator);
      dev.narwhal.lance.scan.ScanOptions options =
          dev.narwhal.lance.scan.ScanOptions.of(dataset.columnNames()).withBlobs(blobs);
      try (BatchReader reader = dataset.scan(options).read(allocator)) {
        while (reader.next()) {
          VectorSchemaRoot batch = reader.batch();
          texts.addAll(of(batch.getFieldVectors(), batch.getRowCount(), NO_DICTIONARIES));
        }
      }
      assertThat(allocator.getAllocatedMemory()).isZero();
    }
    return texts;
  }
}
