package dev.narwhal.cli;

import picocli.CommandLine.Option;

/** Options of every verb. */
final class CommonOptions {
  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;
}
