package dev.narwhal.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The verbs on branchs. */
@Command(
    name = "branch",
    synopsisSubcommandLabel = "(create | delete | list)",
    description = "Creates, deletes and lists branchs.")
final class BranchCommand {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;
}
