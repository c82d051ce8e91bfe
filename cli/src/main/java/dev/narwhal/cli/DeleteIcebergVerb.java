package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.iceberg.rowdelete.RowDeletes;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.rowdelete.plan.RowMatcher;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code narwhal delete-iceberg}. */
@Command(name = "delete-iceberg", description = "Deletes rows of an Iceberg table and commits.")
final class DeleteIcebergVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private TableChange change = new TableChange();

  @Option(
      names = "--where",
      required = true,
      paramLabel = "E",
      description = "Delete the rows for which this is true.")
  private String where = "";

  @Option(
      names = "--mode",
      paramLabel = "M",
      converter = ModeName.class,
      description = "merge-on-read or copy-on-write (by the property write.delete.mode).")
  private @Nullable DeleteMode mode;

  DeleteIcebergVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    DeleteMode asked = mode;
    return change.run(
        console,
        (table, allocator) -> {
          RowDeletes deletes = new RowDeletes(table, allocator);
          RowMatcher matcher = deletes.matcher(where);
          return asked == null
              ? deletes.prepareDelete(matcher)
              : deletes.prepareDelete(matcher, asked);
        });
  }
}
