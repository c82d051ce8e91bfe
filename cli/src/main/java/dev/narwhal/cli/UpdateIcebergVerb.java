package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.iceberg.rowdelete.RowDeletes;
import dev.narwhal.iceberg.rowdelete.SetColumns;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.rowdelete.plan.RowMatcher;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code narwhal update-iceberg}. */
@Command(
    name = "update-iceberg",
    description =
        "Sets columns of rows of an Iceberg table to the values of expressions and commits.")
final class UpdateIcebergVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private TableChange change = new TableChange();
  @Mixin private SetOption set = new SetOption();

  @Option(
      names = "--where",
      required = true,
      paramLabel = "E",
      description = "Update the rows for which this is true.")
  private String where = "";

  @Option(
      names = "--mode",
      paramLabel = "M",
      converter = ModeName.class,
      description = "merge-on-read or copy-on-write (by the property write.update.mode).")
  private @Nullable DeleteMode mode;

  UpdateIcebergVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    DeleteMode asked = mode;
    Map<String, String> values = set.values();
    return change.run(
        console,
        (table, allocator) -> {
          RowDeletes deletes = new RowDeletes(table, allocator);
          RowMatcher matcher = deletes.matcher(where);
          SetColumns columns = SetColumns.of(table.schema(), values);
          return asked == null
              ? deletes.prepareUpdate(matcher, columns)
              : deletes.prepareUpdate(matcher, columns, asked);
        });
  }
}
