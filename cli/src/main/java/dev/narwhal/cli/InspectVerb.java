package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.fragment.Fragment;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code narwhal inspect}. */
@Command(
    name = "inspect",
    description = "Shows what a version of a dataset, or a single data file, is made of.")
final class InspectVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private VersionOptions version = new VersionOptions();

  @Parameters(
      paramLabel = "LANCE",
      description = "Path or file: URI of a dataset, or of a single data file.")
  private String uri = "";

  InspectVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    Optional<DataFilePath> file = DataFilePath.of(uri);
    if (file.isPresent()) {
      version.refuse();
      console.print(common.json, DataFileReport.of(file.get()));
      return ExitCode.DONE;
    }
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset dataset = Dataset.open(uri, version.selector(), allocator);
      Map<Long, RowLineage> lineage = new HashMap<>();
      for (Fragment fragment : dataset.fragments()) {
        RowLineage.of(dataset, fragment).ifPresent(rows -> lineage.put(fragment.id(), rows));
      }
      console.print(
          common.json,
          new DatasetReport(
              dataset.uri(),
              dataset.manifest(),
              dataset.indices(),
              dataset.countRows(),
              lineage,
              dataset.references().tags(),
              dataset.references().branches()));
    }
    return ExitCode.DONE;
  }
}
