package dev.narwhal.lance.transaction;

import dev.narwhal.lance.fragment.BasePath;
import dev.narwhal.lance.manifest.IndexMetadata;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.transaction.ConflictRules.Rule;
import dev.narwhal.lance.transaction.ConflictRules.Verdict;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The cells of {@link ConflictRules} that look at configuration, metadata, indices by name, base
 * paths and write-ahead logs. Source: table format sheet 8.3 and 8.6.
 */
final class TableRules {
  static final Map<String, Rule> ALL =
      Map.of(
          "ovw", TableRules::twoOverwrites,
          "ckey", (ours, rows, theirs) -> incompatibleIf(sameConfigKey(ours, theirs)),
          "cfov", TableRules::configAndOverwrite,
          "cfg", TableRules::twoConfigs,
          "meta", (ours, rows, theirs) -> metadataChanged(theirs),
          "name", TableRules::sameIndexName,
          "ixsc", (ours, rows, theirs) -> incompatibleIf(indexesDropped(ours, theirs)),
          "base", TableRules::sameBase,
          "gen", (ours, rows, theirs) -> sameGeneration(ours, theirs),
          "walu", TableRules::logAndUpdate);

  private TableRules() {}

  private static Verdict twoOverwrites(Operation ours, boolean rowsKnown, Operation theirs) {
    return sameConfigKey(ours, theirs) ? Verdict.INCOMPATIBLE : Verdict.RETRYABLE;
  }

  private static Verdict configAndOverwrite(Operation ours, boolean rowsKnown, Operation theirs) {
    return incompatibleIf(changesMetadata(ours) || sameConfigKey(ours, theirs));
  }

  private static Verdict twoConfigs(Operation ours, boolean rowsKnown, Operation theirs) {
    Operation.UpdateConfig first = (Operation.UpdateConfig) ours;
    Operation.UpdateConfig second = (Operation.UpdateConfig) theirs;
    return incompatibleIf(
        sameConfigKey(ours, theirs)
            || (changesSchemaMetadata(first) && changesSchemaMetadata(second))
            || (first.tableMetadataUpdates().isPresent()
                && second.tableMetadataUpdates().isPresent())
            || changedFields(first).stream().anyMatch(changedFields(second)::contains));
  }

  private static Verdict metadataChanged(Operation theirs) {
    return changesMetadata(theirs) ? Verdict.RETRYABLE : Verdict.COMPATIBLE;
  }

  private static boolean changesMetadata(Operation operation) {
    Operation.UpdateConfig config = (Operation.UpdateConfig) operation;
    return changesSchemaMetadata(config) || !changedFields(config).isEmpty();
  }

  private static boolean changesSchemaMetadata(Operation.UpdateConfig config) {
    return config.schemaMetadataUpdates().isPresent() || !config.schemaMetadata().isEmpty();
  }

  private static Set<Integer> changedFields(Operation.UpdateConfig config) {
    Set<Integer> fields = new HashSet<>(config.fieldMetadata().keySet());
    fields.addAll(config.fieldMetadataUpdates().keySet());
    return fields;
  }

  /**
   * A map that replaces all counts only for the keys it names, as in 7.0.0: replacing the whole
   * configuration over a committed key is accepted, and wipes that.
   */
  private static boolean sameConfigKey(Operation ours, Operation theirs) {
    Set<String> keys = configKeys(ours);
    return configKeys(theirs).stream().anyMatch(keys::contains);
  }

  private static Set<String> configKeys(Operation operation) {
    if (operation instanceof Operation.Overwrite overwrite) {
      return overwrite.configUpserts().keySet();
    }
    Operation.UpdateConfig config = (Operation.UpdateConfig) operation;
    Set<String> keys = new HashSet<>(config.upsertValues().keySet());
    keys.addAll(config.deleteKeys());
    config
        .configUpdates()
        .ifPresent(updates -> updates.entries().forEach(entry -> keys.add(entry.key())));
    return keys;
  }

  /** Both make an index of one name: 7.0.0 has the second one run again. */
  private static Verdict sameIndexName(Operation ours, boolean rowsKnown, Operation theirs) {
    Set<String> names = new HashSet<>();
    for (IndexMetadata index : ((Operation.CreateIndex) ours).newIndices()) {
      names.add(index.name());
    }
    for (IndexMetadata index : ((Operation.CreateIndex) theirs).newIndices()) {
      if (names.contains(index.name())) {
        return Verdict.RETRYABLE;
      }
    }
    return Verdict.COMPATIBLE;
  }

  /** Whether an index is on a field that the schema has no more after a Merge or Project. */
  private static boolean indexesDropped(Operation ours, Operation theirs) {
    LanceSchema schema =
        theirs instanceof Operation.Merge merge
            ? merge.schema()
            : ((Operation.Project) theirs).schema();
    Set<Integer> fields = OperationEffects.fieldIds(schema);
    for (IndexMetadata index : ((Operation.CreateIndex) ours).newIndices()) {
      if (!index.isSystem() && !fields.containsAll(index.fields())) {
        return true;
      }
    }
    return false;
  }

  private static Verdict sameBase(Operation ours, boolean rowsKnown, Operation theirs) {
    for (BasePath first : ((Operation.UpdateBases) ours).newBases()) {
      for (BasePath second : ((Operation.UpdateBases) theirs).newBases()) {
        boolean sameId = first.id() != 0 && first.id() == second.id();
        boolean sameName = first.name().isPresent() && first.name().equals(second.name());
        if (sameId || sameName || first.path().equals(second.path())) {
          return Verdict.INCOMPATIBLE;
        }
      }
    }
    return Verdict.COMPATIBLE;
  }

  /** A write-ahead log state is worked out without knowing of rows that changed. */
  private static Verdict logAndUpdate(Operation ours, boolean rowsKnown, Operation theirs) {
    return ((Operation.Update) theirs).mergedGenerations().isEmpty()
        ? Verdict.INCOMPATIBLE
        : sameGeneration(ours, theirs);
  }

  /** Whether a shard's log was merged as far as we would, or further; then ours is outdated. */
  static Verdict sameGeneration(Operation ours, Operation theirs) {
    Verdict verdict = Verdict.COMPATIBLE;
    for (Operation.MergedGeneration first : generations(ours)) {
      for (Operation.MergedGeneration second : generations(theirs)) {
        if (first.shard().equals(second.shard())) {
          if (Long.compareUnsigned(second.generation(), first.generation()) >= 0) {
            return Verdict.INCOMPATIBLE;
          }
          verdict = Verdict.RETRYABLE;
        }
      }
    }
    return verdict;
  }

  private static List<Operation.MergedGeneration> generations(Operation operation) {
    return operation instanceof Operation.Update update
        ? update.mergedGenerations()
        : ((Operation.UpdateMemWalState) operation).mergedGenerations();
  }

  private static Verdict incompatibleIf(boolean conflict) {
    return conflict ? Verdict.INCOMPATIBLE : Verdict.COMPATIBLE;
  }
}
