package dev.narwhal.lance.transaction;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.fragment.BasePath;
import dev.narwhal.lance.fragment.FragmentCodec;
import dev.narwhal.lance.manifest.IndexCodec;
import dev.narwhal.lance.manifest.IndexFile;
import dev.narwhal.lance.proto.file.Field;
import dev.narwhal.lance.proto.table.MergedGeneration;
import dev.narwhal.lance.proto.table.Transaction;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.SchemaCodec;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.schema.UnknownFieldsCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Operation messages to records, without loss. */
final class OperationDecoder {
  private OperationDecoder() {}

  static Operation append(Transaction.Append message) {
    return new Operation.Append(
        FragmentCodec.decode(message.getFragmentsList()), UnknownFieldsCodec.unknownOf(message));
  }

  static Operation delete(Transaction.Delete message) {
    return new Operation.Delete(
        FragmentCodec.decode(message.getUpdatedFragmentsList()),
        message.getDeletedFragmentIdsList(),
        message.getPredicate(),
        UnknownFieldsCodec.unknownOf(message));
  }

  static Operation overwrite(Transaction.Overwrite message) {
    return new Operation.Overwrite(
        FragmentCodec.decode(message.getFragmentsList()),
        schema(message.getSchemaList(), message.getSchemaMetadataMap()),
        message.getConfigUpsertValuesMap(),
        bases(message.getInitialBasesList()),
        UnknownFieldsCodec.unknownOf(message));
  }

  static Operation createIndex(Transaction.CreateIndex message) {
    return new Operation.CreateIndex(
        IndexCodec.decode(message.getNewIndicesList()),
        IndexCodec.decode(message.getRemovedIndicesList()),
        UnknownFieldsCodec.unknownOf(message));
  }

  /** Old writers had no groups: their two lists are a single one. */
  static Operation rewrite(Transaction.Rewrite message) {
    List<Operation.RewriteGroup> groups = new ArrayList<>(message.getGroupsCount());
    for (Transaction.Rewrite.RewriteGroup group : message.getGroupsList()) {
      groups.add(
          new Operation.RewriteGroup(
              FragmentCodec.decode(group.getOldFragmentsList()),
              FragmentCodec.decode(group.getNewFragmentsList()),
              UnknownFieldsCodec.unknownOf(group)));
    }
    boolean isOld =
        groups.isEmpty() && message.getOldFragmentsCount() + message.getNewFragmentsCount() > 0;
    if (isOld) {
      groups.add(
          new Operation.RewriteGroup(
              FragmentCodec.decode(message.getOldFragmentsList()),
              FragmentCodec.decode(message.getNewFragmentsList()),
              UnknownFields.none()));
    }
    List<Operation.RewrittenIndex> indices = new ArrayList<>(message.getRewrittenIndicesCount());
    for (Transaction.Rewrite.RewrittenIndex index : message.getRewrittenIndicesList()) {
      indices.add(rewrittenIndex(index));
    }
    Transaction.Rewrite.Builder rest = message.toBuilder().clearGroups().clearRewrittenIndices();
    if (isOld) {
      rest.clearOldFragments().clearNewFragments();
    }
    return new Operation.Rewrite(groups, indices, UnknownFieldsCodec.keep(rest.build()));
  }

  static Operation merge(Transaction.Merge message) {
    return new Operation.Merge(
        FragmentCodec.decode(message.getFragmentsList()),
        schema(message.getSchemaList(), message.getSchemaMetadataMap()),
        UnknownFieldsCodec.unknownOf(message));
  }

  static Operation restore(Transaction.Restore message) {
    return new Operation.Restore(message.getVersion(), UnknownFieldsCodec.unknownOf(message));
  }

  static Operation reserveFragments(Transaction.ReserveFragments message) {
    return new Operation.ReserveFragments(
        Integer.toUnsignedLong(message.getNumFragments()), UnknownFieldsCodec.unknownOf(message));
  }

  /** An update mode that we do not know means rows; its number stays in what is kept. */
  static Operation update(Transaction.Update message) {
    Transaction.Update.Builder rest =
        message.toBuilder()
            .clearRemovedFragmentIds()
            .clearUpdatedFragments()
            .clearNewFragments()
            .clearFieldsModified()
            .clearFieldsForPreservingFragBitmap()
            .clearMergedGenerations()
            .clearInsertedRows();
    boolean columns = message.getUpdateMode() == Transaction.Update.UpdateMode.REWRITE_COLUMNS;
    if (columns) {
      rest.clearUpdateMode();
    }
    return new Operation.Update(
        message.getRemovedFragmentIdsList(),
        FragmentCodec.decode(message.getUpdatedFragmentsList()),
        FragmentCodec.decode(message.getNewFragmentsList()),
        message.getFieldsModifiedList(),
        message.getFieldsForPreservingFragBitmapList(),
        columns ? Operation.UpdateMode.REWRITE_COLUMNS : Operation.UpdateMode.REWRITE_ROWS,
        generations(message.getMergedGenerationsList()),
        message.hasInsertedRows()
            ? Optional.of(keyFilter(message.getInsertedRows()))
            : Optional.empty(),
        UnknownFieldsCodec.keep(rest.build()));
  }

  static Operation updateMemWalState(Transaction.UpdateMemWalState message) {
    return new Operation.UpdateMemWalState(
        generations(message.getMergedGenerationsList()), UnknownFieldsCodec.unknownOf(message));
  }

  static Operation project(Transaction.Project message) {
    return new Operation.Project(
        schema(message.getSchemaList(), Map.of()), UnknownFieldsCodec.unknownOf(message));
  }

  static Operation updateConfig(Transaction.UpdateConfig message) {
    Map<Integer, Map<String, String>> fieldMetadata = new HashMap<>();
    message
        .getFieldMetadataMap()
        .forEach((id, update) -> fieldMetadata.put(id, Map.copyOf(update.getMetadataMap())));
    Map<Integer, Operation.UpdateMap> fieldMetadataUpdates = new HashMap<>();
    message
        .getFieldMetadataUpdatesMap()
        .forEach((id, update) -> fieldMetadataUpdates.put(id, updateMap(update)));
    return new Operation.UpdateConfig(
        message.getUpsertValuesMap(),
        message.getDeleteKeysList(),
        message.getSchemaMetadataMap(),
        fieldMetadata,
        message.hasConfigUpdates()
            ? Optional.of(updateMap(message.getConfigUpdates()))
            : Optional.empty(),
        message.hasTableMetadataUpdates()
            ? Optional.of(updateMap(message.getTableMetadataUpdates()))
            : Optional.empty(),
        message.hasSchemaMetadataUpdates()
            ? Optional.of(updateMap(message.getSchemaMetadataUpdates()))
            : Optional.empty(),
        fieldMetadataUpdates,
        UnknownFieldsCodec.unknownOf(message));
  }

  static Operation dataReplacement(Transaction.DataReplacement message) {
    List<Operation.Replacement> replacements = new ArrayList<>(message.getReplacementsCount());
    for (Transaction.DataReplacement.Group group : message.getReplacementsList()) {
      replacements.add(
          new Operation.Replacement(
              group.getFragmentId(), FragmentCodec.decode(group.getNewFile())));
    }
    return new Operation.DataReplacement(replacements, UnknownFieldsCodec.unknownOf(message));
  }

  static Operation clone(Transaction.Clone message) {
    return new Operation.Clone(
        message.getIsShallow(),
        message.hasRefName() ? Optional.of(message.getRefName()) : Optional.empty(),
        message.getRefVersion(),
        message.getRefPath(),
        message.hasBranchName() ? Optional.of(message.getBranchName()) : Optional.empty(),
        UnknownFieldsCodec.unknownOf(message));
  }

  static Operation updateBases(Transaction.UpdateBases message) {
    return new Operation.UpdateBases(
        bases(message.getNewBasesList()), UnknownFieldsCodec.unknownOf(message));
  }

  private static Operation.KeyFilter keyFilter(Transaction.KeyExistenceFilter message) {
    return new Operation.KeyFilter(
        message.getFieldIdsList(),
        UnknownFieldsCodec.keep(message.toBuilder().clearFieldIds().build()));
  }

  private static List<Operation.MergedGeneration> generations(List<MergedGeneration> messages) {
    List<Operation.MergedGeneration> generations = new ArrayList<>(messages.size());
    for (MergedGeneration message : messages) {
      generations.add(
          new Operation.MergedGeneration(
              message.hasShardId()
                  ? Optional.of(IndexCodec.decode(message.getShardId()))
                  : Optional.empty(),
              message.getGeneration(),
              UnknownFieldsCodec.unknownOf(message)));
    }
    return generations;
  }

  private static Operation.RewrittenIndex rewrittenIndex(
      Transaction.Rewrite.RewrittenIndex message) {
    List<IndexFile> files = new ArrayList<>(message.getNewIndexFilesCount());
    for (dev.narwhal.lance.proto.table.IndexFile file : message.getNewIndexFilesList()) {
      try {
        files.add(IndexCodec.decode(file));
      } catch (IllegalArgumentException e) {
        throw new LanceFormatException("rewritten index: " + e.getMessage(), e);
      }
    }
    return new Operation.RewrittenIndex(
        IndexCodec.decode(message.getOldId()),
        IndexCodec.decode(message.getNewId()),
        message.hasNewIndexDetails()
            ? Optional.of(IndexCodec.decode(message.getNewIndexDetails()))
            : Optional.empty(),
        message.getNewIndexVersion(),
        files,
        UnknownFieldsCodec.unknownOf(message));
  }

  private static Operation.UpdateMap updateMap(Transaction.UpdateMap message) {
    List<Operation.UpdateMap.Entry> entries = new ArrayList<>(message.getUpdateEntriesCount());
    for (Transaction.UpdateMap.Entry entry : message.getUpdateEntriesList()) {
      entries.add(
          new Operation.UpdateMap.Entry(
              entry.getKey(), entry.hasValue() ? Optional.of(entry.getValue()) : Optional.empty()));
    }
    return new Operation.UpdateMap(entries, message.getReplace());
  }

  private static LanceSchema schema(List<Field> fields, Map<String, ByteString> metadata) {
    return SchemaCodec.decode(fields, metadata);
  }

  private static List<BasePath> bases(List<dev.narwhal.lance.proto.table.BasePath> messages) {
    List<BasePath> bases = new ArrayList<>(messages.size());
    for (dev.narwhal.lance.proto.table.BasePath message : messages) {
      bases.add(FragmentCodec.decode(message));
    }
    return bases;
  }
}
