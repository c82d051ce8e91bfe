package dev.narwhal.lance.manifest;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.deletion.DeletionFile;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.fragment.BasePath;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.ObjectPath;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The whole state of one version of a table, its indices aside. Source: table format sheet 2.1.
 *
 * @param version u64, at least 1; bit 63 marks a detached version
 * @param fragments in row order; ids are unique
 * @param timestamp when the version was committed
 * @param tag copied from the transaction; not a tag in the sense of {@link Tag}
 * @param maxFragmentId highest id ever used, u32; empty when there never was a fragment
 * @param transactionFile a name below {@code _transactions}
 * @param writerVersion empty for writers before about 0.8, whose row counts are not trusted
 * @param nextRowId u64, the next stable row id to hand out
 * @param config table configuration
 * @param tableMetadata free text of the table
 * @param branch empty means main
 * @param unknown what the message held besides
 */
public record Manifest(
    long version,
    LanceSchema schema,
    List<Fragment> fragments,
    Instant timestamp,
    Optional<String> tag,
    FeatureFlags flags,
    OptionalLong maxFragmentId,
    Optional<String> transactionFile,
    Optional<WriterVersion> writerVersion,
    long nextRowId,
    DataFormat dataFormat,
    Map<String, String> config,
    Map<String, String> tableMetadata,
    List<BasePath> basePaths,
    Optional<String> branch,
    UnknownFields unknown) {

  private static final long DETACHED_BIT = 1L << 63;

  public Manifest {
    requireNonNull(schema, "schema");
    fragments = List.copyOf(fragments);
    requireNonNull(timestamp, "timestamp");
    requireNonNull(tag, "tag");
    requireNonNull(flags, "flags");
    requireNonNull(maxFragmentId, "maxFragmentId");
    transactionFile.ifPresent(ObjectPath::requireName);
    requireNonNull(writerVersion, "writerVersion");
    requireNonNull(dataFormat, "dataFormat");
    config = Map.copyOf(config);
    tableMetadata = Map.copyOf(tableMetadata);
    basePaths = List.copyOf(basePaths);
    requireNonNull(branch, "branch");
    requireNonNull(unknown, "unknown");
    if (version == 0) {
      throw new IllegalArgumentException("version must be at least 1: 0");
    }
    requireConsistent(fragments);
    requireUniqueIds(basePaths);
  }

  /** Whether the version stands outside the history of its table. */
  public boolean isDetached() {
    return isDetached(version);
  }

  /** The same for a version number. */
  public static boolean isDetached(long version) {
    return (version & DETACHED_BIT) != 0;
  }

  /** Whether {@code _rowid} is an id of its own, not the row's address. */
  public boolean stableRowIds() {
    return flags.stableRowIds();
  }

  /** The fragment of an id. */
  public Optional<Fragment> fragment(long id) {
    for (Fragment fragment : fragments) {
      if (fragment.id() == id) {
        return Optional.of(fragment);
      }
    }
    return Optional.empty();
  }

  /** Rows that are not deleted; empty when some fragment does not tell. */
  public OptionalLong liveRows() {
    long rows = 0;
    for (Fragment fragment : fragments) {
      OptionalLong live = fragment.liveRows();
      if (live.isEmpty()) {
        return live;
      }
      rows += live.getAsLong();
    }
    return OptionalLong.of(rows);
  }

  /**
   * Where a data file lies.
   *
   * @throws LanceFormatException when it names a base path that the manifest does not have
   */
  public FileLocation locate(DataFile file) {
    Optional<BasePath> base = base(file.baseId(), "data file " + file.path());
    boolean inDataDirectory = base.isEmpty() || base.get().datasetRoot();
    return new FileLocation(base, inDataDirectory ? "data/" + file.path() : file.path());
  }

  /**
   * Where a fragment's deletion file lies.
   *
   * @throws LanceFormatException when it names a base path that the manifest does not have, or one
   *     that is no dataset root
   */
  public FileLocation locate(long fragmentId, DeletionFile file) {
    String path = file.relativePath(fragmentId);
    Optional<BasePath> base = base(file.baseId(), path);
    if (base.isPresent() && !base.get().datasetRoot()) {
      throw new LanceFormatException(
          path
              + " lies under base path "
              + Integer.toUnsignedString(base.get().id())
              + ", which is no dataset root");
    }
    return new FileLocation(base, path);
  }

  /** The directory of an index. */
  public FileLocation locate(IndexMetadata index) {
    Optional<BasePath> base = base(index.baseId(), "index " + index.name());
    boolean inIndexDirectory = base.isEmpty() || base.get().datasetRoot();
    String uuid = index.uuid().toString();
    return new FileLocation(base, inIndexDirectory ? "_indices/" + uuid : uuid);
  }

  /** A builder that starts with everything as it is here. */
  public ManifestDraft toDraft() {
    return new ManifestDraft(this);
  }

  private Optional<BasePath> base(OptionalInt id, String file) {
    if (id.isEmpty()) {
      return Optional.empty();
    }
    for (BasePath base : basePaths) {
      if (base.id() == id.getAsInt()) {
        return Optional.of(base);
      }
    }
    throw new LanceFormatException(
        file
            + " lies under base path "
            + Integer.toUnsignedString(id.getAsInt())
            + ", which version "
            + Long.toUnsignedString(version)
            + " does not register");
  }

  private static void requireConsistent(List<Fragment> fragments) {
    Set<Long> ids = new HashSet<>(fragments.size() * 2);
    int withRowIds = 0;
    for (Fragment fragment : fragments) {
      if (!ids.add(fragment.id())) {
        throw new IllegalArgumentException("two fragments have the id " + fragment.id());
      }
      withRowIds += fragment.rowIds().isPresent() ? 1 : 0;
    }
    if (withRowIds != 0 && withRowIds != fragments.size()) {
      throw new IllegalArgumentException(
          withRowIds + " of " + fragments.size() + " fragments have row ids; all must, or none");
    }
  }

  private static void requireUniqueIds(List<BasePath> basePaths) {
    Set<Integer> ids = new HashSet<>();
    for (BasePath base : basePaths) {
      if (!ids.add(base.id())) {
        throw new IllegalArgumentException(
            "two base paths have the id " + Integer.toUnsignedString(base.id()));
      }
    }
  }
}
