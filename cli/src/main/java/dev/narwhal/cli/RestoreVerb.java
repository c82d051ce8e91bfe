package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.write.ChangeResult;
import dev.narwhal.lance.write.TableChange;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code narwhal restore}. */
@Command(
    name = "restore",
    description = "Makes an older version the newest again, as a new version; no version is lost.")
final class RestoreVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private VersionOptions version = new VersionOptions();

  @Parameters(paramLabel = "LANCE", description = "Path or file: URI of a dataset.")
  private String uri = "";

  @Option(names = "--dry-run", description = "Check and report, write nothing.")
  private boolean dryRun;

  RestoreVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    VersionSelector selector = version.explicitSelector();
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset dataset = Dataset.open(uri, selector, allocator);
      TableChange change = dataset.change();
      ChangeResult result = (dryRun ? change.asDryRun() : change).restore(dataset.version());
      String what = "restore of version " + Long.toUnsignedString(dataset.version());
      console.print(common.json, new ChangeOptions.Changed(result, what, dryRun));
    }
    return ExitCode.DONE;
  }
}
