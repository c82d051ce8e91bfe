package dev.narwhal.lance.scan;

import dev.narwhal.lance.schema.BlobMode;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What takes learnt of the fragments that they read last: a take of few rows costs less than the
 * metadata of the files that hold them. No file stays open for it, and the memory is given up when
 * it is wanted elsewhere. Safe for use by many threads.
 */
final class KeptFragments {
  private static final int MAX_KEPT = 256;

  /** What a fragment was opened for. */
  record Key(long fragmentId, List<String> columns, BlobMode blobs) {
    Key {
      columns = List.copyOf(columns);
    }
  }

  /** Opens a fragment that is not kept. */
  interface Opener {
    OpenFragment open() throws IOException;
  }

  private final Map<Key, SoftReference<OpenFragment>> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, SoftReference<OpenFragment>> eldest) {
          return size() > MAX_KEPT;
        }
      };

  /** The fragment, which the caller closes as one that it opened itself. */
  OpenFragment open(Key key, Opener opener) throws IOException {
    Optional<OpenFragment> known = leased(key);
    if (known.isPresent()) {
      return known.get();
    }
    OpenFragment opened = opener.open();
    synchronized (kept) {
      kept.put(key, new SoftReference<>(opened));
    }
    return opened;
  }

  private Optional<OpenFragment> leased(Key key) {
    synchronized (kept) {
      SoftReference<OpenFragment> reference = kept.get(key);
      Optional<OpenFragment> known = Optional.ofNullable(reference).map(SoftReference::get);
      known.ifPresent(OpenFragment::lease);
      return known;
    }
  }
}
