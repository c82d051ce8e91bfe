package dev.narwhal.cli;

import dev.narwhal.lance.write.ConfigChange;
import dev.narwhal.lance.write.MapChange;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Which of a table's maps is changed: its configuration, unless something else is said. */
final class ConfigTarget {
  @ArgGroup private @Nullable Choice choice;

  ConfigChange of(MapChange change) {
    Choice chosen = choice == null ? new Choice() : choice;
    if (chosen.table) {
      return ConfigChange.ofTableMetadata(change);
    }
    if (chosen.schema) {
      return ConfigChange.ofSchemaMetadata(change);
    }
    return chosen.column == null
        ? ConfigChange.ofConfig(change)
        : ConfigChange.ofColumn(chosen.column, change);
  }

  /** One of them at most. */
  static final class Choice {
    @Option(names = "--table-metadata", description = "Change the table's metadata instead.")
    private boolean table;

    @Option(names = "--schema-metadata", description = "Change the schema's metadata instead.")
    private boolean schema;

    @Option(
        names = "--column",
        paramLabel = "N",
        description = "Change the metadata of this column instead.")
    private @Nullable String column;
  }
}
