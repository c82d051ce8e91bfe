package dev.narwhal.lance.manifest;

import dev.narwhal.lance.fragment.Fragment;
import java.time.Instant;
import java.util.List;
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

  /**
   * The manifest.
   *
   * @throws IllegalArgumentException when it would not be valid
   */
  public Manifest build() {
    return new Manifest(
        version,
        base.schema(),
        fragments,
        timestamp,
        tag,
        flags,
        maxFragmentId,
        transactionFile,
        writerVersion,
        base.nextRowId(),
        base.dataFormat(),
        base.config(),
        base.tableMetadata(),
        base.basePaths(),
        base.branch(),
        base.unknown());
  }
}
