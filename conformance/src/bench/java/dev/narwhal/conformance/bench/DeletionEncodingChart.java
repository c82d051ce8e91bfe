package dev.narwhal.conformance.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Draws the chart of docs/deletion-encodings.md, and prints its tables: sizes, which are worked out
 * here, and times, from the CSV file that {@link DeletionEncodingBenchmark} leaves ({@code -rf csv
 * -rff FILE}).
 *
 * <pre>DeletionEncodingChart JMH.csv OUT.svg</pre>
 */
public final class DeletionEncodingChart {
  private static final double[] SHARES = {0.0001, 0.001, 0.01, 0.1, 0.5, 0.9};
  private static final List<DeletionForm> FORMS = List.of(DeletionForm.values());
  private static final List<String> COLOURS = List.of("#b4431f", "#1f6fb4", "#2b8a3e");
  private static final int WIDTH = 300;
  private static final int HEIGHT = 190;
  private static final int MARGIN = 60;

  private final Map<Case, Double> measured = new HashMap<>();
  private final StringBuilder svg = new StringBuilder();

  /** One measured case; {@code what} is {@code bytes} or a benchmark's name. */
  private record Case(String what, DeletedRows rows, DeletionForm form, double share) {}

  public static void main(String[] arguments) throws IOException {
    DeletionEncodingChart chart = new DeletionEncodingChart();
    chart.read(Files.readAllLines(Path.of(arguments[0])));
    chart.measureSizes();
    Files.writeString(Path.of(arguments[1]), chart.draw(), UTF_8);
    for (String what : List.of("bytes", "encode", "decode", "probe1000")) {
      System.out.println(chart.table(what));
    }
  }

  /** Lines of {@code "benchmark","mode",threads,samples,score,error,"unit",form,rows,share}. */
  private void read(List<String> lines) {
    List<String> header = List.of(lines.get(0).replace("\"", "").split(",", -1));
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.replace("\"", "").split(",", -1);
      String name = cells[header.indexOf("Benchmark")];
      measured.put(
          new Case(
              name.substring(name.lastIndexOf('.') + 1),
              DeletedRows.valueOf(cells[header.indexOf("Param: rows")]),
              DeletionForm.valueOf(cells[header.indexOf("Param: form")]),
              Double.parseDouble(cells[header.indexOf("Param: share")])),
          Double.parseDouble(cells[header.indexOf("Score")]));
    }
  }

  private void measureSizes() {
    for (DeletedRows rows : DeletedRows.values()) {
      for (double share : SHARES) {
        for (DeletionForm form : DeletionForm.values()) {
          double bytes =
              form.encode(rows.of(DeletionEncodingBenchmark.PHYSICAL_ROWS, share)).sizeBytes();
          measured.put(new Case("bytes", rows, form, share), bytes);
        }
      }
    }
  }

  private double value(String what, DeletedRows rows, DeletionForm form, double share) {
    return measured.getOrDefault(new Case(what, rows, form, share), Double.NaN);
  }

  private String table(String what) {
    StringBuilder text = new StringBuilder();
    text.append("| ").append(what).append(" | deleted |");
    for (DeletionForm form : DeletionForm.values()) {
      text.append(' ').append(label(form)).append(" |");
    }
    text.append("\n|---|---|---|---|---|\n");
    for (DeletedRows rows : DeletedRows.values()) {
      for (double share : SHARES) {
        text.append("| ").append(label(rows)).append(" | ").append(percent(share)).append(" |");
        for (DeletionForm form : DeletionForm.values()) {
          text.append(' ').append(number(value(what, rows, form, share))).append(" |");
        }
        text.append('\n');
      }
    }
    return text.toString();
  }

  /** A row of panels for each measure, a panel for each way that rows lie. */
  private String draw() {
    List<String> measures = List.of("bytes", "encode", "decode");
    int panels = DeletedRows.values().length;
    int width = MARGIN + panels * (WIDTH + MARGIN);
    int height = 40 + measures.size() * (HEIGHT + MARGIN);
    svg.append(
        ("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
                + " font-family=\"sans-serif\" font-size=\"11\">\n")
            .formatted(width, height));
    svg.append("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n".formatted(width, height));
    for (int i = 0; i < FORMS.size(); i++) {
      int x = MARGIN + i * 150;
      svg.append(
          "<rect x=\"%d\" y=\"12\" width=\"14\" height=\"4\" fill=\"%s\"/>\n"
              .formatted(x, COLOURS.get(i)));
      text(x + 20, 18, "start", label(FORMS.get(i)));
    }
    for (int row = 0; row < measures.size(); row++) {
      int left = MARGIN;
      for (DeletedRows rows : DeletedRows.values()) {
        panel(measures.get(row), rows, left, 50 + row * (HEIGHT + MARGIN));
        left += WIDTH + MARGIN;
      }
    }
    return svg.append("</svg>\n").toString();
  }

  private void panel(String what, DeletedRows rows, int left, int top) {
    double low = Math.floor(extreme(what, value -> -value) * -1);
    double high = Math.ceil(extreme(what, value -> value));
    svg.append(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#999\"/>\n"
            .formatted(left, top, WIDTH, HEIGHT));
    text(
        left + WIDTH / 2,
        top - 6,
        "middle",
        label(rows) + ", " + (what.equals("bytes") ? "bytes" : "microseconds to " + what));
    for (double power = low; power <= high; power++) {
      double y = top + HEIGHT - (power - low) / (high - low) * HEIGHT;
      svg.append(
          "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"#eee\"/>\n"
              .formatted(left, left + WIDTH, Math.round(y), Math.round(y)));
      text(left - 5, (int) y + 4, "end", number(Math.pow(10, power)));
    }
    for (int i = 0; i < SHARES.length; i++) {
      text(left + x(i), top + HEIGHT + 14, "middle", percent(SHARES[i]));
    }
    for (int line = 0; line < FORMS.size(); line++) {
      StringBuilder points = new StringBuilder();
      for (int i = 0; i < SHARES.length; i++) {
        double power = Math.log10(value(what, rows, FORMS.get(line), SHARES[i]));
        double y = top + HEIGHT - (power - low) / (high - low) * HEIGHT;
        points.append(left + x(i)).append(',').append(Math.round(y)).append(' ');
      }
      svg.append(
          "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n"
              .formatted(points.toString().trim(), COLOURS.get(line)));
    }
  }

  /** The greatest of what a function makes of the logarithms of a measure. */
  private double extreme(String what, ToDoubleFunction<Double> of) {
    return measured.entrySet().stream()
        .filter(entry -> entry.getKey().what().equals(what))
        .mapToDouble(entry -> of.applyAsDouble(Math.log10(entry.getValue())))
        .max()
        .orElseThrow();
  }

  private static int x(int share) {
    return 20 + share * (WIDTH - 40) / (SHARES.length - 1);
  }

  private void text(int x, int y, String anchor, String text) {
    svg.append(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>\n".formatted(x, y, anchor, text));
  }

  private static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String percent(double share) {
    return (share < 0.01
            ? String.format(Locale.ROOT, "%.2f", share * 100)
            : "" + Math.round(share * 100))
        + " %";
  }

  private static String number(double value) {
    return value >= 100
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, value >= 10 ? "%.0f" : "%.2g", value);
  }

  private DeletionEncodingChart() {}
}
