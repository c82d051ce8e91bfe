package dev.narwhal.cli.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.narwhal.cli.output.Console;
import dev.narwhal.conformance.compare.CompareReport;
import dev.narwhal.conformance.compare.Strategy;
import dev.narwhal.conformance.compare.StrategyResult;
import dev.narwhal.conformance.compare.StrategyResult.Figures;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareReportTest {
  private static final Pattern IMAGE = Pattern.compile("data:image/png;base64,([A-Za-z0-9+/=]+)");

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Console console =
      new Console(new ByteArrayOutputStream(), new PrintStream(err, true, UTF_8), false);

  @Test
  void strategyNamesAreTheContract() {
    assertThat(Strategy.values())
        .extracting(Strategy::id)
        .containsExactly(
            "lance-deletion-file",
            "iceberg-deletion-vectors",
            "iceberg-position-deletes-file",
            "iceberg-position-deletes-partition",
            "iceberg-copy-on-write",
            "iceberg-equality-deletes");
  }

  @Test
  void jsonHoldsEveryKeyOfTheContract(@TempDir Path folder) throws IOException {
    ReportFiles.write(Reports.full(), folder, console);
    JsonNode json = new ObjectMapper().readTree(folder.resolve("compare.json").toFile());
    assertThat(json.fieldNames())
        .toIterable()
        .contains("rows", "deletedRows", "strategies", "equal", "dataset", "version", "where");
    assertThat(json.get("equal").booleanValue()).isTrue();
    assertThat(json.get("rows").longValue()).isEqualTo(187_340);
    assertThat(json.get("strategies")).hasSize(5);
    JsonNode first = json.get("strategies").get(0);
    assertThat(first.fieldNames())
        .toIterable()
        .containsExactly(
            "name",
            "deleteMs",
            "readMs",
            "bytesWritten",
            "bytesRead",
            "filesWritten",
            "writeAmplification",
            "liveRows",
            "rowsHash");
    assertThat(first.get("deleteMs").doubleValue()).isEqualTo(14.2);
    assertThat(first.get("writeAmplification").doubleValue()).isEqualTo(0.084);
    assertThat(first.get("rowsHash").textValue()).isEqualTo(Reports.HASH);
  }

  @Test
  void aRefusedStrategyHasAReasonAndNoFigures(@TempDir Path folder) throws IOException {
    CompareReport report =
        Reports.of(
            List.of(
                Reports.result(Strategy.LANCE_DELETION_FILE, 1, 2, 3, 4, 5),
                StrategyResult.refused(
                    Strategy.ICEBERG_DELETION_VECTORS, "column x: duration has no Iceberg type")));
    assertThat(report.equal()).isTrue();
    ReportFiles.write(report, folder, console);
    JsonNode refused =
        new ObjectMapper().readTree(folder.resolve("compare.json").toFile()).at("/strategies/1");
    assertThat(refused.fieldNames()).toIterable().containsExactly("name", "refusedReason");
    assertThat(text(report))
        .contains("iceberg-deletion-vectors refused: column x: duration has no Iceberg type");
    assertThat(Files.readString(folder.resolve("compare.html")))
        .contains("refused: column x: duration has no Iceberg type");
  }

  @Test
  void differentRowsAreNotEqual() {
    StrategyResult lance = Reports.result(Strategy.LANCE_DELETION_FILE, 1, 2, 3, 4, 5);
    Figures other = new Figures(1, 2, 3, 4, 5, 0.1, 185_467, "00" + Reports.HASH.substring(2));
    CompareReport report =
        Reports.of(List.of(lance, StrategyResult.measured(Strategy.ICEBERG_COPY_ON_WRITE, other)));
    assertThat(report.equal()).isFalse();
    assertThat(text(report)).contains("NOT EQUAL");
  }

  @Test
  void nothingMeasuredIsNotEqual() {
    assertThat(Reports.of(List.of()).equal()).isFalse();
  }

  @Test
  void tableListsEveryStrategyWithUnits() {
    assertThat(text(Reports.full()))
        .contains(
            "strategy                             delete  read back  written  files  amplification")
        .contains(
            "iceberg-copy-on-write                933 ms     187 ms  3.37 MB      8          30.0×")
        .contains("Equal: every strategy leaves the same live rows.");
  }

  @Test
  void pageNeedsNothingFromOutside() throws IOException {
    String page = ReportPage.withCharts(Reports.full());
    assertThat(page)
        .doesNotContain("{{")
        .doesNotContain("http:")
        .doesNotContain("https:")
        .doesNotContain("//cdn")
        .contains("iceberg-position-deletes-partition", Reports.HASH);
  }

  @Test
  void pageEscapesWhatTheUserTyped() throws IOException {
    assertThat(ReportPage.withoutCharts(Reports.full()))
        .contains("category = 'a&lt;b' and &quot;x&quot; &gt; 5")
        .doesNotContain("a<b");
  }

  @Test
  void pageHasEveryChartInBothPalettes() throws IOException {
    Matcher images = IMAGE.matcher(ReportPage.withCharts(Reports.full()));
    int count = 0;
    while (images.find()) {
      var image =
          ImageIO.read(new ByteArrayInputStream(Base64.getDecoder().decode(images.group(1))));
      assertThat(image.getWidth()).isEqualTo(2 * BarChart.WIDTH);
      count++;
    }
    assertThat(count).isEqualTo(8);
  }

  @Test
  void farApartValuesGetALogarithmicAxis() {
    BarChart near = new BarChart("near", Quantity::bytes);
    near.add("a", 1);
    near.add("b", 99);
    BarChart far = new BarChart("far", Quantity::bytes);
    far.add("a", 1);
    far.add("b", 100);
    BarChart zero = new BarChart("zero", Quantity::bytes);
    zero.add("a", 0);
    zero.add("b", 100);
    assertThat(near.isLogarithmic()).isFalse();
    assertThat(far.isLogarithmic()).isTrue();
    assertThat(zero.isLogarithmic()).isFalse();
  }

  @Test
  void chartsOfNothingButZerosAreDrawn() throws IOException {
    BarChart chart = new BarChart("zeros", Quantity::bytes);
    chart.add("a", 0);
    chart.add("b", 0);
    assertThat(chart.png(BarChart.Palette.LIGHT)).isNotEmpty();
  }

  private static String text(CompareReport report) {
    StringBuilder text = new StringBuilder();
    ReportTable.write(report, text);
    return text.toString();
  }
}
