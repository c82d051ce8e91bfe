package dev.narwhal.lance.manifest;

import dev.narwhal.lance.fragment.BasePath;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.schema.LanceSchema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A manifest in the making: what is not set stays as in the one it started from. */
public final class ManifestDraft {
  private final Manifest base;
  private long version;
  private List<Fragment> fragments;
  private Instant timestamp;
  private Optional<String> tag;
  private FeatureFlags flags;
  private OptionalLong maxFragmentId;
  private Optional<String> transactionFile;
  private Optional<WriterVersion> writerVersion;
  private LanceSchema schema;
  private long nextRowId;
  private DataFormat dataFormat;
  private Map<String, String> config;
  private Map<String, String> tableMetadata;
  private List<BasePath> basePaths;
  private Optional<String> branch;

  ManifestDraft(Manifest base) {
    this.base = base;
    this.version = base.version();
    this.fragments = base.fragments();
    this.timestamp = base.timestamp();
    this.tag = base.tag();
    this.flags = base.flags();
    this.maxFragmentId = base.maxFragmentId();
    this.transactionFile = base.transactionFile();
    this.writerVersion = base.writerVersion();
    this.schema = base.schema();
    this.nextRowId = base.nextRowId();
    this.dataFormat = base.dataFormat();
    this.config = base.config();
    this.tableMetadata = base.tableMetadata();
    this.basePaths = base.basePaths();
    this.branch = base.branch();
  }

  public ManifestDraft version(long value) {
    this.version = value;
    return this;
  }

  public ManifestDraft fragments(List<Fragment> value) {
    this.fragments = List.copyOf(value);
    return this;
  }

  public ManifestDraft timestamp(Instant value) {
    this.timestamp = value;
    return this;
  }

  public ManifestDraft tag(String value) {
    this.tag = Optional.of(value);
    return this;
  }

  public ManifestDraft withoutTag() {
    this.tag = Optional.empty();
    return this;
  }

  public ManifestDraft flags(FeatureFlags value) {
    this.flags = value;
    return this;
  }

  public ManifestDraft maxFragmentId(long value) {
    this.maxFragmentId = OptionalLong.of(value);
    return this;
  }

  /** The name below {@code _transactions} of the file that the commit writes. */
  public ManifestDraft transactionFile(String value) {
    this.transactionFile = Optional.of(value);
    return this;
  }

  public ManifestDraft withoutTransactionFile() {
    this.transactionFile = Optional.empty();
    return this;
  }

  public ManifestDraft writerVersion(WriterVersion value) {
    this.writerVersion = Optional.of(value);
    return this;
  }

  public ManifestDraft schema(LanceSchema value) {
    this.schema = value;
    return this;
  }

  public ManifestDraft nextRowId(long value) {
    this.nextRowId = value;
    return this;
  }

  public ManifestDraft dataFormat(DataFormat value) {
    this.dataFormat = value;
    return this;
  }

  public ManifestDraft config(Map<String, String> value) {
    this.config = Map.copyOf(value);
    return this;
  }

  public ManifestDraft tableMetadata(Map<String, String> value) {
    this.tableMetadata = Map.copyOf(value);
    return this;
  }

  public ManifestDraft basePaths(List<BasePath> value) {
    this.basePaths = List.copyOf(value);
    return this;
  }

  public ManifestDraft branch(Optional<String> value) {
    this.branch = value;
    return this;
  }

  /**
   * The manifest.
   *
   * @throws IllegalArgumentException when it would not be valid
   */
  public Manifest build() {
    return new Manifest(
        version,
        schema,
        fragments,
        timestamp,
        tag,
        flags,
        maxFragmentId,
        transactionFile,
        writerVersion,
        nextRowId,
        dataFormat,
        config,
        tableMetadata,
        basePaths,
        branch,
        base.unknown());
  }
}
