package dev.narwhal.cli;

import dev.narwhal.lance.storage.ObjectStore;
import dev.narwhal.lance.storage.Stores;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** A tag or branch of a dataset: its name behind the dataset, or as an option. */
final class ReferenceTarget {
  @Spec(Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Parameters(index = "0", paramLabel = "LANCE", description = "Path or file: URI of a dataset.")
  private String uri = "";

  @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "The name.")
  private @Nullable String parameter;

  @Option(names = "--name", paramLabel = "NAME", description = "The same as an option.")
  private @Nullable String option;

  /** The dataset's root, whose versions nobody has looked at yet. */
  ObjectStore root() {
    return Stores.local().at(uri);
  }

  /** The name, which must be said, and once. */
  String name() {
    if (spec != null && (parameter == null) == (option == null)) {
      throw new ParameterException(
          spec.commandLine(),
          option == null ? "say the NAME, behind LANCE" : "give NAME or --name, not both");
    }
    return parameter == null ? String.valueOf(option) : parameter;
  }
}
