package dev.narwhal.conformance.bench;

import dev.narwhal.lance.deletion.DeletionVector;
import java.util.SplittableRandom;
import org.roaringbitmap.RoaringBitmap;

/** Deleted rows of a fragment, by how they lie. The same for the same numbers. */
enum DeletedRows {
  /** Each row for itself. */
  SCATTERED {
    @Override
    void add(RoaringBitmap rows, SplittableRandom random, int physicalRows, int count) {
      while (rows.getCardinality() < count) {
        rows.add(random.nextInt(physicalRows));
      }
    }
  },

  /** Groups of about 100 rows, of which every other one is deleted. */
  CLUSTERED {
    @Override
    void add(RoaringBitmap rows, SplittableRandom random, int physicalRows, int count) {
      while (rows.getCardinality() < count) {
        int start = random.nextInt(physicalRows);
        int end = Math.min(physicalRows, start + 200);
        for (int row = start; row < end && rows.getCardinality() < count; row++) {
          if (random.nextBoolean()) {
            rows.add(row);
          }
        }
      }
    }
  },

  /** Runs of about 1,000 rows. */
  RANGES {
    @Override
    void add(RoaringBitmap rows, SplittableRandom random, int physicalRows, int count) {
      while (rows.getCardinality() < count) {
        int start = random.nextInt(physicalRows);
        int length = Math.min(500 + random.nextInt(1_000), count - rows.getCardinality());
        rows.add((long) start, Math.min(physicalRows, (long) start + length));
      }
    }
  };

  abstract void add(RoaringBitmap rows, SplittableRandom random, int physicalRows, int count);

  /**
   * Rows of a fragment of which a share is deleted.
   *
   * @param share in (0, 1)
   */
  DeletionVector of(int physicalRows, double share) {
    RoaringBitmap rows = new RoaringBitmap();
    add(rows, new SplittableRandom(42), physicalRows, (int) Math.max(1, physicalRows * share));
    return DeletionVector.of(rows);
  }
}
