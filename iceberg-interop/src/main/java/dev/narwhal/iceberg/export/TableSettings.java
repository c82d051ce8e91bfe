package dev.narwhal.iceberg.export;

import dev.narwhal.iceberg.mapping.FieldIds;
import dev.narwhal.iceberg.mapping.SourceProperties;
import dev.narwhal.iceberg.mapping.TableMapping;
import dev.narwhal.iceberg.source.SourceDataset;
import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateProperties;

/** The table properties of an export. */
final class TableSettings {
  private TableSettings() {}

  /** What a table is created with. */
  static Map<String, String> ofNewTable(ExportOptions options) {
    Map<String, String> properties = new HashMap<>(options.tableProperties());
    properties.put(TableProperties.FORMAT_VERSION, Integer.toString(options.formatVersion()));
    return properties;
  }

  /** Adds what was asked for, where the rows come from, how, and the field ids of Iceberg. */
  static void apply(
      Transaction transaction, SourceDataset source, TableMapping mapping, ExportOptions options) {
    UpdateProperties update = transaction.updateProperties();
    options.tableProperties().forEach(update::set);
    update
        .set(SourceProperties.SOURCE_URI, source.uri())
        .set(SourceProperties.VERSION, Long.toString(source.version()))
        .set(
            SourceProperties.FIELD_IDS, FieldIds.of(mapping, transaction.table().schema()).toJson())
        .set(SourceProperties.UNSUPPORTED, mapping.rules().unsupported().text())
        .set(SourceProperties.TYPES, Integer.toString(mapping.rules().formatVersion()))
        .commit();
  }
}
