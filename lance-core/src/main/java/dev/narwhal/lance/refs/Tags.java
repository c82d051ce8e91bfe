package dev.narwhal.lance.refs;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.error.ReferenceConflictException;
import dev.narwhal.lance.manifest.References;
import dev.narwhal.lance.manifest.Tag;
import dev.narwhal.lance.manifest.VersionSelector;
import dev.narwhal.lance.manifest.Versions;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Names for versions. A tag keeps its version, and all files of that, from being cleaned up. Safe
 * for use by many threads and processes: of two that create a tag of one name, one fails. Source:
 * table format sheet 1.8.
 */
public final class Tags {
  private final ObjectStore root;
  private final References references;
  private final Clock clock;

  /**
   * @param root the dataset's root, of its branches too
   */
  public Tags(ObjectStore root) {
    this(root, Clock.systemUTC());
  }

  /**
   * @param clock stamps the tags
   */
  public Tags(ObjectStore root, Clock clock) {
    this.root = requireNonNull(root, "root");
    this.references = new References(root);
    this.clock = requireNonNull(clock, "clock");
  }

  /** All tags, by name. */
  public List<Tag> list() throws IOException {
    return references.tags();
  }

  /**
   * A tag by name.
   *
   * @throws DatasetNotFoundException when there is no such tag; the message names those there are
   */
  public Tag get(String name) throws IOException {
    return references.tag(name);
  }

  /**
   * Gives a version a name.
   *
   * @throws IllegalArgumentException when no tag can have the name
   * @throws ReferenceConflictException when there is a tag of that name
   * @throws DatasetNotFoundException when there is no such version, branch or tag
   */
  public Tag create(String name, VersionSelector version) throws IOException {
    Tag tag = prepare(name, version);
    boolean ours =
        ReferencePut.create(
            () -> references.create(tag),
            () -> references.hasTag(name) && references.tag(name).equals(tag),
            root.uri() + ": tag \"" + name + '"');
    if (!ours) {
      throw exists(name);
    }
    requireStillThere(tag, () -> references.remove(tag));
    return tag;
  }

  /** What {@link #create} would make, after the same checks. */
  public Tag prepare(String name, VersionSelector version) throws IOException {
    References.requireNewTagName(name);
    Tag tag = of(name, version, Optional.empty(), Map.of());
    if (references.hasTag(name)) {
      throw exists(name);
    }
    return tag;
  }

  /**
   * Has a tag name another version. What else it says stays, its time of creation too.
   *
   * @throws DatasetNotFoundException when there is no such tag, or no such version
   */
  public Tag update(String name, VersionSelector version) throws IOException {
    Tag before = references.tag(name);
    Tag after = of(name, version, before.createdAt(), before.metadata());
    references.replace(after);
    requireStillThere(after, () -> references.replace(before));
    return after;
  }

  /** What {@link #update} would make, after the same checks. */
  public Tag prepareUpdate(String name, VersionSelector version) throws IOException {
    Tag before = references.tag(name);
    return of(name, version, before.createdAt(), before.metadata());
  }

  /** Gives a tag other metadata; its times stay, as in real Lance. */
  public Tag replaceMetadata(String name, Map<String, String> metadata) throws IOException {
    Tag before = references.tag(name);
    Tag after =
        new Tag(
            name,
            before.branch(),
            before.version(),
            before.createdAt(),
            before.updatedAt(),
            before.manifestSizeBytes(),
            metadata);
    references.replace(after);
    return after;
  }

  /**
   * Removes a tag; the version stays until it is cleaned up.
   *
   * @return what it was
   * @throws DatasetNotFoundException when there is no such tag
   */
  public Tag delete(String name) throws IOException {
    Tag tag = references.tag(name);
    references.remove(tag);
    return tag;
  }

  private Tag of(
      String name,
      VersionSelector selector,
      Optional<Instant> createdAt,
      Map<String, String> metadata)
      throws IOException {
    Versions.Found found = Versions.find(root, selector);
    Instant now = clock.instant();
    return new Tag(
        name,
        found.branch(),
        found.location().version(),
        Optional.of(createdAt.orElse(now)),
        Optional.of(now),
        OptionalLong.of(found.store().attributes(found.location().path()).sizeBytes()),
        metadata);
  }

  /** A clean-up that did not see the tag yet may have come first. */
  private void requireStillThere(Tag tag, ReferencePut.Step takeBack) throws IOException {
    VersionSelector selector = VersionSelector.version(tag.version());
    ReferencePut.confirm(
        () -> Versions.find(root, tag.branch().map(selector::onBranch).orElse(selector)),
        takeBack,
        root.uri() + ": tag \"" + tag.name() + '"');
  }

  private ReferenceConflictException exists(String name) throws IOException {
    Tag there = references.tag(name);
    return new ReferenceConflictException(
        root.uri()
            + ": there is a tag \""
            + name
            + "\" already, of version "
            + there.version()
            + there.branch().map(branch -> " of branch " + branch).orElse("")
            + "; choose another name, or delete that first");
  }
}
