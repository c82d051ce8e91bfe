package dev.narwhal.cli.report;

import dev.narwhal.conformance.compare.CompareReport;
import dev.narwhal.conformance.compare.Strategy;
import dev.narwhal.conformance.compare.StrategyResult;
import dev.narwhal.conformance.compare.StrategyResult.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The report as a table of plain text. */
public final class ReportTable {
  private static final List<String> HEADER =
      List.of(
          "strategy",
          "delete",
          "read back",
          "written",
          "files",
          "amplification",
          "read",
          "live rows",
          "hash");

  private ReportTable() {}

  public static void write(CompareReport report, StringBuilder text) {
    text.append(report.dataset())
        .append(", version ")
        .append(report.version())
        .append(": ")
        .append(Quantity.count(report.rows()))
        .append(" rows, ")
        .append(Quantity.count(report.deletedRows()))
        .append(" of them deleted by ")
        .append(report.where())
        .append("\n\n");
    List<List<String>> lines = new ArrayList<>();
    lines.add(HEADER);
    for (StrategyResult result : report.strategies()) {
      result.figures().ifPresent(figures -> lines.add(line(result.strategy(), figures)));
    }
    align(lines, text);
    for (StrategyResult result : report.strategies()) {
      Optional<String> refused = result.refusedReason();
      refused.ifPresent(
          reason ->
              text.append(result.strategy().id()).append(" refused: ").append(reason).append('\n'));
    }
    text.append('\n')
        .append(
            report.equal()
                ? "Equal: every strategy leaves the same live rows.\n"
                : "NOT EQUAL: the strategies leave different live rows.\n");
  }

  private static List<String> line(Strategy strategy, Figures figures) {
    return List.of(
        strategy.id(),
        Quantity.millis(figures.deleteMs()),
        Quantity.millis(figures.readMs()),
        Quantity.bytes((double) figures.bytesWritten()),
        Quantity.count(figures.filesWritten()),
        Quantity.factor(figures.writeAmplification()),
        Quantity.bytes((double) figures.bytesRead()),
        Quantity.count(figures.liveRows()),
        shortHash(figures.rowsHash()));
  }

  /** Enough of the digest to see at a glance that two are alike. */
  static String shortHash(String hash) {
    return hash.length() <= 8 ? hash : hash.substring(0, 8);
  }

  /** Names to the left, numbers to the right, two spaces between. */
  private static void align(List<List<String>> lines, StringBuilder text) {
    int[] widths = new int[HEADER.size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    for (List<String> line : lines) {
      text.append(line.get(0)).append(" ".repeat(widths[0] - line.get(0).length()));
      for (int i = 1; i < widths.length; i++) {
        text.append("  ").append(" ".repeat(widths[i] - line.get(i).length())).append(line.get(i));
      }
      text.append('\n');
    }
  }
}
