package dev.narwhal.lance.schema;

import static java.util.Objects.requireNonNull;

import java.util.Map;

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
}
