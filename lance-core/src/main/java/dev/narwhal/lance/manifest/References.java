package dev.narwhal.lance.manifest;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
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
  private static final String DIRECTORY = "_refs";
  private static final String TAGS = "_refs/tags";
  private static final String BRANCHES = "_refs/branches";
  private static final String TEMPORARY = ".tmp";
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

  /**
   * Throws an {@link IllegalArgumentException} when no tag can have the name, or a new one must
   * not, since real Lance could not list it.
   */
  public static void requireNewTagName(String name) {
    ReferenceNames.requireNewTag(name);
  }

  /** Throws an {@link IllegalArgumentException} when no branch can have the name. */
  public static void requireBranchName(String name) {
    ReferenceNames.requireBranch(name);
  }

  /** Whether there is a tag of this name. */
  public boolean hasTag(String name) throws IOException {
    return ReferenceNames.isTag(name) && store.exists(path(TAGS, name));
  }

  /** Whether there is a branch of this name; main is none. */
  public boolean hasBranch(String name) throws IOException {
    return ReferenceNames.isBranch(name) && store.exists(path(BRANCHES, name));
  }

  /**
   * Writes the file of a new tag.
   *
   * @return whether there was none of its name; of many callers one gets {@code true}
   * @throws IllegalArgumentException when no tag can have the name
   */
  public boolean create(Tag tag) throws IOException {
    ReferenceNames.requireTag(tag.name());
    return store.putIfAbsent(path(TAGS, tag.name()), ReferenceText.of(tag, ReferenceText.empty()));
  }

  /**
   * Writes the file of a tag anew; what we do not know of it stays.
   *
   * @throws DatasetNotFoundException when there is no such tag
   */
  public void replace(Tag tag) throws IOException {
    tag(tag.name());
    ObjectNode before =
        load(TAGS, tag.name()).map(ReferenceJson::copy).orElseGet(ReferenceText::empty);
    store.put(path(TAGS, tag.name()), ReferenceText.of(tag, before));
  }

  /** Removes the file of a tag, if there is one. */
  public void remove(Tag tag) throws IOException {
    ReferenceNames.requireTag(tag.name());
    store.delete(path(TAGS, tag.name()));
  }

  /**
   * Writes the file of a new branch, whose versions are there already.
   *
   * @return whether there was none of its name; of many callers one gets {@code true}
   * @throws IllegalArgumentException when no branch can have the name
   */
  public boolean create(Branch branch) throws IOException {
    ReferenceNames.requireBranch(branch.name());
    return store.putIfAbsent(
        path(BRANCHES, branch.name()), ReferenceText.of(branch, ReferenceText.empty()));
  }

  /** Removes the file of a branch, if there is one; its versions stay. */
  public void removeBranch(String name) throws IOException {
    ReferenceNames.requireBranch(name);
    store.delete(path(BRANCHES, name));
  }

  /**
   * Throws when there is a reference that we cannot make out, so that it is not known what it keeps
   * alive: for whoever removes what no reference names. Files that begin with {@code .tmp} are what
   * a crash left.
   *
   * @throws LanceFormatException when a tag or a branch cannot have the name of its file
   * @throws UnsupportedFeatureException when there is something else than tags and branches
   */
  public void requireKnownNames() throws IOException {
    for (String kind : store.list(DIRECTORY)) {
      String path = DIRECTORY + '/' + kind;
      if (!path.equals(TAGS) && !path.equals(BRANCHES) && !kind.startsWith(TEMPORARY)) {
        throw unknownKind(path);
      }
    }
    for (String directory : new String[] {TAGS, BRANCHES}) {
      for (String file : store.list(directory)) {
        Optional<String> name = nameOf(file);
        boolean known =
            name.isPresent()
                && (directory.equals(TAGS)
                    ? ReferenceNames.isTag(name.get())
                    : ReferenceNames.isBranch(name.get()));
        if (!file.endsWith(SUFFIX) && !file.startsWith(TEMPORARY)) {
          throw unknownKind(directory + '/' + file);
        }
        if (file.endsWith(SUFFIX) && !known) {
          throw new LanceFormatException(
              store.uri()
                  + '/'
                  + directory
                  + '/'
                  + file
                  + ": is no name that a reference can have; remove it, or let the Lance that wrote"
                  + " it do the work");
        }
      }
    }
  }

  private UnsupportedFeatureException unknownKind(String path) {
    return new UnsupportedFeatureException(
        store.uri()
            + '/'
            + path
            + ": is neither a tag nor a branch, so that it is not known what it keeps alive; remove"
            + " it, or let the Lance that wrote it do the work");
  }

  /** The store whose root is the branch's: its own versions, deletions and data. */
  public ObjectStore storeOf(Branch branch) {
    return storeOfBranch(branch.name());
  }

  /**
   * The same by name, whether there is such a branch or not.
   *
   * @throws IllegalArgumentException when no branch can have the name
   */
  public ObjectStore storeOfBranch(String name) {
    ReferenceNames.requireBranch(name);
    return new NestedObjectStore(store, Branch.directory(name));
  }

  private List<String> names(String directory) throws IOException {
    List<String> names = new ArrayList<>();
    for (String file : store.list(directory)) {
      nameOf(file).ifPresent(names::add);
    }
    names.sort(null);
    return names;
  }

  private static Optional<String> nameOf(String file) {
    return file.endsWith(SUFFIX)
        ? ReferenceNames.fromFile(file.substring(0, file.length() - SUFFIX.length()))
        : Optional.empty();
  }

  private static String path(String directory, String name) {
    return directory + '/' + ReferenceNames.toFile(name) + SUFFIX;
  }

  private Optional<ReferenceJson> load(String directory, String name) throws IOException {
    String path = path(directory, name);
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
