package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.output.Report;
import dev.narwhal.iceberg.source.LanceSource;
import dev.narwhal.iceberg.table.TableTarget;
import dev.narwhal.iceberg.verify.RowVerification;
import dev.narwhal.iceberg.verify.VerifyReport;
import dev.narwhal.lance.Dataset;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code narwhal verify}: exit code 1 when the rows differ. */
@Command(
    name = "verify",
    description = "Compares the live rows of a Lance dataset and an Iceberg table.")
final class VerifyVerb implements Callable<Integer> {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Console console;

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private TableOptions tables = new TableOptions();

  @Parameters(index = "0", paramLabel = "LANCE", description = "Path or file: URI of a dataset.")
  private String uri = "";

  @Parameters(index = "1", paramLabel = "TABLE", description = TableOptions.TABLE)
  private String table = "";

  VerifyVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        TableTarget target = tables.target(table)) {
      Dataset dataset = Dataset.open(uri, version.selector(), allocator);
      Table loaded = TableOptions.load(target);
      VerifyReport report = RowVerification.run(new LanceSource(dataset, allocator), loaded);
      console.print(common.json, new Verified(report));
      if (report.equal()) {
        return ExitCode.DONE;
      }
      console
          .err()
          .println(
              "error: "
                  + Console.oneLine(
                      dataset.uri()
                          + " and "
                          + target.name()
                          + " differ: "
                          + report.left().rows()
                          + " live rows against "
                          + report.right().rows()
                          + "; sync into a new table"));
      return ExitCode.FAILED;
    }
  }

  private record Verified(VerifyReport report) implements Report {
    @Override
    public void json(JsonGenerator json) throws IOException {
      json.writeBooleanField("equal", report.equal());
      json.writeNumberField("leftRows", report.left().rows());
      json.writeNumberField("rightRows", report.right().rows());
      json.writeStringField("leftHash", report.left().hash());
      json.writeStringField("rightHash", report.right().hash());
      rows("missing", report.missing(), json);
      rows("unexpected", report.unexpected(), json);
      Exemptions.json("dropped", report.dropped(), json);
    }

    private static void rows(
        String name, List<Map<String, @Nullable Object>> rows, JsonGenerator json)
        throws IOException {
      json.writeArrayFieldStart(name);
      for (Map<String, @Nullable Object> row : rows) {
        JSON.writeValue(json, row);
      }
      json.writeEndArray();
    }

    @Override
    public void text(StringBuilder text) {
      text.append(report.equal() ? "Equal: " : "Different: ")
          .append(report.left().rows())
          .append(" rows in the dataset, ")
          .append(report.right().rows())
          .append(" in the table.\n");
      Exemptions.text("Not compared", report.dropped(), text);
      report.missing().forEach(row -> text.append("missing     ").append(row).append('\n'));
      report.unexpected().forEach(row -> text.append("unexpected  ").append(row).append('\n'));
    }
  }
}
