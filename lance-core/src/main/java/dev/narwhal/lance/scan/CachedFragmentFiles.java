package dev.narwhal.lance.scan;

import dev.narwhal.lance.datafile.LanceFile;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.rowid.RowIdSequence;
import dev.narwhal.lance.rowid.RowVersions;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps what random access to one version asks for again and again, as long as the memory is not
 * wanted elsewhere. What could not be read is not kept: it fails each time, or is read at last.
 * Data files are opened anew: {@link KeptFragments} keeps what was made of them. Safe for use by
 * many threads.
 */
final class CachedFragmentFiles implements FragmentFiles {
  private final FragmentFiles files;
  private final Cache<DeletionVector> deletions = new Cache<>();
  private final Cache<RowIdSequence> rowIds = new Cache<>();
  private final Cache<RowVersions> created = new Cache<>();
  private final Cache<RowVersions> lastUpdated = new Cache<>();

  CachedFragmentFiles(FragmentFiles files) {
    this.files = files;
  }

  @Override
  public LanceFile open(DataFile file) throws IOException {
    return files.open(file);
  }

  @Override
  public DeletionVector deletions(Fragment fragment, long physicalRows) throws IOException {
    return fragment.deletionFile().isEmpty()
        ? DeletionVector.empty()
        : deletions.get(fragment, () -> files.deletions(fragment, physicalRows));
  }

  @Override
  public Optional<ByteBuffer> bitmapBytes(Fragment fragment) throws IOException {
    return files.bitmapBytes(fragment);
  }

  @Override
  public RowIdSequence rowIds(Fragment fragment, long physicalRows) throws IOException {
    return rowIds.get(fragment, () -> files.rowIds(fragment, physicalRows));
  }

  @Override
  public RowVersions createdVersions(Fragment fragment, long physicalRows) throws IOException {
    return created.get(fragment, () -> files.createdVersions(fragment, physicalRows));
  }

  @Override
  public RowVersions lastUpdatedVersions(Fragment fragment, long physicalRows) throws IOException {
    return lastUpdated.get(fragment, () -> files.lastUpdatedVersions(fragment, physicalRows));
  }

  private interface Load<T> {
    T load() throws IOException;
  }

  private static final class Cache<T> {
    private final Map<Long, SoftReference<T>> kept = new ConcurrentHashMap<>();

    T get(Fragment fragment, Load<T> load) throws IOException {
      SoftReference<T> reference = kept.get(fragment.id());
      T value = reference == null ? null : reference.get();
      if (value == null) {
        value = load.load();
        kept.put(fragment.id(), new SoftReference<>(value));
      }
      return value;
    }
  }
}
