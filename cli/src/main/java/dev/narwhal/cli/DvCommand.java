package dev.narwhal.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The verbs on single deletion vectors. */
@Command(
    name = "dv",
    synopsisSubcommandLabel = "(dump | convert)",
    description = "Looks into a deletion vector, or writes it in another layout.")
final class DvCommand {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;
}
