package dev.narwhal.lance.transaction;

import dev.narwhal.lance.fragment.BasePath;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What operations make of a table's configuration, metadata and base paths. Source: table format
 * sheet 2.7 and 9.3.
 */
final class ConfigEffects {
  private ConfigEffects() {}

  static void apply(NextVersion next, Operation.UpdateConfig operation) {
    requireOneStyle(operation);
    Map<String, String> config = new HashMap<>(next.config);
    config.putAll(operation.upsertValues());
    config.keySet().removeAll(operation.deleteKeys());
    next.config = updated(config, operation.configUpdates());
    next.tableMetadata = updated(next.tableMetadata, operation.tableMetadataUpdates());
    Map<String, String> metadata =
        operation.schemaMetadata().isEmpty() ? next.schema.metadata() : operation.schemaMetadata();
    next.schema =
        new LanceSchema(
            fields(next.schema, operation), updated(metadata, operation.schemaMetadataUpdates()));
  }

  /** Adds base paths, with an id for each that comes without one. */
  static void apply(NextVersion next, Operation.UpdateBases operation) {
    List<BasePath> bases = new ArrayList<>(next.basePaths);
    for (BasePath added : operation.newBases()) {
      long highest = 0;
      for (BasePath base : bases) {
        boolean sameName = added.name().isPresent() && added.name().equals(base.name());
        if (sameName || added.path().equals(base.path())) {
          throw new IllegalArgumentException(
              "base path "
                  + added.path()
                  + added.name().map(name -> " (" + name + ")").orElse("")
                  + " is registered already");
        }
        highest = Math.max(highest, Integer.toUnsignedLong(base.id()));
      }
      bases.add(
          added.id() != 0
              ? added
              : new BasePath(
                  (int) (highest + 1),
                  added.name(),
                  added.datasetRoot(),
                  added.path(),
                  added.unknown()));
    }
    next.basePaths = bases;
  }

  private static List<LanceField> fields(LanceSchema schema, Operation.UpdateConfig operation) {
    Set<Integer> unknown = new HashSet<>(operation.fieldMetadata().keySet());
    unknown.addAll(operation.fieldMetadataUpdates().keySet());
    List<LanceField> fields = new ArrayList<>(schema.fields().size());
    for (LanceField field : schema.fields()) {
      unknown.remove(field.id());
      Map<String, String> metadata =
          operation.fieldMetadata().getOrDefault(field.id(), field.metadata());
      fields.add(
          field.withMetadata(
              updated(
                  metadata,
                  Optional.ofNullable(operation.fieldMetadataUpdates().get(field.id())))));
    }
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("metadata for fields " + unknown + ", not in the schema");
    }
    return fields;
  }

  private static Map<String, String> updated(
      Map<String, String> map, Optional<Operation.UpdateMap> updates) {
    if (updates.isEmpty()) {
      return map;
    }
    Map<String, String> result = updates.get().replace() ? new HashMap<>() : new HashMap<>(map);
    for (Operation.UpdateMap.Entry entry : updates.get().entries()) {
      if (entry.value().isPresent()) {
        result.put(entry.key(), entry.value().get());
      } else {
        result.remove(entry.key());
      }
    }
    return result;
  }

  private static void requireOneStyle(Operation.UpdateConfig operation) {
    boolean old =
        !operation.upsertValues().isEmpty()
            || !operation.deleteKeys().isEmpty()
            || !operation.schemaMetadata().isEmpty()
            || !operation.fieldMetadata().isEmpty();
    boolean current =
        operation.configUpdates().isPresent()
            || operation.tableMetadataUpdates().isPresent()
            || operation.schemaMetadataUpdates().isPresent()
            || !operation.fieldMetadataUpdates().isEmpty();
    if (old && current) {
      throw new IllegalArgumentException(
          "an UpdateConfig has fields of old and of new writers; it must have one kind");
    }
  }
}
