package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.output.Report;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.write.ChangeResult;
import dev.narwhal.lance.write.TableChange;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What all verbs share that change a table and none of its rows. */
final class ChangeOptions {
  @Mixin private CommonOptions common = new CommonOptions();

  @Parameters(index = "0", paramLabel = "LANCE", description = "Path or file: URI of a dataset.")
  private String uri = "";

  @Option(names = "--branch", paramLabel = "B", description = "Change this branch.")
  private @Nullable String branch;

  @Option(names = "--dry-run", description = "Check and report, write nothing.")
  private boolean dryRun;

  /** A change of a table. */
  @FunctionalInterface
  interface Action {
    ChangeResult run(TableChange change) throws IOException;
  }

  /** A change of a version of a table. */
  @FunctionalInterface
  interface DatasetAction {
    ChangeResult run(Dataset dataset, boolean dryRun) throws IOException;
  }

  /** Makes a change and says so. */
  int run(Console console, String what, Action action) throws IOException {
    return runOn(
        console,
        what,
        (dataset, dry) -> {
          TableChange change = dataset.change();
          return action.run(dry ? change.asDryRun() : change);
        });
  }

  /** The same for changes that need more than the table's state. */
  int runOn(Console console, String what, DatasetAction action) throws IOException {
    VersionSelector newest = VersionOptions.newest(branch);
    try (BufferAllocator allocator = new RootAllocator()) {
      ChangeResult result = action.run(Dataset.open(uri, newest, allocator), dryRun);
      console.print(common.json, new Changed(result, what, dryRun));
    }
    return ExitCode.DONE;
  }

  /**
   * What came of it.
   *
   * @param what was done, as a sentence without its end
   */
  record Changed(ChangeResult result, String what, boolean dryRun) implements Report {
    @Override
    public void json(JsonGenerator json) throws IOException {
      json.writeFieldName("version");
      json.writeNumber(Long.toUnsignedString(result.version()));
      json.writeNumberField("bytesWritten", result.bytesWritten());
      json.writeNumberField("attempts", result.attempts());
    }

    @Override
    public void text(StringBuilder text) {
      String version = Long.toUnsignedString(result.version());
      text.append(what)
          .append(
              dryRun
                  ? ": can be done; version " + version + " stays.\n"
                  : ": done; version " + version + ".\n");
    }
  }
}
