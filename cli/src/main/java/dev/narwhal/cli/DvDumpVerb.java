package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code narwhal dv dump}. */
@Command(name = "dump", description = "Shows what is in a deletion vector.")
final class DvDumpVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private VectorOptions vector = new VectorOptions();

  DvDumpVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    console.print(common.json, new VectorReport(vector.read(), Map.of()));
    return ExitCode.DONE;
  }
}
