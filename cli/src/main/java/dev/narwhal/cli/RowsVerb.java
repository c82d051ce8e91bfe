package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.output.Progress;
import dev.narwhal.cli.rows.RowWriter;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.predicate.Predicate;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.scan.Scan;
import dev.narwhal.lance.scan.ScanOptions;
import dev.narwhal.lance.scan.StandaloneFile;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code narwhal rows}. */
@Command(
    name = "rows",
    description =
        "Prints live rows, in the order of the dataset, or all rows of a single data file.")
final class RowsVerb implements Callable<Integer> {
  private final Console console;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private RowOptions rows = new RowOptions();

  @Parameters(
      paramLabel = "LANCE",
      description = "Path or file: URI of a dataset, or of a single data file.")
  private String uri = "";

  @Option(names = "--where", paramLabel = "E", description = "Only rows for which this is true.")
  private @Nullable String where;

  @Option(names = "--limit", paramLabel = "N", description = "At most so many rows.")
  private @Nullable Long limit;

  RowsVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    if (limit != null && limit < 0) {
      throw usage("--limit must be at least 0: " + limit);
    }
    rows.check(common.json);
    Optional<DataFilePath> file = DataFilePath.of(uri);
    try (BufferAllocator allocator = new RootAllocator()) {
      if (file.isPresent()) {
        version.refuse();
        rows.refuseSystemColumns();
        StandaloneFile alone = StandaloneFile.of(file.get().store(), file.get().name());
        print(alone.scan(options(alone.columnNames(), alone::predicate)), allocator);
      } else {
        Dataset dataset = Dataset.open(uri, version.selector(), allocator);
        print(dataset.scan(options(dataset.columnNames(), dataset::predicate)), allocator);
      }
    }
    return ExitCode.DONE;
  }

  private void print(Scan scan, BufferAllocator allocator) throws IOException {
    try (RowWriter writer = rows.writer(console, scan.schema(), allocator);
        BatchReader batches = scan.read(allocator);
        Progress progress = console.progress("rows", -1)) {
      while (batches.next()) {
        writer.write(batches.batch());
        progress.advance(batches.batch().getRowCount());
      }
    }
  }

  private ScanOptions options(List<String> known, Function<String, Predicate> predicates) {
    ScanOptions options = ScanOptions.of(rows.columns(known)).withBlobs(rows.blobs());
    if (where != null) {
      options = options.withFilter(predicates.apply(where));
    }
    return limit == null ? options : options.withLimit(limit);
  }

  private ParameterException usage(String message) {
    if (spec == null) {
      throw new IllegalStateException(message);
    }
    return new ParameterException(spec.commandLine(), message);
  }
}
