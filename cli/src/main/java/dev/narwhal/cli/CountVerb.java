package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.output.Report;
import dev.narwhal.lance.Dataset;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code narwhal count}. */
@Command(name = "count", description = "Counts live rows.")
final class CountVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private VersionOptions version = new VersionOptions();

  @Parameters(paramLabel = "LANCE", description = "Path or file: URI of a dataset.")
  private String uri = "";

  @Option(names = "--where", paramLabel = "E", description = "Only rows for which this is true.")
  private @Nullable String where;

  CountVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset dataset = Dataset.open(uri, version.selector(), allocator);
      long rows = where == null ? dataset.countRows() : dataset.countRows(where);
      console.print(common.json, new Count(rows));
    }
    return ExitCode.DONE;
  }

  private record Count(long rows) implements Report {
    @Override
    public void json(JsonGenerator json) throws IOException {
      json.writeNumberField("count", rows);
    }

    @Override
    public void text(StringBuilder text) {
      text.append(rows).append('\n');
    }
  }
}
