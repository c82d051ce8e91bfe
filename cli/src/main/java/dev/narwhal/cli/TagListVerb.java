package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.lance.Dataset;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code narwhal tag list}. */
@Command(name = "list", description = "Lists the tags of a dataset, those of its branches too.")
final class TagListVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private CommonOptions common = new CommonOptions();

  @Parameters(paramLabel = "LANCE", description = "Path or file: URI of a dataset.")
  private String uri = "";

  TagListVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset dataset = Dataset.open(uri, allocator);
      console.print(common.json, new TagReport.All(dataset.tags().list()));
    }
    return ExitCode.DONE;
  }
}
