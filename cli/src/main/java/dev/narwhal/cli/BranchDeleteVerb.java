package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.output.Report;
import dev.narwhal.lance.refs.Branches;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code narwhal branch delete}. */
@Command(
    name = "delete",
    description = "Removes a branch with its versions and files, unless others need them.")
final class BranchDeleteVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private CommonOptions common = new CommonOptions();

  @Mixin private ReferenceTarget target = new ReferenceTarget();

  @Option(names = "--dry-run", description = "Check and report, write nothing.")
  private boolean dryRun;

  BranchDeleteVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    Branches branches = new Branches(target.root());
    if (dryRun) {
      branches.requireDeletable(target.name());
    } else {
      branches.delete(target.name());
    }
    console.print(common.json, new Deleted(target.name(), dryRun));
    return ExitCode.DONE;
  }

  private record Deleted(String name, boolean dryRun) implements Report {
    @Override
    public void json(JsonGenerator json) throws IOException {
      json.writeStringField("name", name);
      json.writeBooleanField("deleted", !dryRun);
    }

    @Override
    public void text(StringBuilder text) {
      text.append(dryRun ? "Not deleted: branch " : "Deleted branch ").append(name).append(".\n");
    }
  }
}
