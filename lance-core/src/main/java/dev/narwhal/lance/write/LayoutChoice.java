package dev.narwhal.lance.write;

import dev.narwhal.lance.deletion.DeletionFile.Encoding;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.deletion.EncodedDeletions;
import java.util.Optional;

/**
 * Which form a delete gives the deletion file of a fragment. Readers accept each form at any size,
 * so this is about bytes and time alone; see docs/deletion-encodings.md.
 */
@FunctionalInterface
public interface LayoutChoice {
  /** Source: table format sheet 4.1. */
  int LANCE_ARRAY_THRESHOLD = 5_000;

  /**
   * Encodes all deleted rows of a fragment.
   *
   * @param before what the fragment's deletion file is until now; empty when it has none
   * @param rows at least one
   */
  EncodedDeletions encode(Optional<Encoding> before, DeletionVector rows);

  /** Real Lance's own choice. */
  static LayoutChoice lance() {
    return lance(LANCE_ARRAY_THRESHOLD);
  }

  /**
   * Real Lance's rule with another threshold: a bitmap stays one; a first file is a bitmap from the
   * threshold on; an array becomes one past it. Source: table format sheet 4.1.
   *
   * @param arrayThreshold number of deleted rows, at least 0
   */
  static LayoutChoice lance(int arrayThreshold) {
    return new LanceRule(arrayThreshold);
  }

  /**
   * The smallest file: a bitmap with runs where these help, or an array where the rows are so far
   * apart that the bitmap's containers cost more than the offsets.
   */
  static LayoutChoice smallest() {
    return new SmallestFile();
  }

  /**
   * The rule that real Lance follows.
   *
   * @param arrayThreshold number of deleted rows, at least 0
   */
  record LanceRule(int arrayThreshold) implements LayoutChoice {
    public LanceRule {
      if (arrayThreshold < 0) {
        throw new IllegalArgumentException("arrayThreshold must be at least 0: " + arrayThreshold);
      }
    }

    @Override
    public EncodedDeletions encode(Optional<Encoding> before, DeletionVector rows) {
      boolean bitmap =
          before.isPresent()
              ? before.get() == Encoding.BITMAP || rows.cardinality() > arrayThreshold
              : rows.cardinality() >= arrayThreshold;
      return bitmap ? EncodedDeletions.bitmap(rows) : EncodedDeletions.array(rows);
    }
  }

  /** Tries what may be smaller. */
  record SmallestFile() implements LayoutChoice {
    /** No array file is smaller: the Arrow schema, batch and footer around the offsets. */
    private static final int LEAST_ARRAY_BYTES = 512;

    /** A bitmap of more rows is smaller wherever they are, but for fragments of 10^9 rows. */
    private static final int MOST_ARRAY_ROWS = 1 << 16;

    @Override
    public EncodedDeletions encode(Optional<Encoding> before, DeletionVector rows) {
      EncodedDeletions bitmap = EncodedDeletions.bitmapWithRuns(rows);
      if (bitmap.sizeBytes() <= LEAST_ARRAY_BYTES || rows.cardinality() > MOST_ARRAY_ROWS) {
        return bitmap;
      }
      EncodedDeletions array = EncodedDeletions.array(rows);
      return array.sizeBytes() < bitmap.sizeBytes() ? array : bitmap;
    }
  }
}
