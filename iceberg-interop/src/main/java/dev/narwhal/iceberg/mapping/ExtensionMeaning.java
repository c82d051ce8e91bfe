package dev.narwhal.iceberg.mapping;

import java.util.Optional;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * Arrow extension types that Iceberg has a type for: their storage alone would lose the meaning.
 */
enum ExtensionMeaning {
  /** 16 bytes, big-endian. */
  UUID,
  /** The upper half of a 32-bit float. */
  BFLOAT16,
  /** Bytes, wherever Lance keeps them. */
  BLOB,
  /** A text; Iceberg's variant would change numbers and the order of keys. */
  JSON;

  private static final int UUID_BYTES = 16;
  private static final int BFLOAT16_BYTES = 2;

  Type type() {
    return switch (this) {
      case UUID -> Types.UUIDType.get();
      case BFLOAT16 -> Types.FloatType.get();
      case BLOB -> Types.BinaryType.get();
      case JSON -> Types.StringType.get();
    };
  }

  /**
   * What a field means beyond its Arrow type, if it does.
   *
   * @throws dev.narwhal.lance.error.UnsupportedFeatureException if nobody here knows
   */
  static Optional<ExtensionMeaning> of(String path, Field field) {
    String name = field.getMetadata().get(ArrowType.ExtensionType.EXTENSION_METADATA_KEY_NAME);
    ArrowType storage = field.getType();
    if (storage instanceof ArrowType.ExtensionType extension) {
      name = extension.extensionName();
      storage = extension.storageType();
    }
    if (name == null) {
      return Optional.empty();
    }
    return switch (name) {
      case "arrow.uuid" -> Optional.of(fixed(UUID, UUID_BYTES, path, field, storage));
      case "lance.bfloat16" -> Optional.of(fixed(BFLOAT16, BFLOAT16_BYTES, path, field, storage));
      case "arrow.json", "lance.json" -> Optional.of(json(path, field, storage));
      case "lance.blob.v2" -> Optional.of(blob(path, field, storage));
      default ->
          throw TypeMapping.refused(
              path, field, "extension type " + name + " has no counterpart in Iceberg");
    };
  }

  private static ExtensionMeaning fixed(
      ExtensionMeaning meaning, int width, String path, Field field, ArrowType storage) {
    if (!(storage instanceof ArrowType.FixedSizeBinary bytes && bytes.getByteWidth() == width)) {
      throw TypeMapping.refused(
          path, field, "values of its extension type have " + width + " bytes");
    }
    return meaning;
  }

  private static ExtensionMeaning blob(String path, Field field, ArrowType storage) {
    if (!(storage instanceof ArrowType.LargeBinary)) {
      throw TypeMapping.refused(path, field, "blobs are mapped from their bytes");
    }
    return BLOB;
  }

  private static ExtensionMeaning json(String path, Field field, ArrowType storage) {
    if (!(storage instanceof ArrowType.Utf8 || storage instanceof ArrowType.LargeUtf8)) {
      throw TypeMapping.refused(path, field, "JSON is mapped from text");
    }
    return JSON;
  }
}
