package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.lance.write.ConfigChange;
import dev.narwhal.lance.write.MapChange;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code narwhal config unset}. */
@Command(name = "unset", description = "Removes keys; one that is not there does no harm.")
final class ConfigUnsetVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private ChangeOptions change = new ChangeOptions();
  @Mixin private ConfigTarget target = new ConfigTarget();

  @Parameters(index = "1..*", arity = "1..*", paramLabel = "KEY", description = "What to remove.")
  private List<String> keys = List.of();

  ConfigUnsetVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    ConfigChange config = target.of(MapChange.unset(new HashSet<>(keys)));
    return change.run(
        console, "unset of " + String.join(", ", keys), table -> table.updateConfig(config));
  }
}
