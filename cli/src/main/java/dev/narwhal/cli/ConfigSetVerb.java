package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.lance.write.ConfigChange;
import dev.narwhal.lance.write.MapChange;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code narwhal config set}. */
@Command(name = "set", description = "Sets keys, new ones or others.")
final class ConfigSetVerb implements Callable<Integer> {
  private final Console console;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private ChangeOptions change = new ChangeOptions();
  @Mixin private ConfigTarget target = new ConfigTarget();

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "KEY=VALUE",
      description = "What to set.")
  private List<String> entries = List.of();

  ConfigSetVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    ConfigChange config = target.of(MapChange.set(values()));
    return change.run(
        console, "set of " + String.join(", ", entries), table -> table.updateConfig(config));
  }

  private Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    for (String entry : entries) {
      int equals = entry.indexOf('=');
      boolean valid = equals > 0;
      if (spec != null && (!valid || values.containsKey(entry.substring(0, equals)))) {
        throw new ParameterException(
            spec.commandLine(),
            valid
                ? "'" + entry + "' sets a key for the second time"
                : "'" + entry + "' is no KEY=VALUE");
      }
      values.put(entry.substring(0, equals), entry.substring(equals + 1));
    }
    return values;
  }
}
