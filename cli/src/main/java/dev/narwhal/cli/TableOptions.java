package dev.narwhal.cli;

import dev.narwhal.iceberg.table.TableTarget;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which Iceberg table a verb is about: the second parameter, after the dataset. */
final class TableOptions {
  @Parameters(
      index = "1",
      paramLabel = "TABLE",
      description = "Location of an Iceberg table, or namespace.table with --catalog.")
  private String table = "";

  @Option(
      names = "--catalog",
      split = ",",
      paramLabel = "NAME=VALUE",
      description = "Iceberg's catalog properties, such as type=hadoop,warehouse=DIR.")
  private Map<String, String> catalog = new LinkedHashMap<>();

  /** The place of the table. The caller closes it. */
  TableTarget target() {
    return catalog.isEmpty() ? TableTarget.at(table) : TableTarget.inCatalog(catalog, table);
  }
}
