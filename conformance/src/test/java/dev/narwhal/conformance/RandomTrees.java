package dev.narwhal.conformance;

import dev.narwhal.conformance.RandomColumns.Nulls;
import dev.narwhal.conformance.RandomColumns.Shape;
import java.util.Random;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;

/** Fills nested vectors, the same for the same seed; leaves as {@link RandomColumns} does. */
final class RandomTrees {
  private static final int LONG_LIST = 40_000;

  private final Nulls nulls;
  private final Shape shape;
  private final Random random;

  private RandomTrees(Nulls nulls, Shape shape, long seed) {
    this.nulls = nulls;
    this.shape = shape;
    this.random = new Random(seed);
  }

  /** How long lists are. */
  enum Lengths {
    /** 0 to 4. */
    SHORT,
    /** 1 to 3: none is empty. */
    NOT_EMPTY,
    /** 0 to 1,500: most end in another chunk. */
    CHUNKS,
    /** A few of 40,000 among short and empty ones. */
    HUGE,
    ALL_EMPTY;

    private int next(Random random) {
      return switch (this) {
        case SHORT -> random.nextInt(5);
        case NOT_EMPTY -> 1 + random.nextInt(3);
        case CHUNKS -> random.nextInt(4) == 0 ? 0 : random.nextInt(1500);
        case HUGE -> random.nextInt(25) == 0 ? LONG_LIST : random.nextInt(3);
        case ALL_EMPTY -> 0;
      };
    }
  }

  /** Fills a fresh vector, and all below it. Only outer lists are long. */
  static void fill(
      FieldVector vector, int rows, Lengths lengths, Nulls nulls, Shape shape, long seed) {
    new RandomTrees(nulls, shape, seed).fill(vector, rows, lengths);
  }

  private void fill(FieldVector vector, int rows, Lengths here) {
    if (vector instanceof StructVector structs) {
      fillStructs(structs, rows, here);
    } else if (vector instanceof ListVector lists) {
      fillLists(lists, rows, here);
    } else if (vector instanceof LargeListVector lists) {
      fillLargeLists(lists, rows, here);
    } else if (vector instanceof FixedSizeListVector lists
        && !lists.getDataVector().getField().getChildren().isEmpty()) {
      fillFixedSizeLists(lists, rows, here);
    } else if (vector instanceof NullVector) {
      vector.setValueCount(rows);
    } else {
      boolean nullable = vector.getField().isNullable();
      RandomColumns.fill(vector, rows, shape, nullable ? nulls : Nulls.NONE, random.nextLong());
    }
  }

  private void fillStructs(StructVector structs, int rows, Lengths here) {
    structs.setInitialCapacity(rows);
    structs.allocateNew();
    for (FieldVector child : structs.getChildrenFromFields()) {
      child.clear();
      fill(child, rows, here);
    }
    structs.setValueCount(rows);
    for (int i = 0; i < rows; i++) {
      if (isNull(structs, i, rows)) {
        structs.setNull(i);
      } else {
        structs.setIndexDefined(i);
      }
    }
  }

  private void fillLists(ListVector lists, int rows, Lengths here) {
    lists.setInitialCapacity(rows);
    lists.allocateNew();
    int items = 0;
    for (int i = 0; i < rows; i++) {
      if (isNull(lists, i, rows)) {
        lists.setNull(i);
      } else {
        int length = here.next(random);
        lists.startNewValue(i);
        lists.endValue(i, length);
        items += length;
      }
    }
    lists.getDataVector().clear();
    fill(lists.getDataVector(), items, inner(here));
    if (lists instanceof MapVector) {
      validateEntries((StructVector) lists.getDataVector(), items);
    }
    lists.setValueCount(rows);
  }

  private void fillLargeLists(LargeListVector lists, int rows, Lengths here) {
    lists.setInitialCapacity(rows);
    lists.allocateNew();
    int items = 0;
    for (int i = 0; i < rows; i++) {
      if (isNull(lists, i, rows)) {
        lists.setNull(i);
      } else {
        int length = here.next(random);
        lists.startNewValue(i);
        lists.endValue(i, length);
        items += length;
      }
    }
    lists.getDataVector().clear();
    fill(lists.getDataVector(), items, inner(here));
    lists.setValueCount(rows);
  }

  private void fillFixedSizeLists(FixedSizeListVector lists, int rows, Lengths here) {
    lists.setInitialCapacity(rows);
    lists.allocateNew();
    lists.getDataVector().clear();
    fill(lists.getDataVector(), rows * lists.getListSize(), here);
    for (int i = 0; i < rows; i++) {
      if (isNull(lists, i, rows)) {
        lists.setNull(i);
      } else {
        lists.setNotNull(i);
      }
    }
    lists.setValueCount(rows);
  }

  private static void validateEntries(StructVector entries, int count) {
    for (int i = 0; i < count; i++) {
      entries.setIndexDefined(i);
    }
  }

  private static Lengths inner(Lengths outer) {
    return outer == Lengths.ALL_EMPTY ? outer : Lengths.SHORT;
  }

  private boolean isNull(FieldVector vector, int row, int rows) {
    return vector.getField().isNullable()
        && switch (nulls) {
          case NONE -> false;
          case SOME -> random.nextInt(6) == 0;
          case STRETCHES -> row / Math.max(1, rows / 4) % 2 == 1;
          case ALL -> true;
        };
  }
}
