package dev.narwhal.lance.schema;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * One node of a Lance schema, as the manifest or a data file lists it.
 *
 * @param id at least 0 and unique in the schema; -1 only below packed and blob fields of data files
 * @param parentId id of the parent, -1 at the top level
 * @param name one path component
 * @param logicalType the format's name of the type, such as {@code fixed_size_list:float:4}
 * @param metadata Arrow field metadata
 * @param unknown what the message held besides: key flags, legacy encodings, fields of newer
 *     writers
 */
public record LanceField(
    int id,
    int parentId,
    String name,
    String logicalType,
    boolean nullable,
    Map<String, String> metadata,
    UnknownFields unknown) {
  private static final String BLOB_KEY = "lance-encoding:blob";
  private static final String BLOB_V2 = "lance.blob.v2";
  private static final List<String> PACKED_KEYS = List.of("lance-encoding:packed", "packed");

  public LanceField {
    requireNonNull(name, "name");
    requireNonNull(logicalType, "logicalType");
    requireNonNull(unknown, "unknown");
    metadata = Map.copyOf(metadata);
  }

  /** The same with other metadata. */
  public LanceField withMetadata(Map<String, String> other) {
    return new LanceField(id, parentId, name, logicalType, nullable, other, unknown);
  }

  /** The same with another name. */
  public LanceField withName(String other) {
    return new LanceField(id, parentId, other, logicalType, nullable, metadata, unknown);
  }

  /**
   * Whether the column holds where its values are, not the values. Source: file format sheet 7.1,
   * 7.2.
   */
  public boolean isBlob() {
    return metadata.containsKey(BLOB_KEY) || isBlobV2();
  }

  /**
   * Whether the column is a blob column of the second kind, from 2.2 on: a struct to its writer, a
   * descriptor of five fields on disk.
   */
  public boolean isBlobV2() {
    return BLOB_V2.equals(metadata.get(ArrowType.ExtensionType.EXTENSION_METADATA_KEY_NAME))
        || (metadata.containsKey(BLOB_KEY) && logicalType.equals("struct"));
  }

  /**
   * Whether the column is a struct whose children have no columns of their own. Metadata of other
   * types may say the same, and means nothing.
   */
  public boolean isPacked() {
    return logicalType.equals("struct")
        && PACKED_KEYS.stream().anyMatch(key -> "true".equalsIgnoreCase(metadata.get(key)));
  }

  /**
   * Whether the column is encoded by a dictionary of Arrow's, of which only the values are read.
   */
  public boolean isDictionary() {
    return logicalType.startsWith("dict:");
  }

  /** Logical type of the indices into the dictionary, such as {@code int8}, where there is one. */
  public String dictionaryIndexType() {
    int ordered = logicalType.lastIndexOf(':');
    return logicalType.substring(logicalType.lastIndexOf(':', ordered - 1) + 1, ordered);
  }
}
