package dev.narwhal.lance.transaction;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.DataFormat;
import dev.narwhal.lance.rowid.RowVersions;
import dev.narwhal.lance.rowid.StoredSequence;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Applies an operation to the next version. Source: table format sheet 9.2 and 9.3. */
final class OperationEffects implements Operation.Visitor<NextVersion> {
  private final NextVersion next;

  OperationEffects(NextVersion next) {
    this.next = next;
  }

  @Override
  public NextVersion append(Operation.Append operation) {
    add(NewFragments.of(next, operation.fragments()));
    return next;
  }

  @Override
  public NextVersion delete(Operation.Delete operation) {
    Map<Long, Fragment> updated = byId(operation.updatedFragments());
    Set<Long> removed = new HashSet<>(operation.deletedFragmentIds());
    List<Fragment> kept = new ArrayList<>(next.fragments.size());
    for (Fragment fragment : next.fragments) {
      Fragment change = updated.get(fragment.id());
      if (!removed.contains(fragment.id())) {
        kept.add(change == null ? fragment : withDeletions(fragment, change));
      }
    }
    next.fragments = kept;
    IndexUpkeep.retainRelevant(next);
    return next;
  }

  @Override
  public NextVersion update(Operation.Update operation) {
    List<Fragment> added = UpdatedFragments.added(next, operation);
    next.fragments = UpdatedFragments.changed(next, operation);
    add(added);
    IndexUpkeep.afterUpdate(next, operation, added);
    return next;
  }

  @Override
  public NextVersion overwrite(Operation.Overwrite operation) {
    if (!operation.initialBases().isEmpty()) {
      throw new IllegalArgumentException(
          "an overwrite cannot register base paths of a table that exists already; "
              + "commit UpdateBases first");
    }
    next.schema = operation.schema();
    next.indices = List.of();
    OptionalLong mark = next.maxFragmentId;
    next.maxFragmentId = OptionalLong.empty();
    next.fragments = List.of();
    for (Fragment fragment : operation.fragments()) {
      for (DataFile file : fragment.files()) {
        next.dataFormat = new DataFormat(DataFormat.LANCE, file.formatVersion());
      }
    }
    add(NewFragments.of(next, operation.fragments()));
    next.maxFragmentId = mark;
    Map<String, String> config = new HashMap<>(next.config);
    config.putAll(operation.configUpserts());
    next.config = config;
    return next;
  }

  @Override
  public NextVersion createIndex(Operation.CreateIndex operation) {
    IndexUpkeep.create(next, operation);
    return next;
  }

  @Override
  public NextVersion rewrite(Operation.Rewrite operation) {
    Set<Long> old = Footprint.of(operation).removed();
    List<Fragment> kept = new ArrayList<>(next.fragments.size());
    for (Fragment fragment : next.fragments) {
      if (!old.contains(fragment.id())) {
        kept.add(fragment);
      }
    }
    if (kept.size() != next.fragments.size() - old.size()) {
      throw new IllegalArgumentException(
          "a Rewrite replaces fragments " + old + ", some of which the table does not have");
    }
    next.fragments = kept;
    List<List<Fragment>> groups = new ArrayList<>();
    for (Operation.RewriteGroup group : operation.groups()) {
      List<Fragment> added = NewFragments.rewritten(next, group.newFragments());
      groups.add(added);
      add(added);
    }
    IndexUpkeep.afterRewrite(next, operation, groups);
    return next;
  }

  @Override
  public NextVersion merge(Operation.Merge operation) {
    next.schema = withMetadata(operation.schema());
    NewFragments.requireFormat(next, operation.fragments());
    next.fragments =
        next.stableRowIds ? withNewUpdates(operation.fragments()) : operation.fragments();
    IndexUpkeep.retainRelevant(next);
    return next;
  }

  @Override
  public NextVersion project(Operation.Project operation) {
    next.schema = withMetadata(operation.schema());
    Set<Integer> fields = fieldIds(next.schema);
    List<Fragment> projected = new ArrayList<>(next.fragments.size());
    for (Fragment fragment : next.fragments) {
      List<DataFile> files =
          fragment.files().stream()
              .filter(file -> file.fields().stream().anyMatch(fields::contains))
              .toList();
      projected.add(files.size() == fragment.files().size() ? fragment : fragment.withFiles(files));
    }
    next.fragments = projected;
    IndexUpkeep.retainRelevant(next);
    return next;
  }

  @Override
  public NextVersion restore(Operation.Restore operation) {
    throw new IllegalArgumentException(
        "to restore version "
            + Long.toUnsignedString(operation.version())
            + ", its manifest is needed");
  }

  @Override
  public NextVersion reserveFragments(Operation.ReserveFragments operation) {
    long highest = next.maxFragmentId.orElse(0) + operation.count();
    if (highest > 0xFFFF_FFFFL) {
      throw new IllegalArgumentException(
          operation.count() + " fragment ids after " + next.maxFragmentId.orElse(0) + ": too many");
    }
    next.maxFragmentId = OptionalLong.of(highest);
    return next;
  }

  @Override
  public NextVersion updateConfig(Operation.UpdateConfig operation) {
    ConfigEffects.apply(next, operation);
    return next;
  }

  @Override
  public NextVersion dataReplacement(Operation.DataReplacement operation) {
    ReplacedFiles.apply(next, operation);
    return next;
  }

  @Override
  public NextVersion updateBases(Operation.UpdateBases operation) {
    ConfigEffects.apply(next, operation);
    return next;
  }

  @Override
  public NextVersion clone(Operation.Clone operation) {
    throw new UnsupportedFeatureException(
        "operation Clone begins a table; it cannot be committed to one");
  }

  @Override
  public NextVersion updateMemWalState(Operation.UpdateMemWalState operation) {
    throw new UnsupportedFeatureException(
        "operation UpdateMemWalState is not written here; let Lance merge its write-ahead logs");
  }

  @Override
  public NextVersion opaque(Operation.Opaque operation) {
    throw new UnsupportedFeatureException(
        "operation " + operation.name() + " is not known here; a newer Lance writes it");
  }

  /**
   * The fragment as it is, with the deletion file of the change: deletion files are cumulative, so
   * a change can only add rows to what is deleted.
   */
  static Fragment withDeletions(Fragment fragment, Fragment change) {
    OptionalLong before = fragment.deletedRows();
    OptionalLong after = change.deletedRows();
    if (before.isPresent() && after.isPresent() && after.getAsLong() < before.getAsLong()) {
      throw new IllegalArgumentException(
          "fragment "
              + fragment.id()
              + " has "
              + before.getAsLong()
              + " deleted rows, the delete would leave "
              + after.getAsLong());
    }
    return change.deletionFile().map(fragment::withDeletionFile).orElse(fragment);
  }

  static Map<Long, Fragment> byId(List<Fragment> fragments) {
    Map<Long, Fragment> byId = new HashMap<>();
    for (Fragment fragment : fragments) {
      byId.put(fragment.id(), fragment);
    }
    return byId;
  }

  static Set<Integer> fieldIds(LanceSchema schema) {
    Set<Integer> ids = new HashSet<>();
    for (LanceField field : schema.fields()) {
      ids.add(field.id());
    }
    return ids;
  }

  private void add(List<Fragment> added) {
    List<Fragment> all = new ArrayList<>(next.fragments);
    all.addAll(added);
    next.fragments = all;
  }

  /** Rows of a fragment that has other files than before count as updated by this version. */
  private List<Fragment> withNewUpdates(List<Fragment> merged) {
    Map<Long, Fragment> before = byId(next.fragments);
    List<Fragment> result = new ArrayList<>(merged.size());
    for (Fragment fragment : merged) {
      Fragment old = before.get(fragment.id());
      if (old != null && old.files().equals(fragment.files())) {
        result.add(fragment);
        continue;
      }
      long rows = NewFragments.requireRows(fragment);
      StoredSequence updated = NewFragments.stored(RowVersions.uniform(rows, next.version));
      result.add(fragment.withVersions(Optional.of(updated), fragment.createdVersions()));
    }
    return result;
  }

  /** Writers leave the schema's metadata out of these messages. */
  private LanceSchema withMetadata(LanceSchema schema) {
    return schema.metadata().isEmpty()
        ? new LanceSchema(schema.fields(), next.schema.metadata())
        : schema;
  }
}
