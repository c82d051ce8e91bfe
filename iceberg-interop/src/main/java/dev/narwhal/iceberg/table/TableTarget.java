package dev.narwhal.iceberg.table;

import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;

/**
 * The place of one Iceberg table, whether or not there is a table yet. Made by {@link #at} or
 * {@link #inCatalog}; whoever made it closes it, after the last use of the tables it gave.
 */
public sealed interface TableTarget extends AutoCloseable permits CatalogTarget, LocationTarget {
  /**
   * A table in the Hadoop layout ({@code vN.metadata.json}, {@code version-hint.text}), which every
   * engine reads by its path.
   *
   * @param location a path, relative or absolute, or a {@code file:} URI
   */
  static TableTarget at(String location) {
    return new LocationTarget(location);
  }

  /**
   * A table in a catalog.
   *
   * @param properties Iceberg's catalog properties; {@code type} or {@code catalog-impl} picks the
   *     implementation
   * @param table {@code namespace.table}, as many levels of namespace as the catalog takes
   */
  static TableTarget inCatalog(Map<String, String> properties, String table) {
    return CatalogTarget.open(properties, table);
  }

  /** How a message names it. */
  String name();

  /** The table, or empty where there is none. */
  Optional<Table> load();

  /**
   * A transaction that creates the table when it commits, and leaves no trace of one unless it
   * does.
   *
   * @throws org.apache.iceberg.exceptions.AlreadyExistsException if there is one
   */
  Transaction newTable(Schema schema, Map<String, String> properties);

  /**
   * Tidies up after a creation that failed: whatever {@link #newTable} made besides the table
   * itself, such as directories or a namespace, goes if it is empty.
   */
  void abandon();

  @Override
  void close();
}
