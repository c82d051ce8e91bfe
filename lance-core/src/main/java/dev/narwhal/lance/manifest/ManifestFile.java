package dev.narwhal.lance.manifest;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All that one manifest file holds: the state of a version, its indices, and the transaction that
 * made it as undecoded bytes. Equality is by content.
 */
public final class ManifestFile {
  private final Manifest manifest;
  private final List<IndexMetadata> indices;
  private final @Nullable ByteBuffer transaction;

  private ManifestFile(
      Manifest manifest, List<IndexMetadata> indices, @Nullable ByteBuffer transaction) {
    this.manifest = requireNonNull(manifest, "manifest");
    this.indices = List.copyOf(indices);
    this.transaction = transaction;
  }

  /** A file without an inline transaction, as older writers left it. */
  public static ManifestFile of(Manifest manifest, List<IndexMetadata> indices) {
    return new ManifestFile(manifest, indices, null);
  }

  /**
   * A file with one.
   *
   * @param transaction a serialised transaction, from the buffer's position to its limit; copied
   */
  public static ManifestFile of(
      Manifest manifest, List<IndexMetadata> indices, ByteBuffer transaction) {
    ByteBuffer copy = ByteBuffer.allocate(transaction.remaining());
    copy.put(transaction.duplicate()).flip();
    return new ManifestFile(manifest, indices, copy.asReadOnlyBuffer());
  }

  public Manifest manifest() {
    return manifest;
  }

  public List<IndexMetadata> indices() {
    return indices;
  }

  /** The serialised transaction, read-only, little-endian, position 0. */
  public Optional<ByteBuffer> transaction() {
    return transaction == null
        ? Optional.empty()
        : Optional.of(transaction.duplicate().order(ByteOrder.LITTLE_ENDIAN));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ManifestFile that
        && manifest.equals(that.manifest)
        && indices.equals(that.indices)
        && Objects.equals(transaction, that.transaction);
  }

  @Override
  public int hashCode() {
    return Objects.hash(manifest, indices, transaction);
  }

  @Override
  public String toString() {
    return "ManifestFile[version " + Long.toUnsignedString(manifest.version()) + ']';
  }
}
