package dev.narwhal.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The verbs on tags. */
@Command(
    name = "tag",
    synopsisSubcommandLabel = "(create | delete | list)",
    description = "Creates, deletes and lists tags.")
final class TagCommand {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;
}
