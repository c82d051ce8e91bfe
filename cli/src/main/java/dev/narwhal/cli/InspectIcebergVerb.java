package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.output.Report;
import dev.narwhal.iceberg.rowdelete.maintenance.InspectedTable;
import dev.narwhal.iceberg.rowdelete.maintenance.InspectedTable.InspectedDelete;
import dev.narwhal.iceberg.rowdelete.maintenance.InspectedTable.InspectedFile;
import dev.narwhal.iceberg.rowdelete.maintenance.TableInspection;
import dev.narwhal.iceberg.table.TableTarget;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code narwhal inspect-iceberg}. */
@Command(
    name = "inspect-iceberg",
    description = "Shows the data files of an Iceberg table with their delete files.")
final class InspectIcebergVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private TableOptions tables = new TableOptions();

  @Parameters(index = "0", paramLabel = "TABLE", description = TableOptions.TABLE)
  private String table = "";

  InspectIcebergVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    try (TableTarget target = tables.target(table)) {
      InspectedTable inspected = TableInspection.of(TableOptions.load(target));
      inspected.warnings().forEach(console::warn);
      console.print(common.json, new Inspected(inspected));
    }
    return ExitCode.DONE;
  }

  private record Inspected(InspectedTable table) implements Report {
    @Override
    public void json(JsonGenerator json) throws IOException {
      json.writeNumberField("formatVersion", table.formatVersion());
      number("snapshotId", table.snapshotId(), json);
      json.writeArrayFieldStart("dataFiles");
      for (InspectedFile file : table.dataFiles()) {
        json.writeStartObject();
        json.writeStringField("path", file.path());
        json.writeNumberField("records", file.records());
        number("liveRows", file.liveRows(), json);
        json.writeArrayFieldStart("deletes");
        for (InspectedDelete delete : file.deletes()) {
          json.writeStartObject();
          json.writeStringField("path", delete.path());
          json.writeStringField("kind", delete.kind());
          number("offset", delete.offset(), json);
          json.writeNumberField("count", delete.count());
          json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
      }
      json.writeEndArray();
      number("liveRows", table.liveRows(), json);
      json.writeArrayFieldStart("warnings");
      for (String warning : table.warnings()) {
        json.writeString(warning);
      }
      json.writeEndArray();
    }

    private static void number(String name, OptionalLong number, JsonGenerator json)
        throws IOException {
      json.writeFieldName(name);
      if (number.isPresent()) {
        json.writeNumber(number.getAsLong());
      } else {
        json.writeNull();
      }
    }

    private static String known(OptionalLong number) {
      return number.isPresent() ? Long.toString(number.getAsLong()) : "?";
    }

    @Override
    public void text(StringBuilder text) {
      text.append("Format version ")
          .append(table.formatVersion())
          .append(", snapshot ")
          .append(known(table.snapshotId()))
          .append(", ")
          .append(known(table.liveRows()))
          .append(" live rows\n");
      for (InspectedFile file : table.dataFiles()) {
        text.append(file.path())
            .append("  ")
            .append(known(file.liveRows()))
            .append(" of ")
            .append(file.records())
            .append(" rows live\n");
        for (InspectedDelete delete : file.deletes()) {
          text.append("  ")
              .append(delete.kind())
              .append(' ')
              .append(delete.path())
              .append(delete.offset().isPresent() ? " @" + delete.offset().getAsLong() : "")
              .append(", ")
              .append(delete.count())
              .append('\n');
        }
      }
    }
  }
}
