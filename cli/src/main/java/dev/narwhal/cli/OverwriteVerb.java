package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.source.SourceFile;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.write.RowSource;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code narwhal overwrite}. */
@Command(
    name = "overwrite",
    description = "Replaces all rows by those of a file, in one commit. Older versions stay.")
final class OverwriteVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private NewRows rows = new NewRows();

  @Option(
      names = "--infer-schema",
      description = "The table gets the columns of the file (it keeps its own).")
  private boolean inferSchema;

  OverwriteVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    return rows.run(
        console,
        "overwrite",
        (dataset, file, allocator) -> {
          try (RowSource source = open(dataset, file, allocator)) {
            return dataset.insert().withOptions(rows.options()).overwrite(source);
          }
        });
  }

  private RowSource open(Dataset dataset, SourceFile file, BufferAllocator allocator)
      throws IOException {
    Optional<Schema> told = rows.schema();
    if (told.isPresent()) {
      return file.open(told.get(), allocator);
    }
    if (inferSchema) {
      return file.open(allocator);
    }
    RowSource source = file.open(dataset.arrowSchema(BlobMode.BYTES), allocator);
    try {
      requireColumns(dataset, source.schema());
      return source;
    } catch (IOException | RuntimeException e) {
      source.close();
      throw e;
    }
  }

  private static void requireColumns(Dataset dataset, Schema source) {
    List<String> table = names(dataset.arrowSchema());
    List<String> given = names(source);
    if (!given.containsAll(table) || !table.containsAll(given)) {
      throw new IllegalArgumentException(
          "%s: the file has columns %s, the table %s; --infer-schema gives the table those of the file"
              .formatted(dataset.uri(), given, table));
    }
  }

  private static List<String> names(Schema schema) {
    return schema.getFields().stream().map(Field::getName).toList();
  }
}
