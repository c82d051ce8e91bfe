package dev.narwhal.lance.datafile;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.proto.file.FileDescriptor;
import dev.narwhal.lance.proto.file.Schema;
import dev.narwhal.lance.schema.DeterministicMessage;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.SchemaCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The {@code FileDescriptor} in global buffer 0: schema and row count. Source: file format sheet
 * 1.5, 9.
 */
final class FileSchemaCodec {
  private static final int MAX_DEPTH = 64;

  private FileSchemaCodec() {}

  /**
   * @param rows rows of the file, {@code >= 0}
   */
  record Description(LanceSchema schema, long rows) {}

  static Description decode(ByteBuffer bytes) {
    FileDescriptor message;
    try {
      message = FileDescriptor.parseFrom(CodedInputStream.newInstance(bytes));
    } catch (IOException e) {
      throw new LanceFormatException("schema is no valid message: " + e.getMessage(), e);
    }
    if (message.getLength() < 0) {
      throw new LanceFormatException(
          "row count " + Long.toUnsignedString(message.getLength()) + ", expected below 2^63");
    }
    LanceSchema schema =
        SchemaCodec.decode(
            message.getSchema().getFieldsList(), message.getSchema().getMetadataMap());
    return new Description(
        new LanceSchema(tree(schema.fields()), schema.metadata()), message.getLength());
  }

  static byte[] encode(LanceSchema schema, long rows) {
    Schema.Builder message = Schema.newBuilder();
    for (LanceField field : schema.fields()) {
      // descriptor children of a blob are of no parent in files
      LanceField written = field.id() < 0 ? withParent(field, -1) : field;
      message.addFields(SchemaCodec.encode(written));
    }
    schema
        .metadata()
        .forEach((key, value) -> message.putMetadata(key, ByteString.copyFromUtf8(value)));
    return DeterministicMessage.toBytes(
        FileDescriptor.newBuilder().setSchema(message).setLength(rows).build());
  }

  /**
   * Checks that a parent precedes its children, which rules out cycles, and that ids are unique.
   * Descriptor children of a blob are written with id and parent -1: they are given to the blob or
   * packed field they follow, lest they look like columns.
   */
  private static List<LanceField> tree(List<LanceField> fields) {
    List<LanceField> tree = new ArrayList<>(fields.size());
    Map<Integer, Integer> depths = new HashMap<>();
    @Nullable LanceField owner = null;
    for (LanceField field : fields) {
      if (field.id() < 0) {
        if (owner == null) {
          throw new LanceFormatException(
              "field '" + field.name() + "' has id " + field.id() + " and follows no blob field");
        }
        tree.add(withParent(field, owner.id()));
        continue;
      }
      int depth = 1 + parentDepth(field, depths);
      if (depth > MAX_DEPTH) {
        throw new LanceFormatException("fields nest deeper than " + MAX_DEPTH);
      }
      if (depths.put(field.id(), depth) != null) {
        throw new LanceFormatException("two fields have id " + field.id());
      }
      owner = FieldColumns.ownsDescendants(field) ? field : null;
      tree.add(field);
    }
    return tree;
  }

  private static int parentDepth(LanceField field, Map<Integer, Integer> depths) {
    if (field.parentId() < 0) {
      return 0;
    }
    Integer depth = depths.get(field.parentId());
    if (depth == null) {
      throw new LanceFormatException(
          "field '"
              + field.name()
              + "' has parent "
              + field.parentId()
              + ", which is no field before it");
    }
    return depth;
  }

  private static LanceField withParent(LanceField field, int parentId) {
    return new LanceField(
        field.id(),
        parentId,
        field.name(),
        field.logicalType(),
        field.nullable(),
        field.metadata(),
        field.unknown());
  }
}
