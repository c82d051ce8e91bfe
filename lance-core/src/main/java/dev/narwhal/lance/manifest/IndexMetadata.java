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
  /** The record of rewritten fragments. */
  public static final String FRAGMENT_REUSE = "__lance_frag_reuse";

  /** The state of write-ahead logs. */
  public static final String MEM_WAL = "__lance_mem_wal";

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

  /** Whether it belongs to the format itself, and has no fields. */
  public boolean isSystem() {
    return name.equals(FRAGMENT_REUSE) || name.equals(MEM_WAL);
  }

  /** Whether it is for similarity search, of any kind. */
  public boolean isVector() {
    return details.map(of -> of.typeName().equals("VectorIndexDetails")).orElse(false);
  }

  /** The same under a base path. */
  public IndexMetadata withBaseId(int base) {
    return new IndexMetadata(
        uuid,
        fields,
        name,
        datasetVersion,
        fragmentBitmap,
        details,
        indexVersion,
        createdAtMillis,
        OptionalInt.of(base),
        files,
        unknown);
  }

  /** The same over other fragments; empty means unknown. */
  public IndexMetadata withFragmentBitmap(Optional<FragmentBitmap> bitmap) {
    return new IndexMetadata(
        uuid,
        fields,
        name,
        datasetVersion,
        bitmap,
        details,
        indexVersion,
        createdAtMillis,
        baseId,
        files,
        unknown);
  }
}
