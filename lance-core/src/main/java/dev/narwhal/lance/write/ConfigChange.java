package dev.narwhal.lance.write;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.manifest.Manifest;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.transaction.Operation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A change of a table's configuration and of its metadata, all of it in one version. Source: table
 * format sheet 2.7.
 *
 * @param config of the table's configuration, which Lance itself reads
 * @param tableMetadata of free text of the table
 * @param schemaMetadata of the Arrow schema's metadata
 * @param columns of the Arrow field metadata, by path of the column
 */
public record ConfigChange(
    Optional<MapChange> config,
    Optional<MapChange> tableMetadata,
    Optional<MapChange> schemaMetadata,
    Map<String, MapChange> columns) {
  public ConfigChange {
    requireNonNull(config, "config");
    requireNonNull(tableMetadata, "tableMetadata");
    requireNonNull(schemaMetadata, "schemaMetadata");
    columns = Map.copyOf(columns);
  }

  /** Of the configuration alone. */
  public static ConfigChange ofConfig(MapChange change) {
    return new ConfigChange(Optional.of(change), Optional.empty(), Optional.empty(), Map.of());
  }

  /** Of the table's metadata alone. */
  public static ConfigChange ofTableMetadata(MapChange change) {
    return new ConfigChange(Optional.empty(), Optional.of(change), Optional.empty(), Map.of());
  }

  /** Of the schema's metadata alone. */
  public static ConfigChange ofSchemaMetadata(MapChange change) {
    return new ConfigChange(Optional.empty(), Optional.empty(), Optional.of(change), Map.of());
  }

  /**
   * Of a column's metadata alone.
   *
   * @param column path, names joined by {@code .}
   */
  public static ConfigChange ofColumn(String column, MapChange change) {
    return new ConfigChange(
        Optional.empty(), Optional.empty(), Optional.empty(), Map.of(column, change));
  }

  /**
   * Whether a version stays as it is.
   *
   * @throws IllegalArgumentException when a column does not exist
   */
  boolean isNothing(Manifest manifest) {
    return config.map(change -> change.isNothing(manifest.config())).orElse(true)
        && tableMetadata.map(change -> change.isNothing(manifest.tableMetadata())).orElse(true)
        && schemaMetadata.map(change -> change.isNothing(manifest.schema().metadata())).orElse(true)
        && columns.entrySet().stream()
            .allMatch(
                column ->
                    column
                        .getValue()
                        .isNothing(
                            FieldPath.parse(column.getKey()).in(manifest.schema()).metadata()));
  }

  /**
   * The operation, on a version.
   *
   * @throws IllegalArgumentException when a column does not exist
   */
  Operation.UpdateConfig on(Manifest manifest) {
    Map<Integer, Operation.UpdateMap> fields = new HashMap<>();
    columns.forEach(
        (column, change) ->
            fields.put(FieldPath.parse(column).in(manifest.schema()).id(), change.toUpdateMap()));
    return new Operation.UpdateConfig(
        Map.of(),
        List.of(),
        Map.of(),
        Map.of(),
        config.map(MapChange::toUpdateMap),
        tableMetadata.map(MapChange::toUpdateMap),
        schemaMetadata.map(MapChange::toUpdateMap),
        fields,
        UnknownFields.none());
  }
}
