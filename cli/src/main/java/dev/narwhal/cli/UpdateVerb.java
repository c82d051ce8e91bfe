package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.output.Report;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.write.update.ColumnRewrite;
import dev.narwhal.lance.write.update.RowUpdate;
import dev.narwhal.lance.write.update.UpdateOptions;
import dev.narwhal.lance.write.update.UpdateResult;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code narwhal update}. */
@Command(name = "update", description = "Sets columns of rows to the values of expressions.")
final class UpdateVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private SetOption set = new SetOption();

  @Parameters(paramLabel = "LANCE", description = "Path or file: URI of a dataset.")
  private String uri = "";

  @Option(
      names = "--where",
      required = true,
      paramLabel = "E",
      description = "Update the rows for which this is true; 'true' means all.")
  private String where = "";

  @Option(names = "--branch", paramLabel = "B", description = "Update on this branch.")
  private @Nullable String branch;

  @Option(
      names = "--in-place",
      description =
          "Write the columns anew for all rows of the fragments that have rows to update, and move"
              + " no row.")
  private boolean inPlace;

  @Option(names = "--dry-run", description = "Compute and report, write nothing.")
  private boolean dryRun;

  UpdateVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    VersionSelector newest = VersionOptions.newest(branch);
    Map<String, String> values = set.values();
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset dataset = Dataset.open(uri, newest, allocator);
      UpdateResult result = inPlace ? rewrite(dataset, values) : update(dataset, values);
      console.print(common.json, new Updated(result, dryRun));
    }
    return ExitCode.DONE;
  }

  private UpdateOptions options() {
    return dryRun ? UpdateOptions.standard().asDryRun() : UpdateOptions.standard();
  }

  private UpdateResult update(Dataset dataset, Map<String, String> values) throws IOException {
    RowUpdate update = dataset.update().where(where).withOptions(options());
    values.forEach(update::set);
    return update.execute();
  }

  private UpdateResult rewrite(Dataset dataset, Map<String, String> values) throws IOException {
    ColumnRewrite rewrite = dataset.rewriteColumns().where(where).withOptions(options());
    values.forEach(rewrite::set);
    return rewrite.execute();
  }

  private record Updated(UpdateResult result, boolean dryRun) implements Report {
    @Override
    public void json(JsonGenerator json) throws IOException {
      json.writeFieldName("version");
      json.writeNumber(Long.toUnsignedString(result.version()));
      json.writeNumberField("updatedRows", result.updatedRows());
      json.writeNumberField("fragmentsUpdated", result.fragmentsUpdated());
      json.writeNumberField("fragmentsDropped", result.fragmentsDropped());
      json.writeNumberField("fragmentsAdded", result.fragmentsAdded());
      json.writeNumberField("bytesWritten", result.bytesWritten());
      json.writeNumberField("attempts", result.attempts());
    }

    @Override
    public void text(StringBuilder text) {
      String version = Long.toUnsignedString(result.version());
      if (result.updatedRows() == 0) {
        text.append("No live row matches; version ").append(version).append(" stays.\n");
        return;
      }
      text.append(dryRun ? "Would update " : "Updated ")
          .append(result.updatedRows())
          .append(" rows of ")
          .append(result.fragmentsUpdated() + result.fragmentsDropped())
          .append(" fragments");
      if (!dryRun) {
        text.append(", ")
            .append(result.bytesWritten())
            .append(" bytes written; version ")
            .append(version);
      }
      text.append(".\n");
    }
  }
}
