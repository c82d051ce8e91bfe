package dev.narwhal.iceberg.verify;

import dev.narwhal.iceberg.mapping.FieldIds;
import dev.narwhal.iceberg.mapping.SourceColumn;
import dev.narwhal.iceberg.mapping.SourceProperties;
import dev.narwhal.iceberg.source.SourceDataset;
import dev.narwhal.iceberg.table.InParallel;
import dev.narwhal.iceberg.table.IncompatibleTableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * Compares the live rows of a dataset and of a table as multisets, over values after the type
 * mapping. Each side is read once, by its own reader; only where they differ again, to find the
 * rows.
 */
public final class RowVerification {
  private static final int NEWEST_FORMAT_VERSION = 3;

  private RowVerification() {}

  /**
   * Compares.
   *
   * @throws IncompatibleTableException if the columns correspond neither by field id nor by name,
   *     or their types differ
   */
  public static VerifyReport run(SourceDataset source, Table table) throws IOException {
    RowSet left = new DatasetRows(source, TableUtil.formatVersion(table));
    RowSet right = new TableRows(table, corresponding(source.columns(), left.schema(), table));
    RowsDigest ofLeft = digest(left);
    RowsDigest ofRight = digest(right);
    if (ofLeft.equals(ofRight)) {
      return new VerifyReport(ofLeft, ofRight, List.of(), List.of());
    }
    RowDifference difference = RowDifference.of(left, right, ofLeft, ofRight);
    return new VerifyReport(ofLeft, ofRight, difference.missing(), difference.unexpected());
  }

  /** The live rows of a dataset. */
  public static RowsDigest digest(SourceDataset source) throws IOException {
    return digest(new DatasetRows(source, NEWEST_FORMAT_VERSION));
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

  /** The table's columns in the order of the dataset's. */
  private static Schema corresponding(List<SourceColumn> columns, Schema mapped, Table table) {
    Optional<FieldIds> ids =
        Optional.ofNullable(table.properties().get(SourceProperties.FIELD_IDS))
            .map(FieldIds::fromJson);
    List<Types.NestedField> fields = new ArrayList<>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      fields.add(corresponding(columns.get(i), mapped.columns().get(i), ids, table));
    }
    if (fields.size() < table.schema().columns().size()) {
      throw new IncompatibleTableException(
          "table "
              + table.name()
              + " has columns that the dataset lacks: "
              + table.schema().columns().stream()
                  .filter(field -> !fields.contains(field))
                  .toList());
    }
    return new Schema(fields);
  }

  private static Types.NestedField corresponding(
      SourceColumn column, Types.NestedField mapped, Optional<FieldIds> ids, Table table) {
    Types.NestedField field =
        ids.map(pairs -> pairs.icebergIds().get(column.lanceFieldId()))
            .map(table.schema()::findField)
            .or(() -> Optional.ofNullable(table.schema().findField(column.name())))
            .orElseThrow(
                () ->
                    new IncompatibleTableException(
                        "table " + table.name() + " has no column " + column.name()));
    if (!withoutIds(field.type()).equals(withoutIds(mapped.type()))) {
      throw new IncompatibleTableException(
          "column "
              + column.name()
              + " is "
              + field.type()
              + " in table "
              + table.name()
              + ", but the dataset's "
              + column.field().getType()
              + " maps to "
              + mapped.type());
    }
    return field;
  }

  /** Types compare with field ids; nullability of elements plays no part. */
  private static Type withoutIds(Type type) {
    return type.isListType() ? Types.ListType.ofOptional(1, type.asListType().elementType()) : type;
  }
}
