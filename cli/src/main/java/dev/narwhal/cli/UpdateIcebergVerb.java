package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.iceberg.rowdelete.RowDeletes;
import dev.narwhal.iceberg.rowdelete.SetColumns;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.rowdelete.plan.RowMatcher;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code narwhal update-iceberg}. */
@Command(
    name = "update-iceberg",
    description = "Sets columns of rows of an Iceberg table to constants and commits.")
final class UpdateIcebergVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private TableChange change = new TableChange();

  @Option(
      names = "--where",
      required = true,
      paramLabel = "E",
      description = "Update the rows for which this is true.")
  private String where = "";

  @Option(
      names = "--set",
      required = true,
      paramLabel = "COLUMN=VALUE",
      description = "An expression on the row as it was, such as x + 1, 'text' or NULL.")
  private Map<String, String> set = new LinkedHashMap<>();

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
    return change.run(
        console,
        (table, allocator) -> {
          RowDeletes deletes = new RowDeletes(table, allocator);
          RowMatcher matcher = deletes.matcher(where);
          SetColumns columns = SetColumns.of(table.schema(), set);
          return asked == null
              ? deletes.prepareUpdate(matcher, columns)
              : deletes.prepareUpdate(matcher, columns, asked);
        });
  }
}
