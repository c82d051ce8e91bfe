package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.source.SchemaFile;
import dev.narwhal.lance.write.columns.ColumnAddition;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code narwhal add-column}. */
@Command(
    name = "add-column",
    description = {
      "Adds a nullable column: null in all rows, or computed from the other columns.",
      "Old data files stay; a computed column is a new one beside them."
    })
final class AddColumnVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private ChangeOptions change = new ChangeOptions();

  @Option(names = "--name", required = true, paramLabel = "N", description = "Its name.")
  private String name = "";

  @ArgGroup(exclusive = false, multiplicity = "1")
  private Content content = new Content();

  /** At least one of them. */
  static final class Content {
    @Option(
        names = "--type",
        required = false,
        paramLabel = "T",
        description =
            "Its type as Lance names it, such as int64, string, double, timestamp:us:UTC or"
                + " fixed_size_list:float:4 (that of the expression).")
    private @Nullable String type;

    @Option(
        names = "--expression",
        required = false,
        paramLabel = "E",
        description = "Its value, in SQL over the other columns (null).")
    private @Nullable String expression;
  }

  AddColumnVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    return change.runOn(
        console,
        "column " + name + " added",
        (dataset, dryRun) -> {
          ColumnAddition columns = dataset.addColumns();
          ColumnAddition addition = dryRun ? columns.asDryRun() : columns;
          if (content.type == null) {
            return addition.computed(name, String.valueOf(content.expression));
          }
          Field field = SchemaFile.field(name, content.type);
          return content.expression == null
              ? addition.nulls(List.of(field))
              : addition.computed(field, content.expression);
        });
  }
}
