package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.output.Report;
import dev.narwhal.iceberg.rowdelete.maintenance.DeleteMaintenance;
import dev.narwhal.iceberg.rowdelete.maintenance.RepairPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code narwhal repair}. */
@Command(
    name = "repair",
    description = {
      "Gives each data file of an Iceberg table that has several live vectors the union of them.",
      "--dry-run reports them and writes nothing."
    })
final class RepairVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private TableChange change = new TableChange();
  @ArgGroup private @Nullable Other other;

  /** Care of tables that are whole. */
  private static final class Other {
    @Option(
        names = "--fold-position-deletes",
        description = "Instead: turn position delete files into vectors, after an upgrade.")
    private boolean fold;

    @Option(
        names = "--remove-dangling",
        description = "Instead: drop delete files that delete from no live data file.")
    private boolean dangling;
  }

  RepairVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    Other asked = other;
    if (asked != null) {
      return change.run(
          console,
          (table, allocator) -> {
            DeleteMaintenance maintenance = new DeleteMaintenance(table);
            if (asked.fold == asked.dangling) {
              throw new IllegalStateException("picocli gives one of the two");
            }
            return asked.fold ? maintenance.prepareFold() : maintenance.prepareDanglingRemoval();
          });
    }
    List<RepairPlan.Duplicate> found = new ArrayList<>();
    return change.run(
        console,
        (table, allocator) -> {
          DeleteMaintenance maintenance = new DeleteMaintenance(table);
          RepairPlan plan = maintenance.planRepair();
          found.addAll(plan.files());
          return maintenance.prepareRepair(plan);
        },
        new Repaired(found));
  }

  private record Repaired(List<RepairPlan.Duplicate> files) implements Report {
    @Override
    public void json(JsonGenerator json) throws IOException {
      json.writeArrayFieldStart("repaired");
      for (RepairPlan.Duplicate file : files) {
        json.writeStartObject();
        json.writeStringField("path", file.dataFile().location());
        json.writeNumberField("vectors", file.vectors().size());
        json.writeNumberField("deletedRows", file.union().cardinality());
        json.writeEndObject();
      }
      json.writeEndArray();
    }

    @Override
    public void text(StringBuilder text) {
      for (RepairPlan.Duplicate file : files) {
        text.append(file.dataFile().location())
            .append("  ")
            .append(file.vectors().size())
            .append(" vectors, ")
            .append(file.union().cardinality())
            .append(" rows deleted by their union\n");
      }
    }
  }
}
