package dev.narwhal.lance.write.merge;

import dev.narwhal.lance.error.DuplicateKeysException;
import dev.narwhal.lance.error.KeysExistException;
import dev.narwhal.lance.error.PredicateEvaluationException;
import dev.narwhal.lance.predicate.RowMask;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the source with its matches, in its order, and says what becomes of each row:
 * matched rows first, then, in a second pass, those that are not matched. One thread. Source: table
 * format sheet 7.2.
 */
final class RowActions {
  private final SourceSpool source;
  private final PairRuns pairs;
  private final DuplicateRows duplicates;
  private final String place;
  private final List<Field> keyColumns;

  /** Rows of the table that leave their places. */
  private final AddressSet moved = new AddressSet();

  /** Rows of the table that have a match, whatever becomes of them. */
  private final AddressSet matched = new AddressSet();

  private final boolean remembersMatched;
  private final PairPace pace = new PairPace();

  /** Takes the rows that are updated. */
  @FunctionalInterface
  interface Updates {
    /**
     * Takes some of them.
     *
     * @param firstRow number of the batch's first row in the source
     * @param positions rows of the batch
     * @param addresses of the table's rows, one for each
     */
    void accept(VectorSchemaRoot batch, long firstRow, int[] positions, long[] addresses)
        throws IOException;
  }

  /** Takes the rows that are inserted. */
  @FunctionalInterface
  interface Inserts {
    /**
     * Takes some of them.
     *
     * @param positions rows of the batch
     */
    void accept(VectorSchemaRoot batch, int[] positions) throws IOException;
  }

  /**
   * @param place the dataset, for messages
   * @param remembersMatched whether it will be asked which rows have a match
   */
  RowActions(
      String place,
      List<Field> keyColumns,
      SourceSpool source,
      PairRuns pairs,
      DuplicateRows duplicates,
      boolean remembersMatched) {
    this.place = place;
    this.keyColumns = keyColumns;
    this.source = source;
    this.pairs = pairs;
    this.duplicates = duplicates;
    this.remembersMatched = remembersMatched;
  }

  /** Rows of the table that leave their places, as far as the source says so. */
  AddressSet moved() {
    return moved;
  }

  /** Is to be told what the rows take that are read of the table. */
  PairPace pace() {
    return pace;
  }

  /** Rows of the table that have a match. */
  AddressSet matched() {
    return matched;
  }

  /**
   * Rows that get the source's values.
   *
   * @param condition empty updates all that are matched
   * @return their number
   * @throws DuplicateKeysException when two rows of the source would update one of the table
   */
  long update(@Nullable UpdateCondition condition, Updates updates) throws IOException {
    KeyText ambiguous = new KeyText(keyColumns);
    forEachMatch(
        (batch, firstRow, positions, addresses) -> {
          int[] rows = positions;
          long[] targets = addresses;
          if (condition != null) {
            RowMask met = evaluate(condition, batch, firstRow, positions, addresses);
            rows = kept(positions, met);
            targets = kept(addresses, met);
          }
          RowMask first = claim(batch, rows, targets, ambiguous);
          rows = kept(rows, first);
          targets = kept(targets, first);
          if (ambiguous.keys().isEmpty()) {
            updates.accept(batch, firstRow, rows, targets);
          }
          return !ambiguous.isFull();
        });
    if (!ambiguous.keys().isEmpty()) {
      throw new DuplicateKeysException(place, ambiguous.keys());
    }
    return moved.cardinality();
  }

  /**
   * Rows that are deleted because they are matched, however often.
   *
   * @return their number
   */
  long delete() throws IOException {
    forEachMatch(
        (batch, firstRow, positions, addresses) -> {
          for (long address : addresses) {
            moved.add(address);
          }
          return true;
        });
    return moved.cardinality();
  }

  /** Finds out which rows are matched, if that was not done on the way. */
  void findMatched() throws IOException {
    forEachMatch((batch, firstRow, positions, addresses) -> true);
  }

  /**
   * Throws when a row is matched.
   *
   * @throws KeysExistException naming some of them
   */
  void requireNoMatch() throws IOException {
    KeyText known = new KeyText(keyColumns);
    forEachMatch(
        (batch, firstRow, positions, addresses) -> {
          for (int position : positions) {
            known.add(batch, position);
          }
          return !known.isFull();
        });
    if (!known.keys().isEmpty()) {
      throw new KeysExistException(place, known.keys());
    }
  }

  /**
   * Rows that are not matched.
   *
   * @return their number
   */
  long insert(Inserts inserts) throws IOException {
    long inserted = 0;
    try (SourceSpool.Pass pass = source.open();
        PairCursor cursor = pairs.open()) {
      boolean more = cursor.next();
      while (pass.next()) {
        int rows = pass.batch().getRowCount();
        int[] positions = new int[rows];
        int count = 0;
        for (int row = 0; row < rows; row++) {
          long number = pass.firstRow() + row;
          if (more && cursor.row() == number) {
            while (more && cursor.row() == number) {
              more = cursor.next();
            }
          } else {
            positions[count++] = row;
          }
        }
        inserts.accept(pass.batch(), Arrays.copyOf(positions, count));
        inserted += count;
      }
    }
    return inserted;
  }

  /** Takes pairs of one batch; returns whether it wants more. */
  @FunctionalInterface
  private interface Matches {
    boolean accept(VectorSchemaRoot batch, long firstRow, int[] positions, long[] addresses)
        throws IOException;
  }

  private void forEachMatch(Matches matches) throws IOException {
    try (SourceSpool.Pass pass = source.open();
        PairCursor cursor = pairs.open()) {
      int[] positions = new int[1024];
      long[] addresses = new long[1024];
      boolean more = cursor.next();
      boolean wanted = true;
      while (more && wanted && pass.next()) {
        long end = pass.firstRow() + pass.batch().getRowCount();
        while (more && wanted && cursor.row() < end) {
          int count = 0;
          while (more && cursor.row() < end && count < pace.pairs()) {
            if (count == positions.length) {
              positions = Arrays.copyOf(positions, 2 * count);
              addresses = Arrays.copyOf(addresses, 2 * count);
            }
            positions[count] = (int) (cursor.row() - pass.firstRow());
            addresses[count] = cursor.address();
            if (remembersMatched) {
              matched.add(addresses[count]);
            }
            count++;
            more = cursor.next();
          }
          wanted =
              matches.accept(
                  pass.batch(),
                  pass.firstRow(),
                  Arrays.copyOf(positions, count),
                  Arrays.copyOf(addresses, count));
          pace.endRound(count);
        }
      }
    }
  }

  /** Says which row of the source has no result. */
  private RowMask evaluate(
      UpdateCondition condition,
      VectorSchemaRoot batch,
      long firstRow,
      int[] positions,
      long[] addresses)
      throws IOException {
    try {
      return condition.evaluate(batch, positions, addresses);
    } catch (PredicateEvaluationException e) {
      throw e.in(place + ": row " + (firstRow + positions[e.row()]) + " of the source");
    }
  }

  /** Which pairs are the first with their row of the table. */
  private RowMask claim(
      VectorSchemaRoot batch, int[] positions, long[] addresses, KeyText ambiguous) {
    RowMask first = new RowMask(addresses.length);
    for (int i = 0; i < addresses.length; i++) {
      if (moved.add(addresses[i])) {
        first.set(i);
      } else if (duplicates == DuplicateRows.FAIL) {
        ambiguous.add(batch, positions[i]);
      }
    }
    return first;
  }

  private static int[] kept(int[] values, RowMask kept) {
    int[] result = new int[kept.cardinality()];
    int count = 0;
    for (int i = 0; i < values.length; i++) {
      if (kept.get(i)) {
        result[count++] = values[i];
      }
    }
    return result;
  }

  private static long[] kept(long[] values, RowMask kept) {
    long[] result = new long[kept.cardinality()];
    int count = 0;
    for (int i = 0; i < values.length; i++) {
      if (kept.get(i)) {
        result[count++] = values[i];
      }
    }
    return result;
  }
}
