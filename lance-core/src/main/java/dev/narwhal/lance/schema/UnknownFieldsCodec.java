package dev.narwhal.lance.schema;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import dev.narwhal.lance.error.LanceFormatException;
import java.util.List;

/** Moves what a record does not model between a message and its {@link UnknownFields}. */
public final class UnknownFieldsCodec {
  private UnknownFieldsCodec() {}

  /**
   * What is left of a message of which the record models every known field.
   *
   * @throws LanceFormatException if a known field is among it, which stands there as a value of
   *     another type: damage that would make the field look absent
   */
  public static UnknownFields unknownOf(Message message) {
    requireKnownTypes(message);
    return message.getUnknownFields().asMap().isEmpty()
        ? UnknownFields.none()
        : UnknownFields.of(message.getUnknownFields().toByteArray());
  }

  /** Keeps a whole message: the rest, after the caller cleared the fields that it models. */
  public static UnknownFields keep(Message rest) {
    requireKnownTypes(rest);
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

  private static void requireKnownTypes(Message message) {
    for (int number : message.getUnknownFields().asMap().keySet()) {
      FieldDescriptor known = message.getDescriptorForType().findFieldByNumber(number);
      if (known != null) {
        throw new LanceFormatException(
            "field " + known.getFullName() + " (" + number + ") has a value of another type");
      }
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
