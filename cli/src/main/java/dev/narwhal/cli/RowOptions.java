package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.rows.ArrowRows;
import dev.narwhal.cli.rows.CsvRows;
import dev.narwhal.cli.rows.JsonRows;
import dev.narwhal.cli.rows.RowWriter;
import dev.narwhal.lance.scan.SystemColumns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Which columns of rows are printed, and how. */
final class RowOptions {
  @Spec(Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--columns",
      split = ",",
      paramLabel = "NAME",
      description = "Only these columns, in this order.")
  private @Nullable List<String> columns;

  @Option(names = "--with-row-id", description = "Add the column _rowid.")
  private boolean rowId;

  @Option(names = "--with-row-address", description = "Add the column _rowaddr.")
  private boolean rowAddress;

  @Option(
      names = "--with-versions",
      description = "Add the columns _row_created_at_version and _row_last_updated_at_version.")
  private boolean versions;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "${COMPLETION-CANDIDATES}; json is one object per line.")
  private Format format = Format.json;

  /** Named as on the command line. */
  enum Format {
    json,
    csv,
    arrow
  }

  /**
   * Refuses {@code --json} together with another format.
   *
   * @param json whether {@code --json} was given
   */
  void check(boolean json) {
    if (json && format != Format.json && spec != null) {
      throw new ParameterException(
          spec.commandLine(), "--json and --format " + format + " exclude each other");
    }
  }

  /** Refuses what rows of a single data file do not have. */
  void refuseSystemColumns() {
    if ((rowId || rowAddress || versions) && spec != null) {
      throw new ParameterException(
          spec.commandLine(),
          "rows of a single data file have no row id, row address and versions: open the dataset");
    }
  }

  /**
   * The columns that were asked for, system columns last.
   *
   * @param known all columns, for when none was asked for
   */
  List<String> columns(List<String> known) {
    List<String> all = new ArrayList<>(columns == null ? known : columns);
    if (rowId) {
      all.add(SystemColumns.ROW_ID);
    }
    if (rowAddress) {
      all.add(SystemColumns.ROW_ADDRESS);
    }
    if (versions) {
      all.add(SystemColumns.ROW_CREATED_AT_VERSION);
      all.add(SystemColumns.ROW_LAST_UPDATED_AT_VERSION);
    }
    return all;
  }

  /** A writer to the console's output. The caller closes it. */
  RowWriter writer(Console console, Schema schema, BufferAllocator allocator) throws IOException {
    DictionaryProvider none = new DictionaryProvider.MapDictionaryProvider();
    return switch (format) {
      case json -> new JsonRows(schema, none, console.out());
      case csv -> new CsvRows(schema, none, console.out());
      case arrow -> new ArrowRows(schema, none, console.out(), allocator);
    };
  }
}
