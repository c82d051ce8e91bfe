package dev.narwhal.cli;

import dev.narwhal.cli.vectors.StoredVector;
import dev.narwhal.cli.vectors.VectorFormat;
import dev.narwhal.cli.vectors.VectorReader;
import dev.narwhal.puffin.VectorRange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Which vector a {@code dv} verb reads. */
final class VectorOptions {
  private static final long NO_LIMIT = Long.MAX_VALUE;

  @Spec(Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FILE", description = "File with the deletion vector.")
  private Path file = Path.of("");

  @Option(
      names = "--from",
      paramLabel = "FORMAT",
      converter = FormatConverter.class,
      completionCandidates = FormatNames.class,
      description =
          "Format of FILE: ${COMPLETION-CANDIDATES}. When left out, the content tells it.")
  private @Nullable VectorFormat from;

  @ArgGroup(exclusive = false)
  private @Nullable Range range;

  @Option(
      names = "--physical-rows",
      paramLabel = "N",
      description = "Rows of the data file, deleted ones too: positions must be below it.")
  private long physicalRows = NO_LIMIT;

  StoredVector read() throws IOException {
    if (physicalRows < 0) {
      throw usage("--physical-rows must be at least 0: " + physicalRows);
    }
    Optional<VectorRange> where = Optional.empty();
    if (range != null) {
      if (range.offset < 0 || range.length < 0) {
        throw usage("--offset and --length must be at least 0");
      }
      where = Optional.of(new VectorRange(range.offset, range.length));
    }
    return VectorReader.read(file, Optional.ofNullable(from), where, physicalRows);
  }

  Path file() {
    return file;
  }

  private CommandLine.ParameterException usage(String message) {
    if (spec == null) {
      throw new IllegalStateException(message);
    }
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }

  /** Both or neither. */
  static final class Range {
    @Option(
        names = "--offset",
        required = true,
        paramLabel = "N",
        description = "Where the vector begins in FILE, as the metadata of its format records it.")
    long offset;

    @Option(
        names = "--length",
        required = true,
        paramLabel = "N",
        description = "Its length, as the metadata of its format records it.")
    long length;
  }

  /** From a name to the format. */
  static final class FormatConverter implements CommandLine.ITypeConverter<VectorFormat> {
    @Override
    public VectorFormat convert(String value) {
      return VectorFormat.ofId(value)
          .orElseThrow(
              () ->
                  new CommandLine.TypeConversionException(
                      "unknown format '"
                          + value
                          + "', expected one of "
                          + String.join(", ", VectorFormat.ids())));
    }
  }

  /** The names, for help. */
  static final class FormatNames extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    FormatNames() {
      super(List.copyOf(VectorFormat.ids()));
    }
  }
}
