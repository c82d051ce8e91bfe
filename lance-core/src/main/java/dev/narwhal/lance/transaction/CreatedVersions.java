package dev.narwhal.lance.transaction;

import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.rowid.RowIdSequence;
import dev.narwhal.lance.rowid.RowVersionSequenceCodec;
import dev.narwhal.lance.rowid.RowVersions;
import dev.narwhal.lance.rowid.StoredSequence;
import dev.narwhal.lance.rowid.UnsignedOrder;
import java.util.Arrays;
import java.util.List;

/**
 * The versions that made rows, by row id: what moves to another fragment was made when it was made.
 * The cost follows the rows asked for and the fragments, not the rows of these. Source: table
 * format sheet 6.6.
 */
final class CreatedVersions {
  private final long[] ids;
  private final long[] versions;

  private CreatedVersions(long[] ids, long[] versions) {
    this.ids = ids;
    this.versions = versions;
  }

  /**
   * Looks rows up.
   *
   * @param ids of the rows, u64, in any order
   * @param before fragments that the rows were in; one without row ids or versions is passed over
   */
  static CreatedVersions of(long[] ids, List<Fragment> before) {
    long[] sorted = UnsignedOrder.sorted(ids);
    long[] versions = new long[sorted.length];
    Arrays.fill(versions, RowVersions.UNKNOWN);
    for (Fragment fragment : before) {
      if (fragment.rowIds().isPresent()
          && fragment.createdVersions().orElse(null) instanceof StoredSequence.Inline inline) {
        RowIdSequence sequence = NewFragments.decode(fragment);
        RowVersions created =
            RowVersionSequenceCodec.decode(inline.bytes(), NewFragments.requireRows(fragment));
        long[] offsets = sequence.offsetsOf(sorted);
        for (int i = 0; i < offsets.length; i++) {
          if (offsets[i] >= 0) {
            versions[i] = created.get(offsets[i]);
          }
        }
      }
    }
    return new CreatedVersions(sorted, versions);
  }

  /** The version that made a row that was asked for; {@link RowVersions#UNKNOWN} if none tells. */
  long of(long id) {
    return versions[UnsignedOrder.lowerBound(ids, id)];
  }
}
