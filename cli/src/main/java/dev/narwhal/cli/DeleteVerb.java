package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.output.Report;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.write.DeleteOptions;
import dev.narwhal.lance.write.DeleteResult;
import dev.narwhal.lance.write.RowSelection;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code narwhal delete}. */
@Command(name = "delete", description = "Deletes rows and commits.")
final class DeleteVerb implements Callable<Integer> {
  private final Console console;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private CommonOptions common = new CommonOptions();

  @Parameters(paramLabel = "LANCE", description = "Path or file: URI of a dataset.")
  private String uri = "";

  @ArgGroup(multiplicity = "1")
  private Rows rows = new Rows();

  @Option(names = "--branch", paramLabel = "B", description = "Delete on this branch.")
  private @Nullable String branch;

  @Option(
      names = "--array-threshold",
      paramLabel = "N",
      defaultValue = "" + DeleteOptions.LANCE_ARRAY_THRESHOLD,
      description =
          "Deleted rows of a fragment from which on a first deletion file is a bitmap"
              + " (${DEFAULT-VALUE}).")
  private int arrayThreshold;

  @Option(names = "--dry-run", description = "Report, write nothing.")
  private boolean dryRun;

  DeleteVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    if (arrayThreshold < 0 && spec != null) {
      throw new ParameterException(
          spec.commandLine(), "--array-threshold must be at least 0: " + arrayThreshold);
    }
    DeleteOptions options = DeleteOptions.standard().withArrayThreshold(arrayThreshold);
    VersionSelector newest = VersionOptions.newest(branch);
    try (BufferAllocator allocator = new RootAllocator()) {
      DeleteResult result =
          rows.delete(Dataset.open(uri, newest, allocator), dryRun ? options.asDryRun() : options);
      console.print(common.json, new Deleted(result, dryRun));
    }
    return ExitCode.DONE;
  }

  /** One of them. */
  static final class Rows {
    @Option(
        names = "--where",
        required = true,
        paramLabel = "E",
        description = "Delete the rows for which this is true.")
    private @Nullable String where;

    @Option(
        names = "--row-ids",
        split = ",",
        required = true,
        paramLabel = "N",
        converter = TakeVerb.Unsigned.class,
        description =
            "Delete the rows of these ids, which are row addresses unless the dataset has stable"
                + " ones.")
    private @Nullable List<Long> rowIds;

    DeleteResult delete(Dataset dataset, DeleteOptions options) throws IOException {
      if (where != null) {
        return dataset.delete(where, options);
      }
      List<Long> ids = rowIds == null ? List.of() : rowIds;
      return dataset.deleteRows(
          RowSelection.rowIds(ids.stream().mapToLong(Long::longValue).toArray()), options);
    }
  }

  private record Deleted(DeleteResult result, boolean dryRun) implements Report {
    @Override
    public void json(JsonGenerator json) throws IOException {
      json.writeFieldName("version");
      json.writeNumber(Long.toUnsignedString(result.version()));
      json.writeNumberField("deletedRows", result.deletedRows());
      json.writeNumberField("fragmentsUpdated", result.fragmentsUpdated());
      json.writeNumberField("fragmentsDropped", result.fragmentsDropped());
      json.writeNumberField("bytesWritten", result.bytesWritten());
      json.writeNumberField("attempts", result.attempts());
    }

    @Override
    public void text(StringBuilder text) {
      if (result.deletedRows() == 0) {
        text.append("No live row matches; version ")
            .append(Long.toUnsignedString(result.version()))
            .append(" stays.\n");
        return;
      }
      text.append(dryRun ? "Would delete " : "Deleted ")
          .append(result.deletedRows())
          .append(" rows: ")
          .append(result.fragmentsUpdated())
          .append(" fragments updated, ")
          .append(result.fragmentsDropped())
          .append(" dropped");
      if (!dryRun) {
        text.append(", ")
            .append(result.bytesWritten())
            .append(" bytes written; version ")
            .append(Long.toUnsignedString(result.version()));
      }
      text.append(".\n");
    }
  }
}
