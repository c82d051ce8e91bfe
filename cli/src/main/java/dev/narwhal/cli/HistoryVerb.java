package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.output.Report;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.transaction.History;
import dev.narwhal.lance.transaction.Transaction;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code narwhal history}. */
@Command(name = "history", description = "Lists the versions of a dataset and what made them.")
final class HistoryVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private CommonOptions common = new CommonOptions();

  @Parameters(paramLabel = "LANCE", description = "Path or file: URI of a dataset.")
  private String uri = "";

  @Option(names = "--branch", paramLabel = "B", description = "The versions of this branch.")
  private @Nullable String branch;

  HistoryVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    VersionSelector newest = VersionOptions.newest(branch);
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset dataset = Dataset.open(uri, newest, allocator);
      console.print(common.json, new Versions(dataset.history()));
    }
    return ExitCode.DONE;
  }

  private record Versions(List<History.Entry> entries) implements Report {
    @Override
    public void json(JsonGenerator json) throws IOException {
      json.writeArrayFieldStart("versions");
      for (History.Entry entry : entries) {
        json.writeStartObject();
        json.writeFieldName("version");
        json.writeNumber(Long.toUnsignedString(entry.version()));
        json.writeStringField("timestamp", entry.timestamp().toString());
        json.writeStringField("operation", entry.operation());
        if (entry.transaction().isPresent()) {
          Transaction made = entry.transaction().get();
          json.writeFieldName("readVersion");
          json.writeNumber(Long.toUnsignedString(made.readVersion()));
          json.writeStringField("uuid", made.uuid());
          if (made.properties().containsKey(Transaction.MESSAGE)) {
            json.writeStringField("message", made.properties().get(Transaction.MESSAGE));
          }
        }
        json.writeEndObject();
      }
      json.writeEndArray();
    }

    @Override
    public void text(StringBuilder text) {
      for (History.Entry entry : entries) {
        text.append(Long.toUnsignedString(entry.version()))
            .append("  ")
            .append(entry.timestamp())
            .append("  ")
            .append(entry.operation());
        entry
            .transaction()
            .map(made -> made.properties().get(Transaction.MESSAGE))
            .ifPresent(message -> text.append("  ").append(Console.oneLine(message)));
        text.append('\n');
      }
    }
  }
}
