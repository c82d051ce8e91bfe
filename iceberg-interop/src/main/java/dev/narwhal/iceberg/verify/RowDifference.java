package dev.narwhal.iceberg.verify;

import dev.narwhal.iceberg.table.InParallel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which rows make two sides differ. Looks only at ranges of hashes whose digests differ, and only
 * at as many of them as fit in memory; then reads the rows to show once more.
 *
 * @param missing rows of the left side that the right one lacks
 * @param unexpected rows of the right side that the left one lacks
 */
record RowDifference(
    List<Map<String, @Nullable Object>> missing, List<Map<String, @Nullable Object>> unexpected) {
  private static final int SHOWN = 10;

  /** Rows whose hashes are held at a time: about 100 bytes each. */
  private static final long HELD_ROWS = 1L << 20;

  static RowDifference of(RowSet left, RowSet right, RowsDigest ofLeft, RowsDigest ofRight)
      throws IOException {
    BitSet buckets = buckets(ofLeft, ofRight);
    Map<RowHash, Integer> surplus = new HashMap<>();
    count(left, buckets, 1, surplus);
    count(right, buckets, -1, surplus);
    return new RowDifference(rows(left, first(surplus, 1)), rows(right, first(surplus, -1)));
  }

  private static BitSet buckets(RowsDigest left, RowsDigest right) {
    BitSet chosen = new BitSet(RowsDigest.BUCKETS);
    long rows = 0;
    for (int bucket : left.differingBuckets(right)) {
      rows += left.rows(bucket) + right.rows(bucket);
      if (!chosen.isEmpty() && rows > HELD_ROWS) {
        break;
      }
      chosen.set(bucket);
    }
    return chosen;
  }

  private static void count(RowSet side, BitSet buckets, int sign, Map<RowHash, Integer> surplus)
      throws IOException {
    List<Map<RowHash, Integer>> counted =
        InParallel.map(side.parts(), part -> count(part, buckets, sign));
    for (Map<RowHash, Integer> part : counted) {
      part.forEach((hash, count) -> surplus.merge(hash, count, Integer::sum));
    }
  }

  private static Map<RowHash, Integer> count(RowSet.Part part, BitSet buckets, int sign)
      throws IOException {
    Map<RowHash, Integer> counts = new HashMap<>();
    part.forEach(
        row -> {
          RowHash hash = RowHash.of(row.array(), row.length());
          if (buckets.get(RowsDigest.bucket(hash))) {
            counts.merge(hash, sign, Integer::sum);
          }
          return true;
        });
    return counts;
  }

  /** The first hashes of which one side has more rows, and how many of them to show. */
  private static TreeMap<RowHash, Integer> first(Map<RowHash, Integer> surplus, int sign) {
    TreeMap<RowHash, Integer> all = new TreeMap<>();
    surplus.forEach(
        (hash, count) -> {
          if (count * sign > 0) {
            all.put(hash, count * sign);
          }
        });
    TreeMap<RowHash, Integer> first = new TreeMap<>();
    int left = SHOWN;
    for (Map.Entry<RowHash, Integer> entry : all.entrySet()) {
      if (left == 0) {
        break;
      }
      int shown = Math.min(left, entry.getValue());
      first.put(entry.getKey(), shown);
      left -= shown;
    }
    return first;
  }

  private static List<Map<String, @Nullable Object>> rows(
      RowSet side, TreeMap<RowHash, Integer> wanted) throws IOException {
    TreeMap<RowHash, Map<String, @Nullable Object>> found = new TreeMap<>();
    for (RowSet.Part part : side.parts()) {
      if (found.size() == wanted.size()) {
        break;
      }
      part.forEach(
          row -> {
            RowHash hash = RowHash.of(row.array(), row.length());
            if (wanted.containsKey(hash) && !found.containsKey(hash)) {
              found.put(
                  hash,
                  RowDecoder.decode(ByteBuffer.wrap(row.array(), 0, row.length()), side.schema()));
            }
            return found.size() < wanted.size();
          });
    }
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    found.forEach(
        (hash, row) -> {
          for (int i = 0; i < wanted.getOrDefault(hash, 0); i++) {
            rows.add(row);
          }
        });
    return rows;
  }
}
