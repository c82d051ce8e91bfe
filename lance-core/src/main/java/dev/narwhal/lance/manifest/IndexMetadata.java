package dev.narwhal.lance.manifest;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.schema.UnknownFields;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * One index, or one segment of an index. Source: table format sheet 2.3.
 *
 * @param uuid names the directory below {@code _indices}
 * @param fields ids of the indexed fields; none for system indices
 * @param name several segments may share it
 * @param datasetVersion u64, the version it was built on
 * @param fragmentBitmap fragments it covered when it was built; empty means unknown
 * @param indexVersion of the index type
 * @param createdAtMillis milliseconds since 1970
 * @param baseId u32 id of one of the manifest's base paths; empty means the dataset itself
 * @param unknown what the message held besides
 */
public record IndexMetadata(
    UUID uuid,
    List<Integer> fields,
    String name,
    long datasetVersion,
    Optional<FragmentBitmap> fragmentBitmap,
    Optional<IndexDetails> details,
    OptionalInt indexVersion,
    OptionalLong createdAtMillis,
    OptionalInt baseId,
    List<IndexFile> files,
    UnknownFields unknown) {
  public IndexMetadata {
    requireNonNull(uuid, "uuid");
    fields = List.copyOf(fields);
    requireNonNull(name, "name");
    requireNonNull(fragmentBitmap, "fragmentBitmap");
    requireNonNull(details, "details");
    requireNonNull(indexVersion, "indexVersion");
    requireNonNull(createdAtMillis, "createdAtMillis");
    requireNonNull(baseId, "baseId");
    files = List.copyOf(files);
    requireNonNull(unknown, "unknown");
  }
}
