package dev.narwhal.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.output.Report;
import dev.narwhal.cli.source.SourceFile;
import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.write.RowSource;
import dev.narwhal.lance.write.merge.DuplicateRows;
import dev.narwhal.lance.write.merge.MergeInsert;
import dev.narwhal.lance.write.merge.MergeOptions;
import dev.narwhal.lance.write.merge.MergeResult;
import dev.narwhal.lance.write.merge.WhenMatched;
import dev.narwhal.lance.write.merge.WhenNotMatched;
import dev.narwhal.lance.write.merge.WhenNotMatchedBySource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code narwhal merge-insert}. */
@Command(
    name = "merge-insert",
    description = "Updates, inserts and deletes rows by the keys of a file's rows, in one commit.")
final class MergeInsertVerb implements Callable<Integer> {
  private final Console console;

  @Mixin private CommonOptions common = new CommonOptions();

  @Parameters(paramLabel = "LANCE", description = "Path or file: URI of a dataset.")
  private String uri = "";

  @Option(
      names = "--source",
      required = true,
      paramLabel = "FILE",
      description =
          "The rows: JSON lines (.jsonl), CSV with a header (.csv), Parquet (.parquet) or Arrow IPC"
              + " (.arrow).")
  private Path source = Path.of("");

  @Option(
      names = "--on",
      split = ",",
      required = true,
      paramLabel = "K",
      description = "Columns by which rows are matched.")
  private List<String> on = List.of();

  @Option(
      names = "--columns",
      split = ",",
      paramLabel = "C",
      description =
          "Columns that JSON lines have, the others keep their values (all; other files tell"
              + " themselves).")
  private List<String> columns = List.of();

  @Option(
      names = "--when-matched",
      paramLabel = "A",
      converter = Matched.class,
      description =
          "update-all, 'update-if E' with columns source.x and target.x, do-nothing, fail or delete"
              + " (do-nothing).")
  private WhenMatched matched = WhenMatched.doNothing();

  @Option(
      names = "--when-not-matched",
      paramLabel = "A",
      converter = NotMatched.class,
      description = "insert or do-nothing (insert).")
  private WhenNotMatched notMatched = WhenNotMatched.INSERT;

  @Option(
      names = "--when-not-matched-by-source",
      paramLabel = "A",
      converter = NotMatchedBySource.class,
      description = "keep, delete or 'delete-if E' (keep).")
  private WhenNotMatchedBySource notMatchedBySource = WhenNotMatchedBySource.keep();

  @Option(
      names = "--duplicates",
      paramLabel = "D",
      converter = Duplicates.class,
      description = "fail or first: when rows of the file would update the same row (fail).")
  private DuplicateRows duplicates = DuplicateRows.FAIL;

  @Option(names = "--branch", paramLabel = "B", description = "Write on this branch.")
  private @Nullable String branch;

  @Option(names = "--dry-run", description = "Report, write nothing.")
  private boolean dryRun;

  MergeInsertVerb(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    VersionSelector newest = VersionOptions.newest(branch);
    MergeOptions options = MergeOptions.standard().withDuplicates(duplicates);
    SourceFile file = SourceFile.at(source);
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset dataset = Dataset.open(uri, newest, allocator);
      MergeInsert merge =
          dataset
              .mergeInsert(on.toArray(String[]::new))
              .whenMatched(matched)
              .whenNotMatched(notMatched)
              .whenNotMatchedBySource(notMatchedBySource)
              .withOptions(dryRun ? options.asDryRun() : options);
      try (RowSource rows = file.open(given(dataset.arrowSchema(BlobMode.BYTES)), allocator)) {
        console.print(common.json, new Merged(merge.execute(rows), dryRun));
      }
    }
    return ExitCode.DONE;
  }

  /** The columns of the table that the file may have. */
  private Schema given(Schema table) {
    if (columns.isEmpty()) {
      return table;
    }
    List<Field> given = new ArrayList<>();
    for (String column : columns) {
      given.add(
          table.getFields().stream()
              .filter(field -> field.getName().equals(column))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(uri + ": there is no column '" + column + "'")));
    }
    return new Schema(given);
  }

  /** What follows a word and a space; empty when it is another word. */
  private static Optional<String> after(String word, String text) {
    String stripped = text.strip();
    boolean begins =
        stripped.regionMatches(true, 0, word, 0, word.length())
            && stripped.length() > word.length()
            && Character.isWhitespace(stripped.charAt(word.length()));
    return begins ? Optional.of(stripped.substring(word.length()).strip()) : Optional.empty();
  }

  /** Reads {@code --when-matched}. */
  static final class Matched implements ITypeConverter<WhenMatched> {
    @Override
    public WhenMatched convert(String text) {
      return switch (text) {
        case "update-all" -> WhenMatched.updateAll();
        case "do-nothing" -> WhenMatched.doNothing();
        case "fail" -> WhenMatched.fail();
        case "delete" -> WhenMatched.delete();
        default ->
            after("update-if", text)
                .map(WhenMatched::updateIf)
                .orElseThrow(
                    () ->
                        new TypeConversionException(
                            "expected update-all, 'update-if E', do-nothing, fail or delete: '"
                                + text
                                + "'"));
      };
    }
  }

  /** Reads {@code --when-not-matched}. */
  static final class NotMatched implements ITypeConverter<WhenNotMatched> {
    @Override
    public WhenNotMatched convert(String text) {
      return switch (text) {
        case "insert" -> WhenNotMatched.INSERT;
        case "do-nothing" -> WhenNotMatched.DO_NOTHING;
        default ->
            throw new TypeConversionException("expected insert or do-nothing: '" + text + "'");
      };
    }
  }

  /** Reads {@code --when-not-matched-by-source}. */
  static final class NotMatchedBySource implements ITypeConverter<WhenNotMatchedBySource> {
    @Override
    public WhenNotMatchedBySource convert(String text) {
      return switch (text) {
        case "keep" -> WhenNotMatchedBySource.keep();
        case "delete" -> WhenNotMatchedBySource.delete();
        default ->
            after("delete-if", text)
                .map(WhenNotMatchedBySource::deleteIf)
                .orElseThrow(
                    () ->
                        new TypeConversionException(
                            "expected keep, delete or 'delete-if E': '" + text + "'"));
      };
    }
  }

  /** Reads {@code --duplicates}. */
  static final class Duplicates implements ITypeConverter<DuplicateRows> {
    @Override
    public DuplicateRows convert(String text) {
      return switch (text) {
        case "fail" -> DuplicateRows.FAIL;
        case "first" -> DuplicateRows.FIRST_SEEN;
        default -> throw new TypeConversionException("expected fail or first: '" + text + "'");
      };
    }
  }

  private record Merged(MergeResult result, boolean dryRun) implements Report {
    @Override
    public void json(JsonGenerator json) throws IOException {
      json.writeFieldName("version");
      json.writeNumber(Long.toUnsignedString(result.version()));
      json.writeNumberField("inserted", result.insertedRows());
      json.writeNumberField("updated", result.updatedRows());
      json.writeNumberField("deleted", result.deletedRows());
      json.writeNumberField("attempts", result.attempts());
      json.writeNumberField("filesWritten", result.filesWritten());
      json.writeNumberField("bytesWritten", result.bytesWritten());
    }

    @Override
    public void text(StringBuilder text) {
      text.append(dryRun ? "Would have merged: " : "Merged: ")
          .append(result.insertedRows())
          .append(" rows inserted, ")
          .append(result.updatedRows())
          .append(" updated, ")
          .append(result.deletedRows())
          .append(" deleted; version ")
          .append(Long.toUnsignedString(result.version()))
          .append(result.attempts() == 0 ? " stays.\n" : ".\n");
    }
  }
}
