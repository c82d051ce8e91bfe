package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.write.RowSource;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code narwhal append}. */
@Command(name = "append", description = "Adds the rows of a file and commits.")
final class AppendVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private NewRows rows = new NewRows();

  AppendVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    return rows.run(
        console,
        "append",
        (dataset, file, allocator) -> {
          if (rows.schema().isPresent()) {
            throw new IllegalArgumentException(
                dataset.uri() + ": the dataset has a schema already; --schema is for a new one");
          }
          try (RowSource source = file.open(dataset.arrowSchema(BlobMode.BYTES), allocator)) {
            return dataset.insert().withOptions(rows.options()).append(source);
          }
        });
  }
}
