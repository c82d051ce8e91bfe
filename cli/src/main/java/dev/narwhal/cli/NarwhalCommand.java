package dev.narwhal.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The top command: options that every verb shares, and nothing to run. */
@Command(
    name = "narwhal",
    synopsisSubcommandLabel = "VERB",
    description = "Deletes and commits on Lance datasets, carried into Apache Iceberg tables.",
    footer = {
      "",
      "Results go to stdout, messages to stderr. Exit code: 0 done, 1 failed, 2 wrong usage.",
      "'narwhal VERB --help' tells the options of a verb."
    })
final class NarwhalCommand {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version of narwhal and of the JVM.")
  boolean version;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Show the stack trace of a failure (also: NARWHAL_DEBUG=1).")
  boolean debug;
}
