package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.output.Report;
import dev.narwhal.iceberg.export.DatasetExport;
import dev.narwhal.iceberg.export.ExportOptions;
import dev.narwhal.iceberg.export.ExportReport;
import dev.narwhal.iceberg.export.Strategy;
import dev.narwhal.iceberg.mapping.TableMapping;
import dev.narwhal.iceberg.source.LanceSource;
import dev.narwhal.iceberg.table.TableTarget;
import dev.narwhal.lance.Dataset;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code narwhal sync}: a whole version of a Lance dataset into a new or empty Iceberg table. */
@Command(
    name = "sync",
    description = "Writes a version of a Lance dataset into a new or empty Iceberg table.")
final class SyncVerb implements Callable<Integer> {
  private final Console console;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private TableOptions tables = new TableOptions();
  @Mixin private UnsupportedOption unsupported = new UnsupportedOption();

  @Parameters(index = "0", paramLabel = "LANCE", description = "Path or file: URI of a dataset.")
  private String uri = "";

  @Parameters(index = "1", paramLabel = "TABLE", description = TableOptions.TABLE)
  private String table = "";

  @Option(
      names = "--strategy",
      paramLabel = "S",
      converter = StrategyName.class,
      defaultValue = "deletion-vectors",
      description = "deletion-vectors (default), position-deletes or copy-on-write.")
  private Strategy strategy = Strategy.DELETION_VECTORS;

  @Option(
      names = "--format-version",
      paramLabel = "V",
      description = "Iceberg's format version, 2 or 3; each strategy has its own default.")
  private @Nullable Integer formatVersion;

  @Option(
      names = "--full",
      description = "Write every row. So far there is no other mode: this is what happens.")
  private boolean full;

  @Option(
      names = "--table-property",
      paramLabel = "K=V",
      description = "A property for the table; may be given several times.")
  private Map<String, String> properties = new LinkedHashMap<>();

  @Option(names = "--dry-run", description = "Check and report, write nothing.")
  private boolean dryRun;

  SyncVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    ExportOptions options = options();
    try (BufferAllocator allocator = new RootAllocator();
        TableTarget target = tables.target(table)) {
      Dataset dataset = Dataset.open(uri, version.selector(), allocator);
      LanceSource source = new LanceSource(dataset, allocator);
      TableMapping mapping = DatasetExport.check(source, target, options);
      Optional<ExportReport> report =
          dryRun ? Optional.empty() : Optional.of(DatasetExport.run(source, target, options));
      console.print(
          common.json,
          new Synced(dataset, target.name(), options, mapping, report, dataset.countRows(), full));
    }
    return ExitCode.DONE;
  }

  private ExportOptions options() {
    int asked = formatVersion == null ? strategy.defaultFormatVersion() : formatVersion;
    if (!strategy.formatVersions().contains(asked) && spec != null) {
      throw new ParameterException(
          spec.commandLine(),
          "--strategy "
              + strategy.text()
              + " needs --format-version "
              + strategy.defaultFormatVersion()
              + ", not "
              + asked);
    }
    return ExportOptions.of(strategy, asked)
        .withUnsupported(unsupported.policy)
        .withTableProperties(properties);
  }

  /** A strategy by its name in the contract. */
  static final class StrategyName implements ITypeConverter<Strategy> {
    @Override
    public Strategy convert(String value) {
      try {
        return Strategy.parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }

  private record Synced(
      Dataset dataset,
      String table,
      ExportOptions options,
      TableMapping mapping,
      Optional<ExportReport> done,
      long rows,
      boolean full)
      implements Report {
    @Override
    public void json(JsonGenerator json) throws IOException {
      json.writeStringField("direction", "lance-to-iceberg");
      json.writeStringField("from", dataset.uri());
      json.writeFieldName("version");
      json.writeNumber(Long.toUnsignedString(dataset.version()));
      json.writeStringField("to", table);
      json.writeStringField("mode", "full");
      json.writeStringField(
          "modeReason", full ? "asked for" : "first sync: the table was new or empty");
      json.writeStringField("strategy", options.strategy().text());
      json.writeNumberField("formatVersion", options.formatVersion());
      json.writeStringField("unsupported", mapping.rules().unsupported().text());
      Exemptions.json("dropped", mapping.dropped(), json);
      Exemptions.json("rendered", mapping.rendered(), json);
      json.writeNumberField("dataFilesWritten", done.map(ExportReport::dataFiles).orElse(0));
      json.writeNumberField("deleteFilesWritten", done.map(ExportReport::deleteFiles).orElse(0));
      json.writeNumberField("bytesWritten", bytesWritten());
      json.writeNumberField("rows", rows);
      if (done.isPresent()) {
        json.writeNumberField("snapshotId", done.get().snapshotId());
        json.writeStringField("note", done.get().note());
      }
      json.writeBooleanField("dryRun", done.isEmpty());
    }

    @Override
    public void text(StringBuilder text) {
      text.append(done.isPresent() ? "Wrote " : "Would write ")
          .append(rows)
          .append(" rows of ")
          .append(dataset.uri())
          .append(", version ")
          .append(Long.toUnsignedString(dataset.version()))
          .append(", to ")
          .append(table)
          .append(" (")
          .append(options.strategy().text())
          .append(", Iceberg v")
          .append(options.formatVersion())
          .append(")");
      if (done.isPresent()) {
        text.append(": ")
            .append(done.get().dataFiles())
            .append(" data files, ")
            .append(done.get().deleteFiles())
            .append(" delete files, ")
            .append(bytesWritten())
            .append(" bytes.\nNote: ")
            .append(done.get().note());
      }
      text.append(".\n");
      Exemptions.text("Dropped", mapping.dropped(), text);
      Exemptions.text("As text", mapping.rendered(), text);
    }

    private long bytesWritten() {
      return done.map(report -> report.bytesWritten() + report.metadataBytesWritten()).orElse(0L);
    }
  }
}
