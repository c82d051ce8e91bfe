package dev.narwhal.cli.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.cli.output.Console;
import dev.narwhal.cli.output.Json;
import dev.narwhal.conformance.compare.CompareReport;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Stores the report in a folder: {@code compare.json} and {@code compare.html}. */
public final class ReportFiles {
  private ReportFiles() {}

  /** Creates the folder if need be and replaces older reports in it. */
  public static void write(CompareReport report, Path folder, Console console) throws IOException {
    Files.createDirectories(folder);
    try (OutputStream out = Files.newOutputStream(folder.resolve("compare.json"));
        JsonGenerator json = Json.generator(out)) {
      json.useDefaultPrettyPrinter();
      json.writeStartObject();
      ReportJson.write(report, json);
      json.writeEndObject();
      json.writeRaw('\n');
    }
    Files.writeString(folder.resolve("compare.html"), page(report, console), UTF_8);
  }

  private static String page(CompareReport report, Console console) throws IOException {
    try {
      return ReportPage.withCharts(report);
    } catch (IOException e) {
      console.warn("compare.html has no charts: " + e.getMessage());
      return ReportPage.withoutCharts(report);
    }
  }
}
