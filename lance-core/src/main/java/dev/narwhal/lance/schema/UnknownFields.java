package dev.narwhal.lance.schema;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * The part of a protobuf message that our records do not model, as serialised bytes of that
 * message: fields a newer writer added, and known ones we only carry. A codec starts from it when
 * it encodes, so nothing is lost when a manifest is rewritten. Equality is by content.
 */
public final class UnknownFields {
  private static final UnknownFields NONE = new UnknownFields(new byte[0]);

  private final byte[] message;

  private UnknownFields(byte[] message) {
    this.message = message;
  }

  public static UnknownFields none() {
    return NONE;
  }

  /** Keeps a copy of the bytes. */
  public static UnknownFields of(byte[] message) {
    return message.length == 0 ? NONE : new UnknownFields(message.clone());
  }

  /** A copy of the serialised message; empty when there is nothing unknown. */
  public byte[] toByteArray() {
    return message.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof UnknownFields that && Arrays.equals(message, that.message);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(message);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(message);
  }
}
