package dev.narwhal.cli.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.narwhal.cli.report.BarChart.Palette;
import dev.narwhal.conformance.compare.CompareReport;
import dev.narwhal.conformance.compare.Strategy;
import dev.narwhal.conformance.compare.StrategyResult;
import dev.narwhal.conformance.compare.StrategyResult.Figures;
import java.io.IOException;
import java.io.InputStream;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The report as one HTML page that needs no network: styles and charts are in it. */
public final class ReportPage {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(\\w+)}}");

  /** Columns of the table in which the least is the best. */
  private static final List<Measure> MEASURES =
      List.of(
          new Measure("delete", Figures::deleteMs, Quantity::millis),
          new Measure("read back", Figures::readMs, Quantity::millis),
          new Measure("bytes written", Figures::bytesWritten, Quantity::bytes),
          new Measure(
              "files written", Figures::filesWritten, value -> Quantity.count((long) value)),
          new Measure("write amplification", Figures::writeAmplification, Quantity::factor),
          new Measure("bytes read", Figures::bytesRead, Quantity::bytes));

  private static final List<Integer> CHARTED = List.of(0, 2, 1, 4);

  private final CompareReport report;
  private final List<Figures> all;

  private ReportPage(CompareReport report) {
    this.report = report;
    this.all = report.strategies().stream().flatMap(r -> r.figures().stream()).toList();
  }

  /**
   * The page as text, to be stored as UTF-8.
   *
   * @throws IOException when a chart cannot be drawn; {@link #withoutCharts} still can
   */
  public static String withCharts(CompareReport report) throws IOException {
    ReportPage page = new ReportPage(report);
    try {
      return page.fill(page.charts());
    } catch (LinkageError | InternalError e) {
      throw new IOException("this JVM cannot draw (" + e + ")", e);
    }
  }

  /** The page for a JVM that lacks fonts or the drawing library. */
  public static String withoutCharts(CompareReport report) throws IOException {
    return new ReportPage(report)
        .fill("<p class=\"soft\">Left out: the JVM that made this page cannot draw.</p>");
  }

  private String fill(String charts) throws IOException {
    Map<String, String> values =
        Map.ofEntries(
            Map.entry("strategyCount", Integer.toString(report.strategies().size())),
            Map.entry("dataset", escape(report.dataset())),
            Map.entry("version", Long.toString(report.version())),
            Map.entry("where", escape(report.where())),
            Map.entry("verdictClass", report.equal() ? "yes" : "no"),
            Map.entry(
                "verdict",
                report.equal()
                    ? "Equal: every strategy leaves the same live rows."
                    : "NOT EQUAL: the strategies leave different live rows."),
            Map.entry("rows", Quantity.count(report.rows())),
            Map.entry("deletedRows", Quantity.count(report.deletedRows())),
            Map.entry("deletedShare", share(report.deletedRows(), report.rows())),
            Map.entry("deletedBytes", Quantity.bytes((double) report.deletedBytes())),
            Map.entry("tableRows", tableRows()),
            Map.entry("charts", charts),
            Map.entry("command", escape(report.command())),
            Map.entry("createdAt", report.createdAt().toString()),
            Map.entry("environment", escape(report.environment())));
    return PLACEHOLDER
        .matcher(template())
        .replaceAll(found -> Matcher.quoteReplacement(value(values, found.group(1))));
  }

  private static String value(Map<String, String> values, String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalStateException("compare.html asks for an unknown value: " + name);
    }
    return value;
  }

  private String tableRows() {
    StringBuilder html = new StringBuilder();
    for (StrategyResult result : report.strategies()) {
      Strategy strategy = result.strategy();
      html.append("<tr><td><code>")
          .append(strategy.id())
          .append("</code><small>")
          .append(escape(strategy.format() + ". " + strategy.summary()))
          .append("</small></td>");
      result
          .refusedReason()
          .ifPresent(
              reason ->
                  html.append("<td class=\"refused\" colspan=\"8\">refused: ")
                      .append(escape(reason))
                      .append("</td>"));
      result.figures().ifPresent(figures -> cells(figures, html));
      html.append("</tr>\n");
    }
    return html.toString();
  }

  private void cells(Figures figures, StringBuilder html) {
    for (Measure measure : MEASURES) {
      double value = measure.value.applyAsDouble(figures);
      boolean best = all.stream().mapToDouble(measure.value).min().orElse(value) == value;
      html.append(best ? "<td class=\"best\">" : "<td>")
          .append(measure.unit.apply(value))
          .append("</td>");
    }
    html.append("<td>")
        .append(Quantity.count(figures.liveRows()))
        .append("</td><td><code title=\"")
        .append(escape(figures.rowsHash()))
        .append("\">")
        .append(escape(ReportTable.shortHash(figures.rowsHash())))
        .append("</code></td>");
  }

  private String charts() throws IOException {
    StringBuilder html = new StringBuilder("<div class=\"charts\">\n");
    for (int index : CHARTED) {
      Measure measure = MEASURES.get(index);
      BarChart chart = new BarChart(measure.name, measure.unit);
      StringBuilder alternative = new StringBuilder(measure.name);
      for (StrategyResult result : report.strategies()) {
        result
            .figures()
            .ifPresent(
                figures -> {
                  double value = measure.value.applyAsDouble(figures);
                  chart.add(result.strategy().id(), value);
                  alternative
                      .append("; ")
                      .append(result.strategy().id())
                      .append(' ')
                      .append(measure.unit.apply(value));
                });
      }
      html.append("<div class=\"card\"><picture><source media=\"(prefers-color-scheme: dark)\"")
          .append(" srcset=\"")
          .append(dataUri(chart.png(Palette.DARK)))
          .append("\"><img width=\"")
          .append(BarChart.WIDTH)
          .append("\" height=\"")
          .append(chart.height())
          .append("\" alt=\"")
          .append(escape(alternative.toString()))
          .append("\" src=\"")
          .append(dataUri(chart.png(Palette.LIGHT)))
          .append("\"></picture></div>\n");
    }
    return html.append("</div>").toString();
  }

  private static String dataUri(byte[] png) {
    return "data:image/png;base64," + Base64.getEncoder().encodeToString(png);
  }

  private static String share(long part, long whole) {
    return whole == 0 ? "0 %" : String.format(Locale.ROOT, "%.2g %%", 100.0 * part / whole);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private static String template() throws IOException {
    try (InputStream in = ReportPage.class.getResourceAsStream("compare.html")) {
      if (in == null) {
        throw new IOException("compare.html is not in the jar; build the command again");
      }
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  /** One figure of a strategy, how to get it and how to show it. */
  private record Measure(
      String name, ToDoubleFunction<Figures> value, DoubleFunction<String> unit) {}
}
