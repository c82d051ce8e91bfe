package dev.narwhal.lance.rowid;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.storage.ObjectPath;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Where a per-row sequence of a fragment is kept: its row ids, or the versions that created or last
 * updated its rows. Source: table format sheet 2.2, fields 5 to 10 of a fragment.
 */
public sealed interface StoredSequence {

  /** The serialised sequence itself. Equality is by content. */
  final class Inline implements StoredSequence {
    private final byte[] message;

    private Inline(byte[] message) {
      this.message = message;
    }

    /** Copies the bytes from the buffer's position to its limit, and leaves the buffer as it is. */
    public static Inline of(ByteBuffer message) {
      byte[] copy = new byte[message.remaining()];
      message.duplicate().get(copy);
      return new Inline(copy);
    }

    /** The serialised message, read-only, little-endian, position 0. */
    public ByteBuffer bytes() {
      return ByteBuffer.wrap(message).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Inline that && Arrays.equals(message, that.message);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(message);
    }

    @Override
    public String toString() {
      return "Inline[" + message.length + " bytes]";
    }
  }

  /**
   * A slice of another object. Readers must know it; no known writer makes one.
   *
   * @param path relative to the dataset root
   * @param offset first byte, at least 0
   * @param sizeBytes at least 0
   */
  record External(String path, long offset, long sizeBytes) implements StoredSequence {
    public External {
      ObjectPath.requireRelative(requireNonNull(path, "path"));
      if (offset < 0 || sizeBytes < 0 || offset + sizeBytes < 0) {
        throw new IllegalArgumentException(
            path
                + ": no slice of "
                + Long.toUnsignedString(sizeBytes)
                + " bytes at "
                + Long.toUnsignedString(offset));
      }
    }
  }
}
