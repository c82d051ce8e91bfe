package dev.narwhal.cli.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import javax.imageio.ImageIO;
import org.knowm.xchart.HorizontalBarChart;
import org.knowm.xchart.HorizontalBarChartBuilder;
import org.knowm.xchart.style.AxesChartStyler.TextAlignment;
import org.knowm.xchart.style.HorizontalBarStyler;
import org.knowm.xchart.style.Styler.LegendPosition;

/** One measure of all strategies as horizontal bars, drawn without a display. */
final class BarChart {
  static final int WIDTH = 560;

  /** Pixels per CSS pixel, so that the chart is sharp on dense screens. */
  private static final int SCALE = 2;

  private static final double LOG_SCALE_FROM_RATIO = 100;

  private final String title;
  private final DoubleFunction<String> unit;
  private final List<String> names = new ArrayList<>();
  private final List<Double> values = new ArrayList<>();

  BarChart(String title, DoubleFunction<String> unit) {
    this.title = title;
    this.unit = unit;
  }

  void add(String name, double value) {
    names.add(name);
    values.add(value);
  }

  /** Height in CSS pixels. */
  int height() {
    return 76 + 32 * names.size();
  }

  /** Whether the values lie so far apart that the axis is logarithmic. */
  boolean isLogarithmic() {
    return min() > 0 && max() / min() >= LOG_SCALE_FROM_RATIO;
  }

  /** A PNG image in the colours of one palette, on a transparent ground. */
  byte[] png(Palette palette) throws IOException {
    HorizontalBarChart chart =
        new HorizontalBarChartBuilder()
            .width(WIDTH)
            .height(height())
            .title(isLogarithmic() ? title + " (log scale)" : title)
            .build();
    style(chart.getStyler(), palette);
    List<Double> bars = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      bars.add(values.get(i));
      labels.add(names.get(i) + "   " + unit.apply(values.get(i)));
    }
    chart.addSeries(title, bars, labels);
    BufferedImage image =
        new BufferedImage(WIDTH * SCALE, height() * SCALE, BufferedImage.TYPE_INT_ARGB);
    Graphics2D graphics = image.createGraphics();
    try {
      graphics.setRenderingHint(
          RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
      graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
      graphics.scale(SCALE, SCALE);
      chart.paint(graphics, WIDTH, height());
    } finally {
      graphics.dispose();
    }
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    ImageIO.setUseCache(false);
    ImageIO.write(image, "png", png);
    return png.toByteArray();
  }

  private void style(HorizontalBarStyler styler, Palette palette) {
    Font text = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
    Color clear = new Color(0, 0, 0, 0);
    styler.setLegendPosition(LegendPosition.OutsideE).setLegendVisible(false);
    styler.setChartBackgroundColor(clear);
    styler.setPlotBackgroundColor(clear);
    styler.setPlotBorderVisible(false);
    styler.setChartFontColor(palette.text());
    styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 14));
    styler.setChartTitleBoxVisible(false);
    styler.setChartPadding(8);
    styler.setSeriesColors(new Color[] {palette.bar()});
    styler.setLabelsVisible(false).setAvailableSpaceFill(0.62);
    styler.setAxisTitlesVisible(false);
    styler.setAxisTickLabelsFont(text);
    styler.setAxisTickLabelsColor(palette.text());
    styler.setAxisTicksMarksVisible(false).setAxisTicksLineVisible(false);
    styler.setPlotGridHorizontalLinesVisible(false);
    styler.setPlotGridLinesColor(palette.grid());
    styler.setPlotGridLinesStroke(new BasicStroke(1f));
    styler.setXAxisTickLabelsFormattingFunction(unit::apply);
    styler.setXAxisTickMarkSpacingHint(28);
    styler.setYAxisLabelAlignment(TextAlignment.Right);
    if (isLogarithmic()) {
      styler.setXAxisLogarithmic(true).setXAxisLogarithmicDecadeOnly(true);
      styler.setPlotGridVerticalLinesVisible(false); // they would be one per digit, not per decade
      styler.setXAxisMin(Math.pow(10, Math.ceil(Math.log10(min())) - 1));
      styler.setXAxisMax(max());
    } else {
      styler.setXAxisMin(0.0);
      styler.setXAxisMax(max() > 0 ? max() : 1.0);
    }
  }

  private double min() {
    return values.stream().mapToDouble(Double::doubleValue).min().orElse(0);
  }

  private double max() {
    return values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }

  /** The colours of a page, light or dark. */
  enum Palette {
    LIGHT(new Color(0x1f2933), new Color(0x2f6f9f), new Color(0xdde3e9)),
    DARK(new Color(0xdbe3ea), new Color(0x6cb2e0), new Color(0x34414d));

    private final Color text;
    private final Color bar;
    private final Color grid;

    Palette(Color text, Color bar, Color grid) {
      this.text = text;
      this.bar = bar;
      this.grid = grid;
    }

    Color text() {
      return text;
    }

    Color bar() {
      return bar;
    }

    Color grid() {
      return grid;
    }
  }
}
