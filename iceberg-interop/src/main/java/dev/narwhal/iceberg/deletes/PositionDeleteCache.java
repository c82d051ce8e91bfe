package dev.narwhal.iceberg.deletes;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.io.FileIO;
import org.jspecify.annotations.Nullable;

/**
 * Iceberg's loader of position delete files, with memory for the ones used last: a file that
 * deletes from many data files is read once, not once for each. Bounded by the number of positions,
 * about a byte each. Safe for use by many threads; one loads a file while others load others.
 */
final class PositionDeleteCache extends BaseDeleteLoader {
  private static final long LARGEST_FILE = 16L << 20;
  private static final long ALL_FILES = 64L << 20;

  /** The content of one file, loaded when it is first asked for. */
  private static final class Content {
    private final Supplier<?> loader;
    private final long positions;
    private @Nullable Object value;

    private Content(Supplier<?> loader, long positions) {
      this.loader = loader;
      this.positions = positions;
    }

    private synchronized Object get() {
      Object known = value;
      if (known == null) {
        known = loader.get();
        value = known;
      }
      return known;
    }
  }

  /** Least recently used first. */
  private final Map<String, Content> files = new LinkedHashMap<>(16, 0.75f, true);

  private long held;

  PositionDeleteCache(FileIO io) {
    super(file -> io.newInputFile(file.location()));
  }

  @Override
  protected boolean canCache(long positions) {
    return positions <= LARGEST_FILE;
  }

  @Override
  @SuppressWarnings("unchecked") // a key always has the same kind of value
  protected <V> V getOrLoad(String key, Supplier<V> loader, long positions) {
    return (V) content(key, loader, positions).get();
  }

  private synchronized Content content(String key, Supplier<?> loader, long positions) {
    Content content = files.get(key);
    if (content == null) {
      content = new Content(loader, positions);
      held += positions;
      files.put(key, content);
      Iterator<Content> oldest = files.values().iterator();
      while (held > ALL_FILES && files.size() > 1) {
        held -= oldest.next().positions;
        oldest.remove();
      }
    }
    return content;
  }
}
