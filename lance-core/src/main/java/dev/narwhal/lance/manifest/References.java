package dev.narwhal.lance.manifest;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.storage.NestedObjectStore;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The tags and branches of a dataset, whose root the store is: one JSON file each below {@code
 * _refs}. Source: table format sheet 1.8.
 */
public final class References {
  private static final String TAGS = "_refs/tags";
  private static final String BRANCHES = "_refs/branches";
  private static final String SUFFIX = ".json";

  private final ObjectStore store;

  public References(ObjectStore store) {
    this.store = requireNonNull(store, "store");
  }

  /** All tags, by name. */
  public List<Tag> tags() throws IOException {
    List<Tag> tags = new ArrayList<>();
    for (String name : names(TAGS)) {
      if (ReferenceNames.isTag(name)) {
        load(TAGS, name).ifPresent(json -> tags.add(json.tag(name)));
      }
    }
    return tags;
  }

  /**
   * A tag by name.
   *
   * @throws DatasetNotFoundException when there is no such tag; the message names those there are
   */
  public Tag tag(String name) throws IOException {
    Optional<ReferenceJson> json = ReferenceNames.isTag(name) ? load(TAGS, name) : Optional.empty();
    if (json.isPresent()) {
      return json.get().tag(name);
    }
    throw new DatasetNotFoundException(
        store.uri() + ": there is no tag \"" + name + "\"; " + known(names(TAGS), "tags"));
  }

  /** All branches but main, by name. */
  public List<Branch> branches() throws IOException {
    List<Branch> branches = new ArrayList<>();
    for (String name : names(BRANCHES)) {
      if (ReferenceNames.isBranch(name)) {
        load(BRANCHES, name).ifPresent(json -> branches.add(json.branch(name)));
      }
    }
    return branches;
  }

  /**
   * A branch by name. Main is none: its root is the dataset's.
   *
   * @throws DatasetNotFoundException when there is no such branch; the message names those there
   *     are
   */
  public Branch branch(String name) throws IOException {
    Optional<ReferenceJson> json =
        ReferenceNames.isBranch(name) ? load(BRANCHES, name) : Optional.empty();
    if (json.isPresent()) {
      return json.get().branch(name);
    }
    throw new DatasetNotFoundException(
        store.uri()
            + ": there is no branch \""
            + name
            + "\"; "
            + known(names(BRANCHES), "branches beside main"));
  }

  /** The store whose root is the branch's: its own versions, deletions and data. */
  public ObjectStore storeOf(Branch branch) {
    return new NestedObjectStore(store, branch.directory());
  }

  private List<String> names(String directory) throws IOException {
    List<String> names = new ArrayList<>();
    for (String file : store.list(directory)) {
      if (file.endsWith(SUFFIX)) {
        names.add(ReferenceNames.fromFile(file.substring(0, file.length() - SUFFIX.length())));
      }
    }
    names.sort(null);
    return names;
  }

  private Optional<ReferenceJson> load(String directory, String name) throws IOException {
    String path = directory + '/' + ReferenceNames.toFile(name) + SUFFIX;
    try {
      return Optional.of(ReferenceJson.parse(store.read(path), store.uri() + '/' + path));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (LanceFormatException e) {
      throw e.in(store.uri() + '/' + path);
    }
  }

  private static String known(List<String> names, String what) {
    return names.isEmpty() ? "it has no " + what : what + " are " + String.join(", ", names);
  }
}
