package dev.narwhal.lance.manifest;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.proto.table.UUID;
import dev.narwhal.lance.schema.UnknownFieldsCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Index messages to records and back, without loss. Source: table format sheet 2.3. */
public final class IndexCodec {
  private static final int UUID_BYTES = 16;

  private IndexCodec() {}

  /** Decodes a list of entries; a fault names the index. */
  public static List<IndexMetadata> decode(
      List<dev.narwhal.lance.proto.table.IndexMetadata> indices) {
    List<IndexMetadata> decoded = new ArrayList<>(indices.size());
    for (dev.narwhal.lance.proto.table.IndexMetadata index : indices) {
      try {
        decoded.add(decode(index));
      } catch (LanceFormatException e) {
        throw e.in("index " + index.getName());
      } catch (IllegalArgumentException e) {
        throw new LanceFormatException("index " + index.getName() + ": " + e.getMessage(), e);
      }
    }
    return decoded;
  }

  public static List<dev.narwhal.lance.proto.table.IndexMetadata> encode(
      List<IndexMetadata> indices) {
    List<dev.narwhal.lance.proto.table.IndexMetadata> encoded = new ArrayList<>(indices.size());
    for (IndexMetadata index : indices) {
      encoded.add(encode(index));
    }
    return encoded;
  }

  /** 16 bytes in the order of the text form. */
  public static java.util.UUID decode(UUID uuid) {
    ByteBuffer bytes = uuid.getUuid().asReadOnlyByteBuffer();
    if (bytes.remaining() != UUID_BYTES) {
      throw new LanceFormatException("uuid has " + bytes.remaining() + " bytes, expected 16");
    }
    return new java.util.UUID(bytes.getLong(), bytes.getLong());
  }

  public static UUID encode(java.util.UUID uuid) {
    ByteBuffer bytes = ByteBuffer.allocate(UUID_BYTES);
    bytes.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits()).flip();
    return UUID.newBuilder().setUuid(ByteString.copyFrom(bytes)).build();
  }

  public static IndexDetails decode(Any details) {
    return IndexDetails.of(details.getTypeUrl(), details.getValue().asReadOnlyByteBuffer());
  }

  public static Any encode(IndexDetails details) {
    return Any.newBuilder()
        .setTypeUrl(details.typeUrl())
        .setValue(ByteString.copyFrom(details.bytes()))
        .build();
  }

  public static IndexFile decode(dev.narwhal.lance.proto.table.IndexFile file) {
    return new IndexFile(file.getPath(), file.getSizeBytes(), UnknownFieldsCodec.unknownOf(file));
  }

  public static dev.narwhal.lance.proto.table.IndexFile encode(IndexFile file) {
    return UnknownFieldsCodec.restore(
            dev.narwhal.lance.proto.table.IndexFile.newBuilder(), file.unknown())
        .setPath(file.path())
        .setSizeBytes(file.sizeBytes())
        .build();
  }

  private static IndexMetadata decode(dev.narwhal.lance.proto.table.IndexMetadata index) {
    List<IndexFile> files = new ArrayList<>(index.getFilesCount());
    for (dev.narwhal.lance.proto.table.IndexFile file : index.getFilesList()) {
      files.add(decode(file));
    }
    return new IndexMetadata(
        decode(index.getUuid()),
        index.getFieldsList(),
        index.getName(),
        index.getDatasetVersion(),
        index.getFragmentBitmap().isEmpty()
            ? Optional.empty()
            : Optional.of(FragmentBitmap.of(index.getFragmentBitmap().asReadOnlyByteBuffer())),
        index.hasIndexDetails() ? Optional.of(decode(index.getIndexDetails())) : Optional.empty(),
        index.hasIndexVersion() ? OptionalInt.of(index.getIndexVersion()) : OptionalInt.empty(),
        index.hasCreatedAt() ? OptionalLong.of(index.getCreatedAt()) : OptionalLong.empty(),
        index.hasBaseId() ? OptionalInt.of(index.getBaseId()) : OptionalInt.empty(),
        files,
        UnknownFieldsCodec.unknownOf(index));
  }

  private static dev.narwhal.lance.proto.table.IndexMetadata encode(IndexMetadata index) {
    dev.narwhal.lance.proto.table.IndexMetadata.Builder builder =
        UnknownFieldsCodec.restore(
                dev.narwhal.lance.proto.table.IndexMetadata.newBuilder(), index.unknown())
            .setUuid(encode(index.uuid()))
            .addAllFields(index.fields())
            .setName(index.name())
            .setDatasetVersion(index.datasetVersion());
    index
        .fragmentBitmap()
        .ifPresent(bitmap -> builder.setFragmentBitmap(ByteString.copyFrom(bitmap.bytes())));
    index.details().ifPresent(details -> builder.setIndexDetails(encode(details)));
    index.indexVersion().ifPresent(builder::setIndexVersion);
    index.createdAtMillis().ifPresent(builder::setCreatedAt);
    index.baseId().ifPresent(builder::setBaseId);
    for (IndexFile file : index.files()) {
      builder.addFiles(encode(file));
    }
    return builder.build();
  }
}
