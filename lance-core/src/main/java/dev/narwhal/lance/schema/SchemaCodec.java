package dev.narwhal.lance.schema;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.proto.file.Encoding;
import dev.narwhal.lance.proto.file.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * Schema messages to records and back, without loss. Source: table format sheet 2.9, file format
 * sheet 1.5.
 */
public final class SchemaCodec {
  private SchemaCodec() {}

  public static LanceSchema decode(List<Field> fields, Map<String, ByteString> metadata) {
    List<LanceField> decoded = new ArrayList<>(fields.size());
    for (Field field : fields) {
      decoded.add(decode(field));
    }
    return new LanceSchema(decoded, text(metadata));
  }

  public static Field encode(LanceField field) {
    Field.Builder builder;
    try {
      builder = Field.parseFrom(field.unknown().toByteArray()).toBuilder();
    } catch (InvalidProtocolBufferException e) {
      throw new LanceFormatException("field " + field.name() + ": kept bytes are no message", e);
    }
    builder
        .setName(field.name())
        .setId(field.id())
        .setParentId(field.parentId())
        .setLogicalType(field.logicalType())
        .setNullable(field.nullable());
    field
        .metadata()
        .forEach((key, value) -> builder.putMetadata(key, ByteString.copyFromUtf8(value)));
    return builder.build();
  }

  /**
   * A field of a new schema, with what its message has besides: a legacy encoding, the name of the
   * extension type and the place in the primary key, which are in the metadata too.
   */
  static LanceField field(
      int id,
      int parentId,
      String name,
      String logicalType,
      boolean nullable,
      Map<String, String> metadata) {
    Field.Builder rest = Field.newBuilder().setEncoding(encoding(logicalType));
    String extension = metadata.get(ArrowType.ExtensionType.EXTENSION_METADATA_KEY_NAME);
    if (extension != null) {
      rest.setExtensionName(extension);
    }
    KeyMetadata.primary(metadata)
        .ifPresent(
            position ->
                rest.setUnenforcedPrimaryKey(true).setUnenforcedPrimaryKeyPosition(position));
    return new LanceField(
        id,
        parentId,
        name,
        logicalType,
        nullable,
        metadata,
        UnknownFields.of(rest.build().toByteArray()));
  }

  /** Means nothing in files of version 2, but real Lance writes it. */
  private static Encoding encoding(String logicalType) {
    if (logicalType.startsWith("dict:")) {
      return Encoding.DICTIONARY;
    }
    return switch (logicalType) {
      case "struct", "null" -> Encoding.NONE;
      case "string", "large_string", "binary", "large_binary", "json" -> Encoding.VAR_BINARY;
      default -> Encoding.PLAIN;
    };
  }

  /** Map values of the format are UTF-8 bytes. */
  public static Map<String, String> text(Map<String, ByteString> metadata) {
    Map<String, String> text = new HashMap<>();
    metadata.forEach((key, value) -> text.put(key, value.toStringUtf8()));
    return text;
  }

  private static LanceField decode(Field field) {
    Field rest =
        field.toBuilder()
            .clearName()
            .clearId()
            .clearParentId()
            .clearLogicalType()
            .clearNullable()
            .clearMetadata()
            .build();
    return new LanceField(
        field.getId(),
        field.getParentId(),
        field.getName(),
        field.getLogicalType(),
        field.getNullable(),
        text(field.getMetadataMap()),
        UnknownFields.of(rest.toByteArray()));
  }
}
