package dev.narwhal.iceberg.table;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NamespaceNotEmptyException;
import org.apache.iceberg.exceptions.NoSuchTableException;

/** A table in any catalog that Iceberg can build from properties. */
final class CatalogTarget implements TableTarget {
  private final Catalog catalog;
  private final TableIdentifier identifier;
  private boolean madeNamespace;

  private CatalogTarget(Catalog catalog, TableIdentifier identifier) {
    this.catalog = catalog;
    this.identifier = identifier;
  }

  static CatalogTarget open(Map<String, String> properties, String table) {
    TableIdentifier identifier = TableIdentifier.parse(table);
    if (!identifier.hasNamespace()) {
      throw new IllegalArgumentException("a table in a catalog is namespace.table: " + table);
    }
    String name = properties.getOrDefault("name", "narwhal");
    return new CatalogTarget(
        CatalogUtil.buildIcebergCatalog(name, properties, LocalFiles.configuration()), identifier);
  }

  @Override
  public String name() {
    return catalog.name() + "." + identifier;
  }

  @Override
  public Optional<Table> load() {
    try {
      return Optional.of(catalog.loadTable(identifier));
    } catch (NoSuchTableException e) {
      return Optional.empty();
    }
  }

  @Override
  public Transaction newTable(Schema schema, Map<String, String> properties) {
    Namespace namespace = identifier.namespace();
    if (catalog instanceof SupportsNamespaces namespaces
        && !namespaces.namespaceExists(namespace)) {
      namespaces.createNamespace(namespace);
      this.madeNamespace = true;
    }
    return catalog
        .buildTable(identifier, schema)
        .withPartitionSpec(PartitionSpec.unpartitioned())
        .withProperties(properties)
        .createTransaction();
  }

  @Override
  public void abandon() {
    if (madeNamespace && catalog instanceof SupportsNamespaces namespaces) {
      try {
        namespaces.dropNamespace(identifier.namespace());
      } catch (NamespaceNotEmptyException e) {
        return; // somebody else uses it by now
      }
    }
  }

  @Override
  public void close() {
    if (catalog instanceof Closeable closeable) {
      try {
        closeable.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
