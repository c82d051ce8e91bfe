package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.output.Report;
import dev.narwhal.iceberg.rowdelete.commit.ChangeCounts;
import dev.narwhal.iceberg.rowdelete.commit.ChangeReport;
import dev.narwhal.iceberg.rowdelete.commit.PreparedChange;
import dev.narwhal.iceberg.rowdelete.plan.NothingToDeleteException;
import dev.narwhal.iceberg.table.DryRun;
import dev.narwhal.iceberg.table.TableTarget;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the verbs that change rows of an Iceberg table have in common. */
final class TableChange {
  private static final ChangeCounts NOTHING =
      new ChangeCounts(OptionalLong.of(0), 0, 0, 0, 0, 0, 0, 0);

  private static final Report NO_MORE =
      new Report() {
        @Override
        public void json(JsonGenerator json) {}

        @Override
        public void text(StringBuilder text) {}
      };

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private TableOptions tables = new TableOptions();

  @Parameters(index = "0", paramLabel = "TABLE", description = TableOptions.TABLE)
  private String table = "";

  @Option(names = "--dry-run", description = "Report, write nothing.")
  private boolean dryRun;

  /** Prepares a change of a table. */
  interface Preparing {
    PreparedChange change(Table table, BufferAllocator allocator) throws IOException;
  }

  /** Prepares, commits unless it is a dry run, and reports. Nothing to change is no failure. */
  int run(Console console, Preparing preparing) throws IOException {
    return run(console, preparing, NO_MORE);
  }

  /**
   * The same.
   *
   * @param more is reported besides; asked for when all is done
   */
  int run(Console console, Preparing preparing, Report more) throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        TableTarget target = tables.target(table)) {
      Table loaded = TableOptions.load(target);
      console.print(common.json, new Both(outcome(loaded, preparing, allocator), more));
    }
    return ExitCode.DONE;
  }

  private Outcome outcome(Table loaded, Preparing preparing, BufferAllocator allocator)
      throws IOException {
    try {
      PreparedChange change = preparing.change(dryRun ? DryRun.of(loaded) : loaded, allocator);
      if (dryRun) {
        return new Outcome(current(loaded), Optional.empty(), change.counts(), false);
      }
      ChangeReport report = change.commit();
      return new Outcome(
          OptionalLong.of(report.snapshotId()),
          Optional.of(report.operation()),
          report.counts(),
          true);
    } catch (NothingToDeleteException e) {
      return new Outcome(current(loaded), Optional.empty(), NOTHING, false);
    }
  }

  private static OptionalLong current(Table table) {
    Snapshot snapshot = table.currentSnapshot();
    return snapshot == null ? OptionalLong.empty() : OptionalLong.of(snapshot.snapshotId());
  }

  private record Both(Report first, Report second) implements Report {
    @Override
    public void json(JsonGenerator json) throws IOException {
      first.json(json);
      second.json(json);
    }

    @Override
    public void text(StringBuilder text) {
      first.text(text);
      second.text(text);
    }
  }

  private record Outcome(
      OptionalLong snapshotId, Optional<String> operation, ChangeCounts counts, boolean committed)
      implements Report {
    @Override
    public void json(JsonGenerator json) throws IOException {
      number("snapshotId", snapshotId, json);
      json.writeFieldName("operation");
      if (operation.isPresent()) {
        json.writeString(operation.get());
      } else {
        json.writeNull();
      }
      number("deletedRows", counts.deletedRows(), json);
      json.writeNumberField("addedRows", counts.addedRows());
      json.writeNumberField("dataFilesAdded", counts.dataFilesAdded());
      json.writeNumberField("dataFilesRemoved", counts.dataFilesRemoved());
      json.writeNumberField("dataFilesRewritten", counts.dataFilesRewritten());
      json.writeNumberField("deleteFilesAdded", counts.deleteFilesAdded());
      json.writeNumberField("deleteFilesRemoved", counts.deleteFilesRemoved());
      json.writeBooleanField("metadataOnly", counts.bytesWritten() == 0);
      json.writeNumberField("bytesWritten", counts.bytesWritten());
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

    @Override
    public void text(StringBuilder text) {
      if (counts.equals(NOTHING)) {
        text.append("Nothing to change; the table stays as it is.\n");
        return;
      }
      text.append(committed ? "Deleted " : "Would delete ");
      text.append(
          counts.deletedRows().isPresent()
              ? Long.toString(counts.deletedRows().getAsLong())
              : "an unknown number of");
      text.append(" rows");
      if (counts.addedRows() > 0) {
        text.append(", added ").append(counts.addedRows());
      }
      text.append(": ")
          .append(counts.dataFilesRemoved())
          .append(" data files removed, ")
          .append(counts.dataFilesRewritten())
          .append(" rewritten, ")
          .append(counts.dataFilesAdded())
          .append(" added; ")
          .append(counts.deleteFilesAdded())
          .append(" delete files added, ")
          .append(counts.deleteFilesRemoved())
          .append(" removed; ")
          .append(counts.bytesWritten())
          .append(" bytes");
      snapshotId.ifPresent(
          id -> text.append("; ").append(operation.orElse("snapshot")).append(' ').append(id));
      text.append(".\n");
    }
  }
}
