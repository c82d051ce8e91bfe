package dev.narwhal.cli;

import dev.narwhal.iceberg.table.TableTarget;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.NoSuchTableException;
import picocli.CommandLine.Option;

/** Where an Iceberg table is looked for. */
final class TableOptions {
  /** What a verb says of its parameter TABLE. */
  static final String TABLE = "Location of an Iceberg table, or namespace.table with --catalog.";

  @Option(
      names = "--catalog",
      split = ",",
      paramLabel = "NAME=VALUE",
      description = "Iceberg's catalog properties, such as type=hadoop,warehouse=DIR.")
  private Map<String, String> catalog = new LinkedHashMap<>();

  /** The place of the table. The caller closes it. */
  TableTarget target(String table) {
    return catalog.isEmpty() ? TableTarget.at(table) : TableTarget.inCatalog(catalog, table);
  }

  /**
   * The table that is there.
   *
   * @throws NoSuchTableException if there is none
   */
  static Table load(TableTarget target) {
    return target
        .load()
        .orElseThrow(
            () ->
                new NoSuchTableException(
                    "%s: no Iceberg table there; check the location", target.name()));
  }
}
