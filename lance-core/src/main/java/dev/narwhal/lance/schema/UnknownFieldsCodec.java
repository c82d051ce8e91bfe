package dev.narwhal.lance.schema;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import dev.narwhal.lance.error.LanceFormatException;
import java.util.List;

/** Moves what a record does not model between a message and its {@link UnknownFields}. */
public final class UnknownFieldsCodec {
  private UnknownFieldsCodec() {}

  /** What is left of a message of which the record models every known field. */
  public static UnknownFields unknownOf(Message message) {
    return message.getUnknownFields().asMap().isEmpty()
        ? UnknownFields.none()
        : UnknownFields.of(message.getUnknownFields().toByteArray());
  }

  /** Keeps a whole message: the rest, after the caller cleared the fields that it models. */
  public static UnknownFields keep(Message rest) {
    return UnknownFields.of(rest.toByteArray());
  }

  /** The numbers of the fields that were kept, ascending. */
  public static List<Integer> numbers(UnknownFields unknown) {
    try {
      return List.copyOf(UnknownFieldSet.parseFrom(unknown.toByteArray()).asMap().keySet());
    } catch (InvalidProtocolBufferException e) {
      throw new LanceFormatException("kept bytes are no message", e);
    }
  }

  /** Puts what was kept into a new builder, and returns it. */
  public static <B extends Message.Builder> B restore(B builder, UnknownFields unknown) {
    if (unknown.equals(UnknownFields.none())) {
      return builder;
    }
    try {
      builder.mergeFrom(unknown.toByteArray());
    } catch (InvalidProtocolBufferException e) {
      throw new LanceFormatException(
          builder.getDescriptorForType().getName() + ": kept bytes are no message", e);
    }
    return builder;
  }
}
