package dev.narwhal.cli;

import dev.narwhal.cli.output.Console;
import dev.narwhal.iceberg.rowdelete.maintenance.DeleteMaintenance;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code narwhal resolve-equality-deletes}. */
@Command(
    name = "resolve-equality-deletes",
    description = "Turns equality deletes into vectors, in version 2 into position deletes.")
final class ResolveEqualityDeletesVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private TableChange change = new TableChange();

  ResolveEqualityDeletesVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    return change.run(
        console, (table, allocator) -> new DeleteMaintenance(table).prepareEqualityResolution());
  }
}
