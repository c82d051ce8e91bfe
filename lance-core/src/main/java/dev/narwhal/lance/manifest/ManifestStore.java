package dev.narwhal.lance.manifest;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.error.DatasetNotFoundException;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds and loads the versions of one dataset, or of one branch, whose root the store is. The
 * listing of {@code _versions} is the authority; the version hint is never read. Safe for use by
 * many threads. Source: table format sheet 1.3.
 */
public final class ManifestStore {
  private static final Logger LOG = LoggerFactory.getLogger(ManifestStore.class);
  private static final String HINT = ManifestLocation.DIRECTORY + "/latest_version_hint.json";

  private static final Comparator<ManifestLocation> BY_VERSION =
      Comparator.comparingLong(ManifestLocation::version);

  private final ObjectStore store;

  public ManifestStore(ObjectStore store) {
    this.store = requireNonNull(store, "store");
  }

  /**
   * The newest version.
   *
   * @throws DatasetNotFoundException when there is no version at all
   */
  public ManifestLocation latest() throws IOException {
    return Collections.max(history(), BY_VERSION);
  }

  /**
   * A version by number, a detached one too.
   *
   * @throws DatasetNotFoundException when it does not exist; the message names those that do
   */
  public ManifestLocation locate(long version) throws IOException {
    if (version == 0) {
      throw new DatasetNotFoundException(
          store.uri() + ": there is no version 0, versions begin at 1");
    }
    for (ManifestNaming naming : new ManifestNaming[] {ManifestNaming.V2, ManifestNaming.V1}) {
      ManifestLocation location = new ManifestLocation(version, naming);
      if (store.exists(location.path())) {
        return location;
      }
    }
    List<ManifestLocation> versions = list();
    throw new DatasetNotFoundException(
        store.uri()
            + ": version "
            + Long.toUnsignedString(version)
            + " does not exist; there are "
            + versions.size()
            + " versions from "
            + versions.get(0).version()
            + " to "
            + versions.get(versions.size() - 1).version());
  }

  /**
   * All versions but the detached ones, ascending; never empty.
   *
   * @throws DatasetNotFoundException when there are none
   * @throws LanceFormatException when names of both schemes are mixed
   */
  public List<ManifestLocation> list() throws IOException {
    List<ManifestLocation> versions = history();
    versions.sort(BY_VERSION);
    return versions;
  }

  /** The same in no order. */
  private List<ManifestLocation> history() throws IOException {
    List<ManifestLocation> versions = new ArrayList<>();
    for (String name : names()) {
      Optional<ManifestLocation> location = ManifestNaming.parse(name);
      if (location.isPresent() && !Manifest.isDetached(location.get().version())) {
        versions.add(location.get());
      }
    }
    if (versions.isEmpty()) {
      throw notFound();
    }
    requireOneScheme(versions);
    return versions;
  }

  /** The versions that stand outside the history, in the order of their numbers. */
  public List<ManifestLocation> listDetached() throws IOException {
    List<ManifestLocation> versions = new ArrayList<>();
    for (String name : names()) {
      ManifestNaming.parse(name)
          .filter(location -> Manifest.isDetached(location.version()))
          .ifPresent(versions::add);
    }
    versions.sort((a, b) -> Long.compareUnsigned(a.version(), b.version()));
    return versions;
  }

  /** Loads the newest version. */
  public ManifestFile readLatest() throws IOException {
    return read(latest());
  }

  /** Loads a version by number. */
  public ManifestFile read(long version) throws IOException {
    return read(locate(version));
  }

  /**
   * Loads a version.
   *
   * @throws LanceFormatException when the file is damaged, or holds another version
   * @throws UnsupportedFeatureException when reading it takes a feature we do not know
   */
  public ManifestFile read(ManifestLocation location) throws IOException {
    String place = store.uri() + '/' + location.path();
    try {
      ManifestFile file = ManifestCodec.decode(store.read(location.path()));
      if (file.manifest().version() != location.version()) {
        throw new LanceFormatException(
            "holds version "
                + Long.toUnsignedString(file.manifest().version())
                + ", its name says "
                + Long.toUnsignedString(location.version()));
      }
      return file;
    } catch (LanceFormatException e) {
      throw e.in(place);
    } catch (UnsupportedFeatureException e) {
      throw e.in(place);
    } catch (NoSuchFileException e) {
      throw new DatasetNotFoundException(
          place + ": version " + Long.toUnsignedString(location.version()) + " is gone");
    }
  }

  /** Tells other readers where to look first. Best effort: a stale hint does no harm. */
  public void writeHint(long version) {
    String json = "{\"version\":" + Long.toUnsignedString(version) + '}';
    try {
      store.put(HINT, ByteBuffer.wrap(json.getBytes(US_ASCII)));
    } catch (IOException | RuntimeException e) {
      // the version is committed already: nothing may make it look otherwise
      LOG.debug("could not write the version hint of {}", store.uri(), e);
    }
  }

  /** Takes the hint away, of a table that is none any more. */
  public void removeHint() throws IOException {
    store.delete(HINT);
  }

  private List<String> names() throws IOException {
    try {
      return store.list(ManifestLocation.DIRECTORY);
    } catch (NotDirectoryException e) {
      if (isFile()) {
        throw notADirectory();
      }
      throw new DatasetNotFoundException(
          store.uri() + ": " + e.getFile() + " is a file; a Lance dataset is a directory");
    } catch (IOException e) {
      if (isFile()) {
        throw notADirectory();
      }
      throw e;
    }
  }

  private DatasetNotFoundException notFound() throws IOException {
    if (isFile()) {
      return notADirectory();
    }
    return new DatasetNotFoundException(
        store.list("").isEmpty()
            ? store.uri() + ": no such dataset, the directory is missing or empty; check the path"
            : store.uri()
                + ": not a Lance dataset, it has no manifest in _versions; "
                + "give the directory that holds _versions and data");
  }

  private DatasetNotFoundException notADirectory() {
    return new DatasetNotFoundException(
        store.uri() + ": is a file; a Lance dataset is a directory, give that");
  }

  private boolean isFile() throws IOException {
    try {
      store.list("");
      return false;
    } catch (NotDirectoryException e) {
      return true;
    }
  }

  private void requireOneScheme(List<ManifestLocation> versions) {
    ManifestLocation first = versions.get(0);
    for (ManifestLocation version : versions) {
      if (version.naming() != first.naming()) {
        throw new LanceFormatException(
            store.uri()
                + ": "
                + first.path()
                + " and "
                + version.path()
                + " mix the two naming schemes; let Lance finish the migration of its manifest "
                + "paths");
      }
    }
  }
}
