package dev.narwhal.cli;

import dev.narwhal.cli.VectorOptions.FormatConverter;
import dev.narwhal.cli.VectorOptions.FormatNames;
import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.vectors.StoredVector;
import dev.narwhal.cli.vectors.VectorFormat;
import dev.narwhal.cli.vectors.VectorWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code narwhal dv convert}. */
@Command(name = "convert", description = "Writes a deletion vector in another layout.")
final class DvConvertVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private VectorOptions vector = new VectorOptions();

  @Option(
      names = "--to",
      required = true,
      paramLabel = "FORMAT",
      converter = FormatConverter.class,
      completionCandidates = FormatNames.class,
      description = "Format of OUT: ${COMPLETION-CANDIDATES}.")
  private VectorFormat to = VectorFormat.ICEBERG;

  @Parameters(index = "1", paramLabel = "OUT", description = "File to create or replace.")
  private Path out = Path.of("");

  @Option(names = "--dry-run", description = "Report, write nothing.")
  private boolean dryRun;

  DvConvertVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    StoredVector source = vector.read();
    ByteBuffer bytes = VectorWriter.encode(to, source.positions());
    if (!dryRun) {
      VectorWriter.write(out, bytes);
    }
    console.print(
        common.json,
        new VectorReport(
            new StoredVector(to, source.positions(), bytes.remaining()),
            new TreeMap<>(Map.of("from", source.format().id(), "out", out.toString()))));
    return ExitCode.DONE;
  }
}
