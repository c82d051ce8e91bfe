package dev.narwhal.lance.transaction;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.fragment.BasePath;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.manifest.IndexDetails;
import dev.narwhal.lance.manifest.IndexFile;
import dev.narwhal.lance.manifest.IndexMetadata;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.UnknownFields;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What a commit does to a table; one variant per message of the format. In a new fragment the id 0
 * means that the commit will assign one. Each {@code unknown} holds what the message said besides,
 * fields of newer writers among it. Source: table format sheet 2.5 to 2.7.
 */
public sealed interface Operation {
  /** The name in histories and messages, such as {@code Delete}. */
  default String name() {
    return getClass().getSimpleName();
  }

  <R> R accept(Visitor<R> visitor);

  /** Adds fragments. */
  record Append(List<Fragment> fragments, UnknownFields unknown) implements Operation {
    public Append {
      fragments = List.copyOf(fragments);
      requireNonNull(unknown, "unknown");
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.append(this);
    }
  }

  /**
   * Deletes rows.
   *
   * @param updatedFragments with their new deletion files, in any order
   * @param deletedFragmentIds fragments that lost their last row
   * @param predicate as the user gave it
   */
  record Delete(
      List<Fragment> updatedFragments,
      List<Long> deletedFragmentIds,
      String predicate,
      UnknownFields unknown)
      implements Operation {
    public Delete {
      updatedFragments = List.copyOf(updatedFragments);
      deletedFragmentIds = List.copyOf(deletedFragmentIds);
      requireNonNull(predicate, "predicate");
      requireNonNull(unknown, "unknown");
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.delete(this);
    }
  }

  /**
   * Replaces all rows, and creates tables.
   *
   * @param initialBases base paths of a new table
   */
  record Overwrite(
      List<Fragment> fragments,
      LanceSchema schema,
      Map<String, String> configUpserts,
      List<BasePath> initialBases,
      UnknownFields unknown)
      implements Operation {
    public Overwrite {
      fragments = List.copyOf(fragments);
      requireNonNull(schema, "schema");
      configUpserts = Map.copyOf(configUpserts);
      initialBases = List.copyOf(initialBases);
      requireNonNull(unknown, "unknown");
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.overwrite(this);
    }
  }

  /** Adds indices; to drop one, only removes it. */
  record CreateIndex(
      List<IndexMetadata> newIndices, List<IndexMetadata> removedIndices, UnknownFields unknown)
      implements Operation {
    public CreateIndex {
      newIndices = List.copyOf(newIndices);
      removedIndices = List.copyOf(removedIndices);
      requireNonNull(unknown, "unknown");
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.createIndex(this);
    }
  }

  /**
   * Compaction: other fragments with the same rows. That it was deferred for the indices is not in
   * the message.
   */
  record Rewrite(
      List<RewriteGroup> groups, List<RewrittenIndex> rewrittenIndices, UnknownFields unknown)
      implements Operation {
    public Rewrite {
      groups = List.copyOf(groups);
      rewrittenIndices = List.copyOf(rewrittenIndices);
      requireNonNull(unknown, "unknown");
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.rewrite(this);
    }
  }

  /** Fragments and those that take their place. */
  record RewriteGroup(
      List<Fragment> oldFragments, List<Fragment> newFragments, UnknownFields unknown) {
    public RewriteGroup {
      oldFragments = List.copyOf(oldFragments);
      newFragments = List.copyOf(newFragments);
      requireNonNull(unknown, "unknown");
    }
  }

  /**
   * An index whose row addresses were mapped.
   *
   * @param newIndexVersion u32
   */
  record RewrittenIndex(
      UUID oldId,
      UUID newId,
      Optional<IndexDetails> newDetails,
      int newIndexVersion,
      List<IndexFile> newFiles,
      UnknownFields unknown) {
    public RewrittenIndex {
      requireNonNull(oldId, "oldId");
      requireNonNull(newId, "newId");
      requireNonNull(newDetails, "newDetails");
      newFiles = List.copyOf(newFiles);
      requireNonNull(unknown, "unknown");
    }
  }

  /** Adds or replaces columns: all fragments, with a new schema. */
  record Merge(List<Fragment> fragments, LanceSchema schema, UnknownFields unknown)
      implements Operation {
    public Merge {
      fragments = List.copyOf(fragments);
      requireNonNull(schema, "schema");
      requireNonNull(unknown, "unknown");
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.merge(this);
    }
  }

  /** Makes an older version the newest again. */
  record Restore(long version, UnknownFields unknown) implements Operation {
    public Restore {
      requireNonNull(unknown, "unknown");
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.restore(this);
    }
  }

  /**
   * Raises the highest fragment id.
   *
   * @param count u32
   */
  record ReserveFragments(long count, UnknownFields unknown) implements Operation {
    public ReserveFragments {
      requireNonNull(unknown, "unknown");
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.reserveFragments(this);
    }
  }

  /**
   * Changes rows. Which row offsets were patched in place is carried in {@code unknown}; {@link
   * PatchedOffsetsCodec} reads it.
   *
   * @param fieldsModified u32 ids of fields whose values changed in place
   * @param fieldsForPreservingFragmentBitmap u32 ids of fields whose values changed in moved rows
   * @param mergedGenerations write-ahead log generations whose rows this brings in
   * @param insertedKeys keys that this inserts, where they are the table's primary key
   */
  record Update(
      List<Long> removedFragmentIds,
      List<Fragment> updatedFragments,
      List<Fragment> newFragments,
      List<Integer> fieldsModified,
      List<Integer> fieldsForPreservingFragmentBitmap,
      UpdateMode mode,
      List<MergedGeneration> mergedGenerations,
      Optional<KeyFilter> insertedKeys,
      UnknownFields unknown)
      implements Operation {
    public Update {
      removedFragmentIds = List.copyOf(removedFragmentIds);
      updatedFragments = List.copyOf(updatedFragments);
      newFragments = List.copyOf(newFragments);
      fieldsModified = List.copyOf(fieldsModified);
      fieldsForPreservingFragmentBitmap = List.copyOf(fieldsForPreservingFragmentBitmap);
      requireNonNull(mode, "mode");
      mergedGenerations = List.copyOf(mergedGenerations);
      requireNonNull(insertedKeys, "insertedKeys");
      requireNonNull(unknown, "unknown");
    }

    /** Rows that leave their places for new fragments; see the parameters of the record. */
    public static Update ofMovedRows(
        List<Long> removedFragmentIds,
        List<Fragment> updatedFragments,
        List<Fragment> newFragments,
        List<Integer> changedFields,
        Optional<KeyFilter> insertedKeys) {
      return new Update(
          removedFragmentIds,
          updatedFragments,
          newFragments,
          List.of(),
          changedFields,
          UpdateMode.REWRITE_ROWS,
          List.of(),
          insertedKeys,
          UnknownFields.none());
    }

    /**
     * Rows that stay where they are, with new files for some columns.
     *
     * @param newFragments rows that are new
     * @param patchedOffsets by {@link PatchedOffsetsCodec}
     */
    public static Update ofColumns(
        List<Fragment> updatedFragments,
        List<Fragment> newFragments,
        List<Integer> changedFields,
        Optional<KeyFilter> insertedKeys,
        UnknownFields patchedOffsets) {
      return new Update(
          List.of(),
          updatedFragments,
          newFragments,
          changedFields,
          List.of(),
          UpdateMode.REWRITE_COLUMNS,
          List.of(),
          insertedKeys,
          patchedOffsets);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.update(this);
    }
  }

  /** How an update changes rows. */
  enum UpdateMode {
    /** Old rows are deleted, new ones written to new fragments; also any mode we do not know. */
    REWRITE_ROWS,
    /** Columns of fragments are written anew in place. */
    REWRITE_COLUMNS
  }

  /**
   * How far the write-ahead log of one shard has been merged into the table.
   *
   * @param shard empty when the message names none
   * @param generation u64
   */
  record MergedGeneration(Optional<UUID> shard, long generation, UnknownFields unknown) {
    public MergedGeneration {
      requireNonNull(shard, "shard");
      requireNonNull(unknown, "unknown");
    }
  }

  /**
   * Which keys an update inserted: exactly, or by a Bloom filter. Source: table format sheet 6.5.
   *
   * @param fieldIds key columns, in order
   * @param keys the serialised filter, see {@link KeyFilterCodec}
   */
  record KeyFilter(List<Integer> fieldIds, UnknownFields keys) {
    public KeyFilter {
      fieldIds = List.copyOf(fieldIds);
      requireNonNull(keys, "keys");
    }
  }

  /** Drops or renames columns. */
  record Project(LanceSchema schema, UnknownFields unknown) implements Operation {
    public Project {
      requireNonNull(schema, "schema");
      requireNonNull(unknown, "unknown");
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.project(this);
    }
  }

  /**
   * Changes the table's configuration or metadata. The first four are of old writers.
   *
   * @param upsertValues added to the configuration
   * @param deleteKeys removed from it
   * @param schemaMetadata replaces all of it, when not empty
   * @param fieldMetadata u32 field id to what replaces all of its metadata
   * @param fieldMetadataUpdates by field id
   */
  record UpdateConfig(
      Map<String, String> upsertValues,
      List<String> deleteKeys,
      Map<String, String> schemaMetadata,
      Map<Integer, Map<String, String>> fieldMetadata,
      Optional<UpdateMap> configUpdates,
      Optional<UpdateMap> tableMetadataUpdates,
      Optional<UpdateMap> schemaMetadataUpdates,
      Map<Integer, UpdateMap> fieldMetadataUpdates,
      UnknownFields unknown)
      implements Operation {
    public UpdateConfig {
      upsertValues = Map.copyOf(upsertValues);
      deleteKeys = List.copyOf(deleteKeys);
      schemaMetadata = Map.copyOf(schemaMetadata);
      fieldMetadata = Map.copyOf(fieldMetadata);
      requireNonNull(configUpdates, "configUpdates");
      requireNonNull(tableMetadataUpdates, "tableMetadataUpdates");
      requireNonNull(schemaMetadataUpdates, "schemaMetadataUpdates");
      fieldMetadataUpdates = Map.copyOf(fieldMetadataUpdates);
      requireNonNull(unknown, "unknown");
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.updateConfig(this);
    }
  }

  /**
   * Changes to a map of text.
   *
   * @param entries in order
   * @param replace whether the map is cleared first
   */
  record UpdateMap(List<Entry> entries, boolean replace) {
    public UpdateMap {
      entries = List.copyOf(entries);
    }

    /**
     * One change.
     *
     * @param value empty removes the key
     */
    public record Entry(String key, Optional<String> value) {
      public Entry {
        requireNonNull(key, "key");
        requireNonNull(value, "value");
      }
    }
  }

  /** Gives columns of fragments other data files. */
  record DataReplacement(List<Replacement> replacements, UnknownFields unknown)
      implements Operation {
    public DataReplacement {
      replacements = List.copyOf(replacements);
      requireNonNull(unknown, "unknown");
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.dataReplacement(this);
    }
  }

  /** A new file of a fragment. */
  record Replacement(long fragmentId, DataFile newFile) {
    public Replacement {
      requireNonNull(newFile, "newFile");
    }
  }

  /**
   * Begins a clone or a branch.
   *
   * @param shallow whether files stay where they are
   * @param refName tag or branch it was made from
   * @param refPath root of the dataset it was made from
   * @param branchName name of the new branch
   */
  record Clone(
      boolean shallow,
      Optional<String> refName,
      long refVersion,
      String refPath,
      Optional<String> branchName,
      UnknownFields unknown)
      implements Operation {
    public Clone {
      requireNonNull(refName, "refName");
      requireNonNull(refPath, "refPath");
      requireNonNull(branchName, "branchName");
      requireNonNull(unknown, "unknown");
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.clone(this);
    }
  }

  /** Registers base paths. */
  record UpdateBases(List<BasePath> newBases, UnknownFields unknown) implements Operation {
    public UpdateBases {
      newBases = List.copyOf(newBases);
      requireNonNull(unknown, "unknown");
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.updateBases(this);
    }
  }

  /** Records the progress of write-ahead logs. */
  record UpdateMemWalState(List<MergedGeneration> mergedGenerations, UnknownFields unknown)
      implements Operation {
    public UpdateMemWalState {
      mergedGenerations = List.copyOf(mergedGenerations);
      requireNonNull(unknown, "unknown");
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.updateMemWalState(this);
    }
  }

  /**
   * An operation of a newer writer, whose message is only carried. It conflicts with everything.
   *
   * @param number field number of its message in the transaction
   * @param name the format's name, or {@code Operation N} where it is not known here
   * @param message the serialised message
   */
  record Opaque(int number, String name, UnknownFields message) implements Operation {
    public Opaque {
      requireNonNull(name, "name");
      requireNonNull(message, "message");
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.opaque(this);
    }
  }

  /** Acts on each variant. */
  interface Visitor<R> {
    R append(Append operation);

    R delete(Delete operation);

    R overwrite(Overwrite operation);

    R createIndex(CreateIndex operation);

    R rewrite(Rewrite operation);

    R merge(Merge operation);

    R restore(Restore operation);

    R reserveFragments(ReserveFragments operation);

    R update(Update operation);

    R project(Project operation);

    R updateConfig(UpdateConfig operation);

    R dataReplacement(DataReplacement operation);

    R clone(Clone operation);

    R updateBases(UpdateBases operation);

    R updateMemWalState(UpdateMemWalState operation);

    R opaque(Opaque operation);
  }
}
