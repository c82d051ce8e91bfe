package dev.narwhal.lance.transaction;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.narwhal.lance.fragment.BasePath;
import dev.narwhal.lance.fragment.FragmentCodec;
import dev.narwhal.lance.manifest.IndexCodec;
import dev.narwhal.lance.manifest.IndexFile;
import dev.narwhal.lance.proto.file.Field;
import dev.narwhal.lance.proto.table.MergedGeneration;
import dev.narwhal.lance.proto.table.Transaction;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.SchemaCodec;
import dev.narwhal.lance.schema.UnknownFieldsCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Puts an operation into the transaction message that is being built. */
final class OperationEncoder implements Operation.Visitor<Transaction.Builder> {
  private final Transaction.Builder transaction;

  OperationEncoder(Transaction.Builder transaction) {
    this.transaction = transaction;
  }

  @Override
  public Transaction.Builder append(Operation.Append operation) {
    return transaction.setAppend(
        UnknownFieldsCodec.restore(Transaction.Append.newBuilder(), operation.unknown())
            .addAllFragments(FragmentCodec.encode(operation.fragments())));
  }

  @Override
  public Transaction.Builder delete(Operation.Delete operation) {
    return transaction.setDelete(
        UnknownFieldsCodec.restore(Transaction.Delete.newBuilder(), operation.unknown())
            .addAllUpdatedFragments(FragmentCodec.encode(operation.updatedFragments()))
            .addAllDeletedFragmentIds(operation.deletedFragmentIds())
            .setPredicate(operation.predicate()));
  }

  @Override
  public Transaction.Builder overwrite(Operation.Overwrite operation) {
    return transaction.setOverwrite(
        UnknownFieldsCodec.restore(Transaction.Overwrite.newBuilder(), operation.unknown())
            .addAllFragments(FragmentCodec.encode(operation.fragments()))
            .addAllSchema(fields(operation.schema()))
            .putAllSchemaMetadata(metadata(operation.schema()))
            .putAllConfigUpsertValues(operation.configUpserts())
            .addAllInitialBases(bases(operation.initialBases())));
  }

  @Override
  public Transaction.Builder createIndex(Operation.CreateIndex operation) {
    return transaction.setCreateIndex(
        UnknownFieldsCodec.restore(Transaction.CreateIndex.newBuilder(), operation.unknown())
            .addAllNewIndices(IndexCodec.encode(operation.newIndices()))
            .addAllRemovedIndices(IndexCodec.encode(operation.removedIndices())));
  }

  @Override
  public Transaction.Builder rewrite(Operation.Rewrite operation) {
    Transaction.Rewrite.Builder builder =
        UnknownFieldsCodec.restore(Transaction.Rewrite.newBuilder(), operation.unknown());
    for (Operation.RewriteGroup group : operation.groups()) {
      builder.addGroups(
          UnknownFieldsCodec.restore(Transaction.Rewrite.RewriteGroup.newBuilder(), group.unknown())
              .addAllOldFragments(FragmentCodec.encode(group.oldFragments()))
              .addAllNewFragments(FragmentCodec.encode(group.newFragments())));
    }
    for (Operation.RewrittenIndex index : operation.rewrittenIndices()) {
      builder.addRewrittenIndices(rewrittenIndex(index));
    }
    return transaction.setRewrite(builder);
  }

  @Override
  public Transaction.Builder merge(Operation.Merge operation) {
    return transaction.setMerge(
        UnknownFieldsCodec.restore(Transaction.Merge.newBuilder(), operation.unknown())
            .addAllFragments(FragmentCodec.encode(operation.fragments()))
            .addAllSchema(fields(operation.schema()))
            .putAllSchemaMetadata(metadata(operation.schema())));
  }

  @Override
  public Transaction.Builder restore(Operation.Restore operation) {
    return transaction.setRestore(
        UnknownFieldsCodec.restore(Transaction.Restore.newBuilder(), operation.unknown())
            .setVersion(operation.version()));
  }

  @Override
  public Transaction.Builder reserveFragments(Operation.ReserveFragments operation) {
    return transaction.setReserveFragments(
        UnknownFieldsCodec.restore(Transaction.ReserveFragments.newBuilder(), operation.unknown())
            .setNumFragments((int) operation.count()));
  }

  @Override
  public Transaction.Builder update(Operation.Update operation) {
    Transaction.Update.Builder builder =
        UnknownFieldsCodec.restore(Transaction.Update.newBuilder(), operation.unknown())
            .addAllRemovedFragmentIds(operation.removedFragmentIds())
            .addAllUpdatedFragments(FragmentCodec.encode(operation.updatedFragments()))
            .addAllNewFragments(FragmentCodec.encode(operation.newFragments()))
            .addAllFieldsModified(operation.fieldsModified())
            .addAllFieldsForPreservingFragBitmap(operation.fieldsForPreservingFragmentBitmap())
            .addAllMergedGenerations(generations(operation.mergedGenerations()));
    operation.insertedKeys().ifPresent(keys -> builder.setInsertedRows(keyFilter(keys)));
    if (operation.mode() == Operation.UpdateMode.REWRITE_COLUMNS) {
      builder.setUpdateMode(Transaction.Update.UpdateMode.REWRITE_COLUMNS);
    }
    return transaction.setUpdate(builder);
  }

  @Override
  public Transaction.Builder updateMemWalState(Operation.UpdateMemWalState operation) {
    return transaction.setUpdateMemWalState(
        UnknownFieldsCodec.restore(Transaction.UpdateMemWalState.newBuilder(), operation.unknown())
            .addAllMergedGenerations(generations(operation.mergedGenerations())));
  }

  @Override
  public Transaction.Builder project(Operation.Project operation) {
    return transaction.setProject(
        UnknownFieldsCodec.restore(Transaction.Project.newBuilder(), operation.unknown())
            .addAllSchema(fields(operation.schema())));
  }

  @Override
  public Transaction.Builder updateConfig(Operation.UpdateConfig operation) {
    Transaction.UpdateConfig.Builder builder =
        UnknownFieldsCodec.restore(Transaction.UpdateConfig.newBuilder(), operation.unknown())
            .putAllUpsertValues(operation.upsertValues())
            .addAllDeleteKeys(operation.deleteKeys())
            .putAllSchemaMetadata(operation.schemaMetadata());
    operation
        .fieldMetadata()
        .forEach(
            (id, metadata) ->
                builder.putFieldMetadata(
                    id,
                    Transaction.UpdateConfig.FieldMetadataUpdate.newBuilder()
                        .putAllMetadata(metadata)
                        .build()));
    operation.configUpdates().ifPresent(map -> builder.setConfigUpdates(updateMap(map)));
    operation
        .tableMetadataUpdates()
        .ifPresent(map -> builder.setTableMetadataUpdates(updateMap(map)));
    operation
        .schemaMetadataUpdates()
        .ifPresent(map -> builder.setSchemaMetadataUpdates(updateMap(map)));
    operation
        .fieldMetadataUpdates()
        .forEach((id, map) -> builder.putFieldMetadataUpdates(id, updateMap(map)));
    return transaction.setUpdateConfig(builder);
  }

  @Override
  public Transaction.Builder dataReplacement(Operation.DataReplacement operation) {
    Transaction.DataReplacement.Builder builder =
        UnknownFieldsCodec.restore(Transaction.DataReplacement.newBuilder(), operation.unknown());
    for (Operation.Replacement replacement : operation.replacements()) {
      builder.addReplacements(
          Transaction.DataReplacement.Group.newBuilder()
              .setFragmentId(replacement.fragmentId())
              .setNewFile(FragmentCodec.encode(replacement.newFile())));
    }
    return transaction.setDataReplacement(builder);
  }

  @Override
  public Transaction.Builder clone(Operation.Clone operation) {
    Transaction.Clone.Builder builder =
        UnknownFieldsCodec.restore(Transaction.Clone.newBuilder(), operation.unknown())
            .setIsShallow(operation.shallow())
            .setRefVersion(operation.refVersion())
            .setRefPath(operation.refPath());
    operation.refName().ifPresent(builder::setRefName);
    operation.branchName().ifPresent(builder::setBranchName);
    return transaction.setClone(builder);
  }

  @Override
  public Transaction.Builder updateBases(Operation.UpdateBases operation) {
    return transaction.setUpdateBases(
        UnknownFieldsCodec.restore(Transaction.UpdateBases.newBuilder(), operation.unknown())
            .addAllNewBases(bases(operation.newBases())));
  }

  /** A field of its number, known to the generated message or not. */
  @Override
  public Transaction.Builder opaque(Operation.Opaque operation) {
    ByteString message = ByteString.copyFrom(operation.message().toByteArray());
    UnknownFieldSet field =
        UnknownFieldSet.newBuilder()
            .addField(
                operation.number(),
                UnknownFieldSet.Field.newBuilder().addLengthDelimited(message).build())
            .build();
    return transaction.mergeUnknownFields(field);
  }

  private static Transaction.KeyExistenceFilter keyFilter(Operation.KeyFilter keys) {
    return UnknownFieldsCodec.restore(Transaction.KeyExistenceFilter.newBuilder(), keys.keys())
        .addAllFieldIds(keys.fieldIds())
        .build();
  }

  private static List<MergedGeneration> generations(List<Operation.MergedGeneration> generations) {
    List<MergedGeneration> encoded = new ArrayList<>(generations.size());
    for (Operation.MergedGeneration generation : generations) {
      MergedGeneration.Builder builder =
          UnknownFieldsCodec.restore(MergedGeneration.newBuilder(), generation.unknown())
              .setGeneration(generation.generation());
      generation.shard().ifPresent(shard -> builder.setShardId(IndexCodec.encode(shard)));
      encoded.add(builder.build());
    }
    return encoded;
  }

  private static Transaction.Rewrite.RewrittenIndex rewrittenIndex(Operation.RewrittenIndex index) {
    Transaction.Rewrite.RewrittenIndex.Builder builder =
        UnknownFieldsCodec.restore(Transaction.Rewrite.RewrittenIndex.newBuilder(), index.unknown())
            .setOldId(IndexCodec.encode(index.oldId()))
            .setNewId(IndexCodec.encode(index.newId()))
            .setNewIndexVersion(index.newIndexVersion());
    index.newDetails().ifPresent(details -> builder.setNewIndexDetails(IndexCodec.encode(details)));
    for (IndexFile file : index.newFiles()) {
      builder.addNewIndexFiles(IndexCodec.encode(file));
    }
    return builder.build();
  }

  private static Transaction.UpdateMap updateMap(Operation.UpdateMap map) {
    Transaction.UpdateMap.Builder builder =
        Transaction.UpdateMap.newBuilder().setReplace(map.replace());
    for (Operation.UpdateMap.Entry entry : map.entries()) {
      Transaction.UpdateMap.Entry.Builder encoded =
          Transaction.UpdateMap.Entry.newBuilder().setKey(entry.key());
      entry.value().ifPresent(encoded::setValue);
      builder.addUpdateEntries(encoded);
    }
    return builder.build();
  }

  private static List<Field> fields(LanceSchema schema) {
    List<Field> fields = new ArrayList<>(schema.fields().size());
    for (LanceField field : schema.fields()) {
      fields.add(SchemaCodec.encode(field));
    }
    return fields;
  }

  private static Map<String, ByteString> metadata(LanceSchema schema) {
    Map<String, ByteString> metadata = new HashMap<>();
    schema.metadata().forEach((key, value) -> metadata.put(key, ByteString.copyFromUtf8(value)));
    return metadata;
  }

  private static List<dev.narwhal.lance.proto.table.BasePath> bases(List<BasePath> bases) {
    List<dev.narwhal.lance.proto.table.BasePath> encoded = new ArrayList<>(bases.size());
    for (BasePath base : bases) {
      encoded.add(FragmentCodec.encode(base));
    }
    return encoded;
  }
}
