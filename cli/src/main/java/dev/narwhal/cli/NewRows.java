package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.output.Report;
import dev.narwhal.cli.source.SchemaFile;
import dev.narwhal.cli.source.SourceFile;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.datafile.FileVersion;
import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.write.FragmentLimits;
import dev.narwhal.lance.write.RowSource;
import dev.narwhal.lance.write.insert.InsertOptions;
import dev.narwhal.lance.write.insert.InsertResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** What append and overwrite share: the dataset, the file, how rows are written. */
final class NewRows {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Mixin private CommonOptions common = new CommonOptions();

  @Parameters(index = "0", paramLabel = "LANCE", description = "Path or file: URI of a dataset.")
  private String uri = "";

  @Option(
      names = "--source",
      required = true,
      paramLabel = "FILE",
      description =
          "The rows: JSON lines (.jsonl), CSV with a header (.csv), Parquet (.parquet) or Arrow IPC"
              + " (.arrow).")
  private Path source = Path.of("");

  @Option(names = "--create", description = "Make the dataset if there is none.")
  private boolean create;

  @Option(
      names = "--schema",
      paramLabel = "FILE",
      description = "The schema of the new table, as JSON; else the source tells.")
  private @Nullable Path schema;

  @Option(
      names = "--stable-row-ids",
      description = "Rows have ids that survive updates and compaction; chosen with --create.")
  private boolean stableRowIds;

  @Option(
      names = "--data-storage-version",
      paramLabel = "V",
      converter = WrittenVersion.class,
      description = "2.0, 2.1 or 2.2 (the dataset's; 2.1 for a new one).")
  private @Nullable FileVersion dataStorageVersion;

  @Option(
      names = "--max-rows-per-file",
      paramLabel = "N",
      defaultValue = "" + FragmentLimits.LANCE_MAX_ROWS,
      description = "Rows of a data file, which is a fragment (${DEFAULT-VALUE}).")
  private long maxRows;

  @Option(
      names = "--max-bytes-per-file",
      paramLabel = "N",
      defaultValue = "" + FragmentLimits.LANCE_MAX_BYTES,
      description = "Bytes after which a data file ends (${DEFAULT-VALUE}).")
  private long maxBytes;

  @Option(names = "--message", paramLabel = "TEXT", description = "Commit message.")
  private @Nullable String message;

  @Option(names = "--branch", paramLabel = "B", description = "Write on this branch.")
  private @Nullable String branch;

  @Option(names = "--dry-run", description = "Read and check the rows, write nothing.")
  private boolean dryRun;

  /** Puts the rows into a dataset that is there. */
  @FunctionalInterface
  interface Action {
    InsertResult run(Dataset dataset, SourceFile file, BufferAllocator allocator)
        throws IOException;
  }

  /**
   * Makes the dataset of the rows, or puts them into it, and says so.
   *
   * @param verb such as {@code append}
   */
  int run(Console console, String verb, Action action) throws IOException {
    limits(); // wrong usage is told before anything is read
    SourceFile file = SourceFile.at(source);
    try (BufferAllocator allocator = new RootAllocator()) {
      Optional<Dataset> dataset = dataset(allocator);
      InsertResult result =
          dataset.isPresent()
              ? action.run(dataset.get(), file, allocator)
              : created(file, allocator);
      console.print(common.json, new Inserted(result, verb, dryRun));
    }
    return ExitCode.DONE;
  }

  private Optional<Dataset> dataset(BufferAllocator allocator) throws IOException {
    VersionSelector newest = VersionOptions.newest(branch);
    try {
      return Optional.of(Dataset.open(uri, newest, allocator));
    } catch (DatasetNotFoundException e) {
      if (create && branch == null) {
        return Optional.empty();
      }
      throw branch == null
          ? new DatasetNotFoundException(e.getMessage() + "; --create makes a new one")
          : e;
    }
  }

  private InsertResult created(SourceFile file, BufferAllocator allocator) throws IOException {
    Optional<Schema> told = schema();
    try (RowSource rows =
        told.isPresent() ? file.open(told.get(), allocator) : file.open(allocator)) {
      return Dataset.create(uri).withOptions(options()).write(rows);
    }
  }

  /** The schema that the user gave. */
  Optional<Schema> schema() throws IOException {
    return schema == null ? Optional.empty() : Optional.of(SchemaFile.read(schema));
  }

  /** What the user asked for. */
  InsertOptions options() {
    InsertOptions options = InsertOptions.standard().withLimits(limits());
    if (dataStorageVersion != null) {
      options = options.withDataStorageVersion(dataStorageVersion);
    }
    if (stableRowIds) {
      options = options.withStableRowIds();
    }
    if (message != null) {
      options = options.withMessage(message);
    }
    return dryRun ? options.asDryRun() : options;
  }

  private FragmentLimits limits() {
    try {
      return new FragmentLimits(maxRows, maxBytes);
    } catch (IllegalArgumentException e) {
      if (spec == null) {
        throw e;
      }
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /** Reads {@code --data-storage-version}. */
  static final class WrittenVersion implements ITypeConverter<FileVersion> {
    private static final List<FileVersion> WRITTEN =
        List.of(FileVersion.V2_0, FileVersion.V2_1, FileVersion.V2_2);

    @Override
    public FileVersion convert(String text) {
      return WRITTEN.stream()
          .filter(version -> version.toString().equals(text))
          .findFirst()
          .orElseThrow(
              () -> new TypeConversionException("expected 2.0, 2.1 or 2.2: '" + text + "'"));
    }
  }

  private record Inserted(InsertResult result, String verb, boolean dryRun) implements Report {
    @Override
    public void json(JsonGenerator json) throws IOException {
      json.writeFieldName("version");
      json.writeNumber(Long.toUnsignedString(result.version()));
      json.writeNumberField("rows", result.rows());
      json.writeNumberField("fragments", result.fragments());
      json.writeNumberField("bytesWritten", result.bytesWritten());
      json.writeNumberField("attempts", result.attempts());
    }

    @Override
    public void text(StringBuilder text) {
      text.append(dryRun ? "Would " : "")
          .append(verb)
          .append(dryRun ? " " : ": ")
          .append(result.rows())
          .append(" rows in ")
          .append(result.fragments())
          .append(" fragments, ")
          .append(result.bytesWritten())
          .append(" bytes; version ")
          .append(Long.toUnsignedString(result.version()))
          .append(result.attempts() == 0 ? " stays.\n" : ".\n");
    }
  }
}
