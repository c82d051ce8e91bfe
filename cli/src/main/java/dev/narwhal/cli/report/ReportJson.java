package dev.narwhal.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.narwhal.conformance.compare.CompareReport;
import dev.narwhal.conformance.compare.StrategyResult;
import dev.narwhal.conformance.compare.StrategyResult.Figures;
import java.io.IOException;
import java.util.Optional;

/** The report as JSON; the keys are part of the command line's contract. */
public final class ReportJson {
  private ReportJson() {}

  /** Writes the members of the report's object; the braces are the caller's. */
  public static void write(CompareReport report, JsonGenerator json) throws IOException {
    json.writeStringField("dataset", report.dataset());
    json.writeNumberField("version", report.version());
    json.writeStringField("where", report.where());
    json.writeNumberField("rows", report.rows());
    json.writeNumberField("deletedRows", report.deletedRows());
    json.writeNumberField("deletedBytes", report.deletedBytes());
    json.writeArrayFieldStart("strategies");
    for (StrategyResult result : report.strategies()) {
      json.writeStartObject();
      json.writeStringField("name", result.strategy().id());
      Optional<Figures> figures = result.figures();
      if (figures.isPresent()) {
        write(figures.get(), json);
      }
      Optional<String> refused = result.refusedReason();
      if (refused.isPresent()) {
        json.writeStringField("refusedReason", refused.get());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeBooleanField("equal", report.equal());
    json.writeStringField("createdAt", report.createdAt().toString());
    json.writeStringField("environment", report.environment());
    json.writeStringField("command", report.command());
  }

  private static void write(Figures figures, JsonGenerator json) throws IOException {
    json.writeNumberField("deleteMs", rounded(figures.deleteMs()));
    json.writeNumberField("readMs", rounded(figures.readMs()));
    json.writeNumberField("bytesWritten", figures.bytesWritten());
    json.writeNumberField("bytesRead", figures.bytesRead());
    json.writeNumberField("filesWritten", figures.filesWritten());
    json.writeNumberField("writeAmplification", rounded(figures.writeAmplification()));
    json.writeNumberField("liveRows", figures.liveRows());
    json.writeStringField("rowsHash", figures.rowsHash());
  }

  /** Three decimals: a microsecond, which is more than the clock's worth. */
  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
