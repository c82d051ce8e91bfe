package dev.narwhal.lance.write.merge;

import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.fragment.RowAddress;
import dev.narwhal.lance.rowid.RowIdSequence;
import dev.narwhal.lance.write.WriteContext;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Stable row ids of a version's rows by address. A fragment's ids are read once. One thread. */
final class RowIdsByAddress {
  private final WriteContext context;
  private final Map<Long, RowIdSequence> sequences = new HashMap<>();
  private long lastFragment = -1;
  private @Nullable RowIdSequence last;

  RowIdsByAddress(WriteContext context) {
    this.context = context;
  }

  /** Writes the ids of rows to {@code out} from an index on. */
  void copyTo(long[] addresses, long[] out, int from) throws IOException {
    for (int i = 0; i < addresses.length; i++) {
      out[from + i] =
          sequence(RowAddress.fragmentId(addresses[i])).get(RowAddress.offset(addresses[i]));
    }
  }

  private RowIdSequence sequence(long fragmentId) throws IOException {
    RowIdSequence known = fragmentId == lastFragment ? last : sequences.get(fragmentId);
    if (known == null) {
      Fragment fragment = context.manifest().fragment(fragmentId).orElseThrow();
      known = context.files().rowIds(fragment, context.physicalRows(fragment));
      sequences.put(fragmentId, known);
    }
    lastFragment = fragmentId;
    last = known;
    return known;
  }
}
