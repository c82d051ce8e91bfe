package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.output.Progress;
import dev.narwhal.cli.output.Report;
import dev.narwhal.cli.report.ReportFiles;
import dev.narwhal.cli.report.ReportJson;
import dev.narwhal.cli.report.ReportTable;
import dev.narwhal.conformance.compare.CompareReport;
import dev.narwhal.conformance.compare.CompareRequest;
import dev.narwhal.conformance.compare.Comparison;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code narwhal compare}: exit code 1 when the strategies leave different rows. */
@Command(
    name = "compare",
    description = {
      "Deletes the same rows by every strategy, each on a copy of its own, and compares the costs.",
      "Without a dataset: the sample that the repository ships."
    })
final class CompareVerb implements Callable<Integer> {
  private static final String SAMPLE = "samples/sightings.lance";
  private static final String SAMPLE_WHERE = "confirmed = FALSE";

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=,@%+-]+");

  private final Console console;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private UnsupportedOption unsupported = new UnsupportedOption();

  @Parameters(
      arity = "0..1",
      paramLabel = "LANCE",
      description = "Path or file: URI of a dataset, which is only read.")
  private @Nullable String uri;

  @Option(
      names = "--where",
      paramLabel = "E",
      description = "Delete the rows for which this is true. The sample has a default.")
  private @Nullable String where;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder for compare.html, compare.json and the copies (target/compare).")
  private @Nullable Path out;

  CompareVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    if (uri != null && where == null && spec != null) {
      throw new ParameterException(spec.commandLine(), "--where says which rows to delete");
    }
    Path root = Path.of(System.getProperty("narwhal.root", "."));
    String dataset = uri == null ? root.resolve(SAMPLE).toString() : uri;
    String predicate = where == null ? SAMPLE_WHERE : where;
    Path folder = out == null ? root.resolve("target").resolve("compare") : out;
    requireOutside(dataset, folder);
    CompareReport report;
    try (BufferAllocator allocator = new RootAllocator();
        Progress progress = console.progress("compare", Comparison.steps())) {
      report =
          Comparison.run(
              new CompareRequest(
                  dataset, version.selector(), predicate, unsupported.policy, folder, command()),
              allocator,
              step -> progress.advance(1));
    }
    ReportFiles.write(report, folder, console);
    console.print(common.json, new Compared(report, folder));
    if (report.equal()) {
      return ExitCode.DONE;
    }
    console
        .err()
        .println(
            "error: the strategies leave different live rows; this is a fault of narwhal, please"
                + " report it with "
                + folder.resolve("compare.json"));
    return ExitCode.FAILED;
  }

  /** The report and the copies must not lie in the dataset, which is only read. */
  private void requireOutside(String dataset, Path folder) {
    Path source =
        dataset.startsWith("file:") ? Path.of(URI.create(dataset).getPath()) : Path.of(dataset);
    if (spec != null
        && folder.toAbsolutePath().normalize().startsWith(source.toAbsolutePath().normalize())) {
      throw new ParameterException(
          spec.commandLine(), "--out " + folder + " is in the dataset; choose a folder outside");
    }
  }

  /** What was typed, for whoever wants the report again. */
  private String command() {
    List<String> arguments =
        spec == null ? List.of() : spec.root().commandLine().getParseResult().originalArgs();
    return "./narwhal " + String.join(" ", arguments.stream().map(CompareVerb::quoted).toList());
  }

  /** The argument as a shell takes it. */
  private static String quoted(String argument) {
    return PLAIN.matcher(argument).matches()
        ? argument
        : '\'' + argument.replace("'", "'\\''") + '\'';
  }

  private record Compared(CompareReport report, Path folder) implements Report {
    @Override
    public void json(JsonGenerator json) throws IOException {
      ReportJson.write(report, json);
    }

    @Override
    public void text(StringBuilder text) {
      ReportTable.write(report, text);
      text.append("Report: ").append(folder.resolve("compare.html")).append('\n');
    }
  }
}
