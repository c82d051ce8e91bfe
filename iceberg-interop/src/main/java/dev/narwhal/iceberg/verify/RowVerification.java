package dev.narwhal.iceberg.verify;

import dev.narwhal.iceberg.mapping.Exemption;
import dev.narwhal.iceberg.mapping.MappingRules;
import dev.narwhal.iceberg.mapping.SourceProperties;
import dev.narwhal.iceberg.source.SourceDataset;
import dev.narwhal.iceberg.table.InParallel;
import java.io.IOException;
import java.util.List;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;

/**
 * Compares the live rows of a dataset and of a table as multisets, over values after the type
 * mapping, by the rules that the table's properties say it was exported by. The order of list
 * elements counts, the order of map entries, which Iceberg does not keep, does not. Each side is
 * read once, by its own reader; only where they differ again, to find the rows.
 */
public final class RowVerification {
  private RowVerification() {}

  /**
   * Compares.
   *
   * @throws dev.narwhal.iceberg.table.IncompatibleTableException if the fields correspond neither
   *     by field id nor by name, or their types differ
   * @throws dev.narwhal.lance.error.UnsupportedFeatureException if the dataset has a type without
   *     counterpart and the table was not exported by a policy for it
   */
  public static VerifyReport run(SourceDataset source, Table table) throws IOException {
    DatasetRows left =
        new DatasetRows(
            source, SourceProperties.rules(table.properties(), TableUtil.formatVersion(table)));
    RowSet right = new TableRows(table, Correspondence.of(left.mapping(), table));
    List<Exemption> dropped = left.mapping().dropped();
    RowsDigest ofLeft = digest(left);
    RowsDigest ofRight = digest(right);
    if (ofLeft.equals(ofRight)) {
      return new VerifyReport(ofLeft, ofRight, List.of(), List.of(), dropped);
    }
    RowDifference difference = RowDifference.of(left, right, ofLeft, ofRight);
    return new VerifyReport(
        ofLeft, ofRight, difference.missing(), difference.unexpected(), dropped);
  }

  /** The live rows of a dataset, after the mapping by some rules. */
  public static RowsDigest digest(SourceDataset source, MappingRules rules) throws IOException {
    return digest(new DatasetRows(source, rules));
  }

  /** The live rows of a table's current snapshot, columns in the table's order. */
  public static RowsDigest digest(Table table) throws IOException {
    return digest(new TableRows(table, table.schema()));
  }

  private static RowsDigest digest(RowSet rows) throws IOException {
    RowsDigest.Builder sum = new RowsDigest.Builder();
    InParallel.map(rows.parts(), RowVerification::digest).forEach(sum::add);
    return sum.build();
  }

  private static RowsDigest digest(RowSet.Part part) throws IOException {
    RowsDigest.Builder sum = new RowsDigest.Builder();
    part.forEach(
        row -> {
          sum.add(RowHash.of(row.array(), row.length()));
          return true;
        });
    return sum.build();
  }
}
