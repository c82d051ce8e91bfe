package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code narwhal rename-column}. */
@Command(
    name = "rename-column",
    description = "Gives a column another name. No data file is rewritten.")
final class RenameColumnVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private ChangeOptions change = new ChangeOptions();

  @Option(
      names = "--from",
      required = true,
      paramLabel = "A",
      description = "The column, or the path a.b of a struct's member.")
  private String from = "";

  @Option(
      names = "--to",
      required = true,
      paramLabel = "B",
      description = "Its new name, without the path.")
  private String to = "";

  RenameColumnVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    return change.run(
        console, "rename of " + from + " to " + to, table -> table.renameColumn(from, to));
  }
}
