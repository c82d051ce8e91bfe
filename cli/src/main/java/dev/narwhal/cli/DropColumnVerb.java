package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code narwhal drop-column}. */
@Command(
    name = "drop-column",
    description = "Takes columns out of the schema. No data file is rewritten.")
final class DropColumnVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private ChangeOptions change = new ChangeOptions();

  @Option(
      names = "--name",
      required = true,
      paramLabel = "N",
      description = "The column, or the path a.b of a struct's member; may be repeated.")
  private List<String> names = List.of();

  DropColumnVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    return change.run(
        console, "drop of " + String.join(", ", names), table -> table.dropColumns(names));
  }
}
