package dev.narwhal.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The verbs on a table's configuration. */
@Command(
    name = "config",
    synopsisSubcommandLabel = "(set | unset)",
    description = "Changes the configuration or the metadata of a dataset.")
final class ConfigCommand {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;
}
