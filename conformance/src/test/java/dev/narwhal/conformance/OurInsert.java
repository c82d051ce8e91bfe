package dev.narwhal.conformance;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.datafile.FileVersion;
import dev.narwhal.lance.storage.LocalObjectStore;
import dev.narwhal.lance.write.RowSource;
import dev.narwhal.lance.write.insert.InsertOptions;
import dev.narwhal.lance.write.insert.InsertResult;
import dev.narwhal.lance.write.insert.NewDataset;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/** Has Narwhal insert rows, one batch at a time, as {@link JudgeWriter} has real Lance do. */
record OurInsert(Path dataset, InsertOptions options) {
  static OurInsert into(Path dataset) {
    return new OurInsert(dataset, InsertOptions.standard());
  }

  OurInsert withOptions(InsertOptions other) {
    return new OurInsert(dataset, other);
  }

  InsertResult create(String version, Schema schema, int rows, JudgeWriter.Filler filler)
      throws IOException {
    InsertOptions versioned = options.withDataStorageVersion(FileVersion.named(version));
    NewDataset made = new NewDataset(LocalObjectStore.at(dataset)).withOptions(versioned);
    return with(schema, rows, filler, (source, allocator) -> made.write(source));
  }

  InsertResult append(Schema schema, int rows, JudgeWriter.Filler filler) throws IOException {
    return with(
        schema,
        rows,
        filler,
        (source, allocator) -> open(allocator).insert().withOptions(options).append(source));
  }

  InsertResult overwrite(Schema schema, int rows, JudgeWriter.Filler filler) throws IOException {
    return with(
        schema,
        rows,
        filler,
        (source, allocator) -> open(allocator).insert().withOptions(options).overwrite(source));
  }

  private Dataset open(BufferAllocator allocator) throws IOException {
    return Dataset.open(dataset.toString(), allocator);
  }

  @FunctionalInterface
  private interface Use {
    InsertResult of(RowSource source, BufferAllocator allocator) throws IOException;
  }

  private static InsertResult with(Schema schema, int rows, JudgeWriter.Filler filler, Use use)
      throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot batch = VectorSchemaRoot.create(schema, allocator);
        RowSource source = RowSource.of(batch)) {
      filler.fill(batch, 0, rows);
      return use.of(source, allocator);
    }
  }
}
