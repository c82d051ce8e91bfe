package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.rows.SourceRecords;
import dev.narwhal.iceberg.rowdelete.RowDeletes;
import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code narwhal overwrite-iceberg}. */
@Command(
    name = "overwrite-iceberg",
    description = "Puts new rows in the place of others in an Iceberg table, in one commit.")
final class OverwriteIcebergVerb implements Callable<Integer> {
  private final Console console;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private TableChange change = new TableChange();

  @Option(
      names = "--source",
      required = true,
      paramLabel = "FILE",
      description = "The new rows: JSON lines or Parquet.")
  private Path source = Path.of("");

  @Option(
      names = "--where",
      paramLabel = "E",
      description = "Rows for which this is true go (all of them).")
  private @Nullable String where;

  @Option(
      names = "--dynamic-partitions",
      description = "The rows of just the partitions that the new rows lie in go.")
  private boolean dynamicPartitions;

  @Option(
      names = "--mode",
      paramLabel = "M",
      converter = ModeName.class,
      description = "merge-on-read or copy-on-write (copy-on-write).")
  private DeleteMode mode = DeleteMode.COPY_ON_WRITE;

  OverwriteIcebergVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    if (dynamicPartitions && spec != null) {
      if (where != null) {
        throw new ParameterException(
            spec.commandLine(), "--where and --dynamic-partitions exclude each other");
      }
      if (mode == DeleteMode.MERGE_ON_READ) {
        throw new ParameterException(
            spec.commandLine(), "--dynamic-partitions replaces files: no --mode merge-on-read");
      }
    }
    return change.run(
        console,
        (table, allocator) -> {
          RowDeletes deletes = new RowDeletes(table, allocator);
          try (CloseableIterable<Record> rows = SourceRecords.open(source, table.schema())) {
            return dynamicPartitions
                ? deletes.prepareDynamicPartitionOverwrite(rows)
                : deletes.prepareOverwrite(
                    deletes.matcher(where == null ? "TRUE" : where), rows, mode);
          }
        });
  }
}
