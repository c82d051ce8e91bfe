package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.output.Progress;
import dev.narwhal.cli.rows.ArrowRows;
import dev.narwhal.cli.rows.CsvRows;
import dev.narwhal.cli.rows.JsonRows;
import dev.narwhal.cli.rows.RowWriter;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.scan.Scan;
import dev.narwhal.lance.scan.ScanOptions;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code narwhal rows}. */
@Command(name = "rows", description = "Prints live rows, in the order of the dataset.")
final class RowsVerb implements Callable<Integer> {
  private final Console console;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private VersionOptions version = new VersionOptions();

  @Parameters(paramLabel = "LANCE", description = "Path or file: URI of a dataset.")
  private String uri = "";

  @Option(names = "--where", paramLabel = "E", description = "Only rows for which this is true.")
  private @Nullable String where;

  @Option(
      names = "--columns",
      split = ",",
      paramLabel = "NAME",
      description = "Only these columns, in this order.")
  private @Nullable List<String> columns;

  @Option(names = "--with-row-address", description = "Add the column _rowaddr.")
  private boolean rowAddress;

  @Option(names = "--with-row-id", description = "Add the column _rowid.")
  private boolean rowId;

  @Option(names = "--limit", paramLabel = "N", description = "At most so many rows.")
  private @Nullable Long limit;

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

  RowsVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    if (limit != null && limit < 0) {
      throw usage("--limit must be at least 0: " + limit);
    }
    if (common.json && format != Format.json) {
      throw usage("--json and --format " + format + " exclude each other");
    }
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset dataset = Dataset.open(uri, version.selector(), allocator);
      Scan scan = dataset.scan(options(dataset));
      try (RowWriter writer = writer(scan.schema(), allocator);
          BatchReader batches = scan.read(allocator);
          Progress progress = console.progress("rows", -1)) {
        while (batches.next()) {
          writer.write(batches.batch());
          progress.advance(batches.batch().getRowCount());
        }
      }
    }
    return ExitCode.DONE;
  }

  private ScanOptions options(Dataset dataset) {
    ScanOptions options = ScanOptions.of(columns == null ? dataset.columnNames() : columns);
    if (where != null) {
      options = options.withFilter(dataset.predicate(where));
    }
    if (limit != null) {
      options = options.withLimit(limit);
    }
    if (rowId) {
      options = options.withRowId();
    }
    return rowAddress ? options.withRowAddress() : options;
  }

  private RowWriter writer(Schema schema, BufferAllocator allocator) throws IOException {
    DictionaryProvider none = new DictionaryProvider.MapDictionaryProvider();
    return switch (format) {
      case json -> new JsonRows(schema, none, console.out());
      case csv -> new CsvRows(schema, none, console.out());
      case arrow -> new ArrowRows(schema, none, console.out(), allocator);
    };
  }

  private ParameterException usage(String message) {
    if (spec == null) {
      throw new IllegalStateException(message);
    }
    return new ParameterException(spec.commandLine(), message);
  }
}
