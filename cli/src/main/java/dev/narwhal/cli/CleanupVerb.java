package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.output.Report;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.cleanup.CleanupOptions;
import dev.narwhal.lance.cleanup.CleanupResult;
import dev.narwhal.lance.cleanup.FileKind;
import dev.narwhal.lance.manifest.VersionSelector;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code narwhal cleanup}. */
@Command(
    name = "cleanup",
    description = {
      "Removes old versions, and the files that no version needs.",
      "The newest version, tagged ones and those where branches left stay; files that no version"
          + " ever named stay for a week."
    })
final class CleanupVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private CommonOptions common = new CommonOptions();

  @Parameters(paramLabel = "LANCE", description = "Path or file: URI of a dataset.")
  private String uri = "";

  @Option(
      names = "--older-than",
      required = true,
      paramLabel = "D",
      converter = Age.class,
      description = "Versions committed longer ago: 7d, 12h, 30m, P7D.")
  private Duration age = Duration.ZERO;

  @Option(
      names = "--before-version",
      paramLabel = "N",
      converter = VersionOptions.VersionNumber.class,
      description = "Of those, only versions with a lower number.")
  private @Nullable Long beforeVersion;

  @Option(names = "--branch", paramLabel = "B", description = "Clean up this branch.")
  private @Nullable String branch;

  @Option(
      names = "--delete-unverified",
      description = "Do not spare young files that no version ever named. Only when nobody writes.")
  private boolean deleteUnverified;

  @Option(names = "--refuse-tagged", description = "Fail when a tag keeps an old version.")
  private boolean refuseTagged;

  @Option(names = "--dry-run", description = "Report, remove nothing.")
  private boolean dryRun;

  CleanupVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    VersionSelector newest = VersionOptions.newest(branch);
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset dataset = Dataset.open(uri, newest, allocator);
      CleanupResult result = dataset.cleanup(options());
      console.print(common.json, new Cleaned(dataset.version(), result, dryRun));
    }
    return ExitCode.DONE;
  }

  private CleanupOptions options() {
    CleanupOptions options = CleanupOptions.olderThan(age);
    options = beforeVersion == null ? options : options.andBeforeVersion(beforeVersion);
    options = deleteUnverified ? options.withDeleteUnverified() : options;
    options = refuseTagged ? options.withRefuseTagged() : options;
    return dryRun ? options.asDryRun() : options;
  }

  private record Cleaned(long version, CleanupResult result, boolean dryRun) implements Report {
    @Override
    public void json(JsonGenerator json) throws IOException {
      json.writeFieldName("version");
      json.writeNumber(Long.toUnsignedString(version));
      json.writeArrayFieldStart("versionsRemoved");
      for (long removed : result.versions()) {
        json.writeNumber(Long.toUnsignedString(removed));
      }
      json.writeEndArray();
      json.writeNumberField("filesRemoved", result.files());
      json.writeNumberField("bytesRemoved", result.bytesRemoved());
      json.writeObjectFieldStart("filesByKind");
      for (FileKind kind : FileKind.values()) {
        json.writeNumberField(
            kind.name().toLowerCase(Locale.ROOT), result.filesRemoved().getOrDefault(kind, 0));
      }
      json.writeEndObject();
    }

    @Override
    public void text(StringBuilder text) {
      text.append(dryRun ? "Would remove " : "Removed ")
          .append(result.versions().size())
          .append(" versions: ")
          .append(result.files())
          .append(" files, ")
          .append(result.bytesRemoved())
          .append(" bytes.\n");
    }
  }
}
