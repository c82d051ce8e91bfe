package dev.narwhal.lance.manifest;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** What kind of index it is, and the message of that kind. Equality is by content. */
public final class IndexDetails {
  private final String typeUrl;
  private final byte[] message;

  private IndexDetails(String typeUrl, byte[] message) {
    this.typeUrl = requireNonNull(typeUrl, "typeUrl");
    this.message = message;
  }

  /** Copies the bytes from the buffer's position to its limit. */
  public static IndexDetails of(String typeUrl, ByteBuffer message) {
    byte[] copy = new byte[message.remaining()];
    message.duplicate().get(copy);
    return new IndexDetails(typeUrl, copy);
  }

  /** Such as {@code /lance.table.BTreeIndexDetails}. */
  public String typeUrl() {
    return typeUrl;
  }

  /** The type's simple name, such as {@code BTreeIndexDetails}: its package differs by version. */
  public String typeName() {
    return typeUrl.substring(Math.max(typeUrl.lastIndexOf('.'), typeUrl.lastIndexOf('/')) + 1);
  }

  /** The serialised message, read-only, little-endian, position 0. */
  public ByteBuffer bytes() {
    return ByteBuffer.wrap(message).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IndexDetails that
        && typeUrl.equals(that.typeUrl)
        && Arrays.equals(message, that.message);
  }

  @Override
  public int hashCode() {
    return 31 * typeUrl.hashCode() + Arrays.hashCode(message);
  }

  @Override
  public String toString() {
    return typeUrl + '[' + message.length + " bytes]";
  }
}
