package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.rows.RowWriter;
import dev.narwhal.lance.Dataset;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code narwhal take}. */
@Command(name = "take", description = "Prints the named live rows, in the order of their names.")
final class TakeVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private RowOptions rows = new RowOptions();

  @Parameters(paramLabel = "LANCE", description = "Path or file: URI of a dataset.")
  private String uri = "";

  @ArgGroup(multiplicity = "1")
  private Names names = new Names();

  TakeVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    rows.check(common.json);
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset dataset = Dataset.open(uri, version.selector(), allocator);
      try (VectorSchemaRoot taken = names.take(dataset, rows.columns(dataset.columnNames()));
          RowWriter writer = rows.writer(console, taken.getSchema(), allocator)) {
        writer.write(taken);
      }
    }
    return ExitCode.DONE;
  }

  /** One of them. */
  static final class Names {
    @Option(
        names = "--offsets",
        split = ",",
        required = true,
        paramLabel = "N",
        converter = Unsigned.class,
        description = "Places among the live rows of the dataset, from 0.")
    private @Nullable List<Long> offsets;

    @Option(
        names = "--addresses",
        split = ",",
        required = true,
        paramLabel = "N",
        converter = Unsigned.class,
        description = "Row addresses: fragment id * 2^32 + row offset.")
    private @Nullable List<Long> addresses;

    @Option(
        names = "--row-ids",
        split = ",",
        required = true,
        paramLabel = "N",
        converter = Unsigned.class,
        description = "Row ids, which are row addresses unless the dataset has stable ones.")
    private @Nullable List<Long> rowIds;

    VectorSchemaRoot take(Dataset dataset, List<String> columns) throws IOException {
      if (offsets != null) {
        return dataset.takeOffsets(longs(offsets), columns);
      }
      if (addresses != null) {
        return dataset.takeAddresses(longs(addresses), columns);
      }
      return dataset.takeRowIds(longs(rowIds == null ? List.of() : rowIds), columns);
    }

    private static long[] longs(List<Long> values) {
      return values.stream().mapToLong(Long::longValue).toArray();
    }
  }

  /** An unsigned 64-bit number. */
  static final class Unsigned implements ITypeConverter<Long> {
    @Override
    public Long convert(String value) {
      try {
        return Long.parseUnsignedLong(value);
      } catch (NumberFormatException e) {
        throw new TypeConversionException(
            "'" + value + "' is no row, expected a number from 0 to 2^64 - 1");
      }
    }
  }
}
