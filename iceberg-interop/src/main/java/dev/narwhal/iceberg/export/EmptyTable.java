package dev.narwhal.iceberg.export;

import dev.narwhal.iceberg.table.IncompatibleTableException;
import dev.narwhal.iceberg.table.TableNotEmptyException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.CloseableIterator;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;

/** Whether a table that is there already can take an export. */
final class EmptyTable {
  private EmptyTable() {}

  /**
   * Checks that the table has no data files, is not partitioned, and has exactly the columns of
   * {@code schema}; a column that may be null in the table need not be in the schema.
   */
  static void check(Table table, String name, Schema schema, int formatVersion) {
    if (hasDataFiles(table)) {
      throw new TableNotEmptyException(
          "table " + name + " already has rows; choose another, or drop it first");
    }
    if (TableUtil.formatVersion(table) != formatVersion) {
      throw new IncompatibleTableException(
          "table "
              + name
              + " has format version "
              + TableUtil.formatVersion(table)
              + ", the export needs "
              + formatVersion);
    }
    if (table.spec().isPartitioned()) {
      throw new IncompatibleTableException(
          "table " + name + " is partitioned by " + table.spec() + "; exports are not");
    }
    checkColumns(table, name, schema);
  }

  private static boolean hasDataFiles(Table table) {
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles();
        CloseableIterator<FileScanTask> iterator = tasks.iterator()) {
      return iterator.hasNext();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void checkColumns(Table table, String name, Schema schema) {
    // field ids aside
    List<Types.NestedField> found = TypeUtil.assignIncreasingFreshIds(table.schema()).columns();
    List<Types.NestedField> wanted = TypeUtil.assignIncreasingFreshIds(schema).columns();
    boolean same = found.size() == wanted.size();
    for (int i = 0; same && i < wanted.size(); i++) {
      same =
          found.get(i).name().equals(wanted.get(i).name())
              && found.get(i).type().equals(wanted.get(i).type())
              && (found.get(i).isOptional() || wanted.get(i).isRequired());
    }
    if (!same) {
      throw new IncompatibleTableException(
          "table " + name + " has the columns " + found + ", the export needs " + wanted);
    }
  }
}
