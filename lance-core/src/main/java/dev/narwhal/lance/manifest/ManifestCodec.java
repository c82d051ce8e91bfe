package dev.narwhal.lance.manifest;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.proto.table.IndexSection;
import dev.narwhal.lance.schema.DeterministicMessage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/**
 * A manifest file.
 *
 * <pre>
 * index section   u32 LE n, then n bytes of IndexSection    when the table has indices
 * transaction     u32 LE n, then n bytes of Transaction     unless an old writer left it out
 * manifest        u32 LE n, then n bytes of Manifest
 * footer          i64 LE position of the manifest's length
 *                 u16 LE major = 0
 *                 u16 LE minor = 2
 *                 4 bytes "LANC"
 * </pre>
 *
 * <p>The manifest names the positions of the first two sections; position 0 is one like any other.
 * The manifest's length reaches exactly to the footer. There is no checksum: a changed byte of
 * content is content.
 *
 * <p>Legacy tables with dictionary columns have their dictionaries before the first section; they
 * are neither read nor written, and {@link #encode} refuses tables that need them.
 *
 * <p>Source: table format sheet 1.4.
 */
public final class ManifestCodec {
  private static final int FOOTER_BYTES = 16;
  private static final int LENGTH_BYTES = 4;
  private static final int MAGIC = 0x434E414C; // "LANC", little-endian
  private static final int MAJOR = 0;
  private static final int MINOR = 2;

  private ManifestCodec() {}

  /**
   * Decodes a file from the buffer's position to its limit.
   *
   * @throws LanceFormatException when the bytes break the format
   * @throws UnsupportedFeatureException when reading the version takes a feature we do not know
   */
  public static ManifestFile decode(ByteBuffer file) {
    ByteBuffer in = file.slice().order(ByteOrder.LITTLE_ENDIAN);
    int end = manifestEnd(in);
    int start = manifestStart(in, end);
    dev.narwhal.lance.proto.table.Manifest message =
        parse(
            dev.narwhal.lance.proto.table.Manifest.parser(),
            in.slice(start + LENGTH_BYTES, end - start - LENGTH_BYTES),
            "manifest",
            start);
    Manifest manifest = ManifestMessageCodec.decode(message);
    List<IndexMetadata> indices =
        message.hasIndexSection() ? indices(in, message.getIndexSection(), start) : List.of();
    return message.hasTransactionSection()
        ? ManifestFile.of(
            manifest,
            indices,
            section(in, message.getTransactionSection(), start, "transaction section"))
        : ManifestFile.of(manifest, indices);
  }

  /**
   * Encodes a file; the same content always gives the same bytes.
   *
   * @return read-only, little-endian, position 0
   */
  public static ByteBuffer encode(ManifestFile file) {
    dev.narwhal.lance.proto.table.Manifest.Builder builder =
        ManifestMessageCodec.encode(file.manifest());
    requireNoHiddenPages(file.manifest(), builder.getVersionAuxData());
    long size = 0;
    byte[] indices = new byte[0];
    if (!file.indices().isEmpty()) {
      indices =
          DeterministicMessage.toBytes(
              IndexSection.newBuilder().addAllIndices(IndexCodec.encode(file.indices())).build());
      builder.setIndexSection(size);
      size += LENGTH_BYTES + indices.length;
    }
    Optional<ByteBuffer> transaction = file.transaction();
    if (transaction.isPresent()) {
      builder.setTransactionSection(size);
      size += LENGTH_BYTES + transaction.get().remaining();
    }
    byte[] manifest = DeterministicMessage.toBytes(builder.build());
    long manifestPosition = size;
    size += LENGTH_BYTES + manifest.length + FOOTER_BYTES;
    if (size > Integer.MAX_VALUE - 8) {
      throw new UnsupportedFeatureException(
          "a manifest of " + size + " bytes; 2 GiB can be written at most");
    }

    ByteBuffer out = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
    if (indices.length > 0) {
      out.putInt(indices.length).put(indices);
    }
    if (transaction.isPresent()) {
      out.putInt(transaction.get().remaining()).put(transaction.get());
    }
    out.putInt(manifest.length).put(manifest);
    out.putLong(manifestPosition).putShort((short) MAJOR).putShort((short) MINOR).putInt(MAGIC);
    return out.flip().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Where the footer begins, once it is known to be one. */
  private static int manifestEnd(ByteBuffer in) {
    int end = in.limit() - FOOTER_BYTES;
    if (end < LENGTH_BYTES) {
      throw new LanceFormatException(
          "manifest file has "
              + in.limit()
              + " bytes, at least 20 are expected"
              + (in.limit() == 0 ? "; a crashed writer may have left it, then remove it" : ""));
    }
    int magic = in.getInt(end + 12);
    if (magic != MAGIC) {
      throw new LanceFormatException(
          String.format(
              "magic is %08x, expected %08x (\"LANC\") (at byte %d)",
              Integer.reverseBytes(magic), Integer.reverseBytes(MAGIC), end + 12));
    }
    int major = Short.toUnsignedInt(in.getShort(end + 8));
    int minor = Short.toUnsignedInt(in.getShort(end + 10));
    if (major != MAJOR || minor < 1 || minor > MINOR) {
      throw new UnsupportedFeatureException(
          "manifest file version " + major + '.' + minor + " is not known; 0.2 is");
    }
    return end;
  }

  private static int manifestStart(ByteBuffer in, int end) {
    long start = in.getLong(end);
    if (start < 0 || start > end - LENGTH_BYTES) {
      throw new LanceFormatException(
          "manifest position is "
              + Long.toUnsignedString(start)
              + ", expected at most "
              + (end - LENGTH_BYTES)
              + " (at byte "
              + end
              + ')');
    }
    long length = Integer.toUnsignedLong(in.getInt((int) start));
    if (length != end - LENGTH_BYTES - start) {
      throw new LanceFormatException(
          "manifest length is "
              + length
              + ", expected "
              + (end - LENGTH_BYTES - start)
              + " (at byte "
              + start
              + ')');
    }
    return (int) start;
  }

  private static List<IndexMetadata> indices(ByteBuffer in, long position, int end) {
    ByteBuffer section = section(in, position, end, "index section");
    IndexSection indices = parse(IndexSection.parser(), section, "index section", (int) position);
    return IndexCodec.decode(indices.getIndicesList());
  }

  private static ByteBuffer section(ByteBuffer in, long position, int end, String name) {
    if (position < 0 || position > end - LENGTH_BYTES) {
      throw new LanceFormatException(
          name
              + " is said to be at byte "
              + Long.toUnsignedString(position)
              + ", expected at most "
              + (end - LENGTH_BYTES));
    }
    long length = Integer.toUnsignedLong(in.getInt((int) position));
    if (length > end - LENGTH_BYTES - position) {
      throw new LanceFormatException(
          name
              + " has length "
              + length
              + ", at most "
              + (end - LENGTH_BYTES - position)
              + " bytes are left for it (at byte "
              + position
              + ')');
    }
    return in.slice((int) position + LENGTH_BYTES, (int) length);
  }

  private static <T> T parse(Parser<T> parser, ByteBuffer message, String name, int position) {
    try {
      return parser.parseFrom(message);
    } catch (InvalidProtocolBufferException e) {
      throw new LanceFormatException(
          name
              + " is no protobuf message: "
              + e.getMessage()
              + " (section at byte "
              + position
              + ')',
          e);
    }
  }

  /** Content that lies outside the sections would dangle after a rewrite. */
  private static void requireNoHiddenPages(Manifest manifest, long auxiliaryDataPosition) {
    if (auxiliaryDataPosition != 0) {
      throw new UnsupportedFeatureException(
          "the manifest has auxiliary version data, which cannot be carried to a new version");
    }
    if (manifest.dataFormat().isLegacy()
        && manifest.schema().fields().stream()
            .anyMatch(field -> field.logicalType().startsWith("dict:"))) {
      throw new UnsupportedFeatureException(
          "dictionary columns of format 0.1 keep their dictionaries in the manifest file, "
              + "which cannot be carried to a new version");
    }
  }
}
