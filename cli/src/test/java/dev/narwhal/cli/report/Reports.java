package dev.narwhal.cli.report;

import dev.narwhal.conformance.compare.CompareReport;
import dev.narwhal.conformance.compare.Strategy;
import dev.narwhal.conformance.compare.StrategyResult;
import dev.narwhal.conformance.compare.StrategyResult.Figures;
import java.time.Instant;
import java.util.List;

/** Reports for tests, with figures of a likely size. */
final class Reports {
  static final String HASH = "3f8a1c5e9b7d24608c1e5a2f4d6b7981";

  private Reports() {}

  static CompareReport of(List<StrategyResult> strategies) {
    return new CompareReport(
        "samples/whales",
        3,
        "category = 'a<b' and \"x\" > 5",
        187_340,
        1_873,
        112_380,
        strategies,
        Instant.parse("2026-11-30T10:00:00Z"),
        "OpenJDK 17.0.15, 2 processors, Linux amd64",
        "./narwhal compare samples/whales --where \"x > 5\"");
  }

  static CompareReport full() {
    return of(
        List.of(
            result(Strategy.LANCE_DELETION_FILE, 14.2, 61.3, 9_412, 2_101_220, 7),
            result(Strategy.ICEBERG_DELETION_VECTORS, 48.9, 210.4, 17_204, 3_402_233, 6),
            result(Strategy.ICEBERG_POSITION_DELETES_FILE, 83.1, 233, 23_377, 3_409_021, 8),
            result(Strategy.ICEBERG_POSITION_DELETES_PARTITION, 71.7, 229.8, 19_870, 3_406_770, 5),
            result(Strategy.ICEBERG_COPY_ON_WRITE, 932.5, 187.2, 3_371_201, 3_371_201, 8)));
  }

  static StrategyResult result(
      Strategy strategy, double delete, double read, long written, long bytesRead, long files) {
    return StrategyResult.measured(
        strategy,
        new Figures(delete, read, written, bytesRead, files, written / 112_380.0, 185_467, HASH));
  }
}
