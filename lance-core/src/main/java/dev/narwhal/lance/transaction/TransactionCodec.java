package dev.narwhal.lance.transaction;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.schema.DeterministicMessage;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.schema.UnknownFieldsCodec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The {@code Transaction} message: the whole of a {@code .txn} file, and the content of a manifest
 * file's transaction section. Fields 100 and up are the operations; exactly one is there. Source:
 * table format sheet 2.5.
 */
public final class TransactionCodec {
  private static final int FIRST_OPERATION = 100;

  private TransactionCodec() {}

  /**
   * Decodes a message from the buffer's position to its limit.
   *
   * @throws LanceFormatException when the bytes break the format, or there is no operation
   */
  public static Transaction decode(ByteBuffer message) {
    dev.narwhal.lance.proto.table.Transaction transaction;
    try {
      transaction = dev.narwhal.lance.proto.table.Transaction.parseFrom(message.duplicate());
    } catch (InvalidProtocolBufferException e) {
      throw new LanceFormatException("transaction is no protobuf message: " + e.getMessage(), e);
    }
    UnknownFieldSet.Builder unknown = transaction.getUnknownFields().toBuilder();
    Operation operation = operation(transaction, unknown);
    return new Transaction(
        transaction.getReadVersion(),
        transaction.getUuid(),
        transaction.getTag().isEmpty() ? Optional.empty() : Optional.of(transaction.getTag()),
        transaction.getTransactionPropertiesMap(),
        operation,
        UnknownFields.of(unknown.build().toByteArray()));
  }

  /**
   * Encodes a message; the same content always gives the same bytes.
   *
   * @return read-only, little-endian, position 0
   */
  public static ByteBuffer encode(Transaction transaction) {
    dev.narwhal.lance.proto.table.Transaction.Builder builder =
        UnknownFieldsCodec.restore(
                dev.narwhal.lance.proto.table.Transaction.newBuilder(), transaction.unknown())
            .setReadVersion(transaction.readVersion())
            .setUuid(transaction.uuid())
            .putAllTransactionProperties(transaction.properties());
    transaction.tag().ifPresent(builder::setTag);
    byte[] bytes =
        DeterministicMessage.toBytes(
            transaction.operation().accept(new OperationEncoder(builder)).build());
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  private static Operation operation(
      dev.narwhal.lance.proto.table.Transaction message, UnknownFieldSet.Builder unknown) {
    return switch (message.getOperationCase()) {
      case APPEND -> OperationDecoder.append(message.getAppend());
      case DELETE -> OperationDecoder.delete(message.getDelete());
      case OVERWRITE -> OperationDecoder.overwrite(message.getOverwrite());
      case CREATE_INDEX -> OperationDecoder.createIndex(message.getCreateIndex());
      case REWRITE -> OperationDecoder.rewrite(message.getRewrite());
      case MERGE -> OperationDecoder.merge(message.getMerge());
      case RESTORE -> OperationDecoder.restore(message.getRestore());
      case RESERVE_FRAGMENTS -> OperationDecoder.reserveFragments(message.getReserveFragments());
      case UPDATE -> OperationDecoder.update(message.getUpdate());
      case PROJECT -> OperationDecoder.project(message.getProject());
      case UPDATE_CONFIG -> OperationDecoder.updateConfig(message.getUpdateConfig());
      case DATA_REPLACEMENT -> OperationDecoder.dataReplacement(message.getDataReplacement());
      case UPDATE_MEM_WAL_STATE ->
          OperationDecoder.updateMemWalState(message.getUpdateMemWalState());
      case CLONE -> OperationDecoder.clone(message.getClone());
      case UPDATE_BASES -> OperationDecoder.updateBases(message.getUpdateBases());
      case OPERATION_NOT_SET -> unknownOperation(unknown);
    };
  }

  /** Takes the operation of a newer writer out of the fields that we do not know. */
  private static Operation unknownOperation(UnknownFieldSet.Builder unknown) {
    for (Map.Entry<Integer, UnknownFieldSet.Field> field : unknown.build().asMap().entrySet()) {
      List<ByteString> messages = field.getValue().getLengthDelimitedList();
      if (field.getKey() >= FIRST_OPERATION && messages.size() == 1) {
        unknown.clearField(field.getKey());
        return new Operation.Opaque(
            field.getKey(),
            field.getKey() == 115 ? "DataOverlay" : "Operation " + field.getKey(),
            UnknownFields.of(messages.get(0).toByteArray()));
      }
    }
    throw new LanceFormatException("transaction has no operation");
  }
}
