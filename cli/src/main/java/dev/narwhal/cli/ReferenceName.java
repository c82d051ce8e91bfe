package dev.narwhal.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The name of a tag or branch, behind the dataset or as an option. */
final class ReferenceName {
  @ArgGroup(multiplicity = "1")
  private Choice choice = new Choice();

  String value() {
    if (choice.option != null) {
      return choice.option;
    }
    return choice.parameter == null ? "" : choice.parameter;
  }

  /** One of them. */
  static final class Choice {
    @Parameters(index = "1", paramLabel = "NAME", description = "The name.")
    private @Nullable String parameter;

    @Option(names = "--name", paramLabel = "NAME", description = "The name.")
    private @Nullable String option;
  }
}
