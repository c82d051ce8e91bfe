package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.rows.SourceRecords;
import dev.narwhal.iceberg.rowdelete.RowDeletes;
import dev.narwhal.iceberg.rowdelete.plan.ColumnNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code narwhal equality-delete}. */
@Command(
    name = "equality-delete",
    description = "Deletes the rows of an Iceberg table that equal others, without reading data.")
final class EqualityDeleteVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private TableChange change = new TableChange();

  @Option(
      names = "--source",
      required = true,
      paramLabel = "FILE",
      description = "The rows to compare with: JSON lines or Parquet.")
  private Path source = Path.of("");

  @Option(
      names = "--on",
      required = true,
      split = ",",
      paramLabel = "COLUMN",
      description = "The columns to compare; null equals null.")
  private List<String> on = new ArrayList<>();

  EqualityDeleteVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    return change.run(
        console,
        (table, allocator) -> {
          Set<Integer> ids = ids(table.schema());
          try (CloseableIterable<Record> rows = SourceRecords.open(source, table.schema())) {
            return new RowDeletes(table, allocator).prepareEqualityDelete(rows, ids);
          }
        });
  }

  private Set<Integer> ids(Schema schema) {
    Set<Integer> ids = new LinkedHashSet<>();
    for (String name : on) {
      ids.add(ColumnNames.find(schema, name).fieldId());
    }
    return ids;
  }
}
