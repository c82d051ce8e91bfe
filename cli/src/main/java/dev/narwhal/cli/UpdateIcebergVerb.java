package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.iceberg.rowdelete.RowDeletes;
import dev.narwhal.iceberg.rowdelete.SetColumns;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import dev.narwhal.iceberg.rowdelete.plan.RowMatcher;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code narwhal update-iceberg}. */
@Command(
    name = "update-iceberg",
    description = "Sets columns of rows of an Iceberg table to constants and commits.")
final class UpdateIcebergVerb implements Callable<Integer> {
  private final Console console;

  @Spec private @Nullable CommandSpec spec;
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
  private List<String> set = new ArrayList<>();

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
    Map<String, String> values = values();
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

  /** By column. A value may hold further equals signs. */
  private Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    for (String assignment : set) {
      int equals = assignment.indexOf('=');
      if (equals < 1) {
        throw usage("--set takes COLUMN=VALUE, such as n=n+1: '" + assignment + "'");
      }
      String column = assignment.substring(0, equals).strip();
      if (values.put(column, assignment.substring(equals + 1)) != null) {
        throw usage("--set sets column '" + column + "' twice");
      }
    }
    return values;
  }

  private ParameterException usage(String message) {
    return new ParameterException(Objects.requireNonNull(spec, "spec").commandLine(), message);
  }
}
