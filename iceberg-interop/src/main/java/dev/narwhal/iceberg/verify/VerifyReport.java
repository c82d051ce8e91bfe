package dev.narwhal.iceberg.verify;

import dev.narwhal.iceberg.mapping.Exemption;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether two sides have the same live rows, each as often.
 *
 * @param left of the dataset
 * @param right of the table
 * @param missing up to 10 rows of the dataset that the table lacks, by column; values as in the
 *     command line's JSON
 * @param unexpected up to 10 rows of the table that the dataset lacks
 * @param dropped fields that the export left out, which were not compared
 */
public record VerifyReport(
    RowsDigest left,
    RowsDigest right,
    List<Map<String, @Nullable Object>> missing,
    List<Map<String, @Nullable Object>> unexpected,
    List<Exemption> dropped) {
  public VerifyReport {
    missing = List.copyOf(missing);
    unexpected = List.copyOf(unexpected);
    dropped = List.copyOf(dropped);
  }

  public boolean equal() {
    return left.equals(right);
  }
}
