package dev.narwhal.conformance;

import dev.narwhal.conformance.RandomColumns.Nulls;
import dev.narwhal.conformance.RandomColumns.Shape;
import java.util.Random;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

/** Fills vectors of any nesting with random values, with nulls and empty lists at every level. */
final class RandomBatch {
  private static final int MAX_ITEMS = 20_000;

  private final Random random;
  private final boolean nullStructs;

  private RandomBatch(Random random, boolean nullStructs) {
    this.random = random;
    this.nullStructs = nullStructs;
  }

  /** Fills a batch of empty vectors. */
  static void fill(VectorSchemaRoot batch, int rows, Random random) {
    fill(batch, rows, random, true);
  }

  /** The same without null structs, which files of 2.0 cannot store. */
  static void fillWithoutNullStructs(VectorSchemaRoot batch, int rows, Random random) {
    fill(batch, rows, random, false);
  }

  private static void fill(VectorSchemaRoot batch, int rows, Random random, boolean nullStructs) {
    RandomBatch filler = new RandomBatch(random, nullStructs);
    for (FieldVector vector : batch.getFieldVectors()) {
      filler.fill(vector, rows);
    }
    batch.setRowCount(rows);
  }

  private void fill(FieldVector vector, int slots) {
    Nulls nulls = pick(Nulls.values());
    switch (vector.getMinorType()) {
      case NULL -> vector.setValueCount(slots);
      case STRUCT -> struct((StructVector) vector, slots, nulls);
      case LIST, MAP -> list((ListVector) vector, slots, nulls);
      case LARGELIST -> largeList((LargeListVector) vector, slots, nulls);
      case FIXED_SIZE_LIST -> fixedSizeList((FixedSizeListVector) vector, slots, nulls);
      default -> RandomColumns.fill(vector, slots, pick(Shape.values()), nulls, random.nextLong());
    }
  }

  private void struct(StructVector struct, int slots, Nulls nulls) {
    struct.setInitialCapacity(Math.max(slots, 1));
    struct.allocateNew();
    boolean[] isNull = nulls(struct, slots, nullStructs ? nulls : Nulls.NONE);
    for (int i = 0; i < slots; i++) {
      if (isNull[i]) {
        struct.setNull(i);
      } else {
        struct.setIndexDefined(i);
      }
    }
    for (FieldVector child : struct.getChildrenFromFields()) {
      fill(child, slots);
    }
    struct.setValueCount(slots);
  }

  private void list(ListVector list, int slots, Nulls nulls) {
    list.setInitialCapacity(Math.max(slots, 1));
    list.allocateNew();
    int[] lengths = lengths(list, slots, nulls);
    int items = 0;
    for (int i = 0; i < slots; i++) {
      if (lengths[i] < 0) {
        list.setNull(i);
      } else {
        list.startNewValue(i);
        list.endValue(i, lengths[i]);
        items += lengths[i];
      }
    }
    fill(list.getDataVector(), items);
    list.setLastSet(slots - 1);
    list.setValueCount(slots);
  }

  private void largeList(LargeListVector list, int slots, Nulls nulls) {
    list.setInitialCapacity(Math.max(slots, 1));
    list.allocateNew();
    int[] lengths = lengths(list, slots, nulls);
    int items = 0;
    for (int i = 0; i < slots; i++) {
      if (lengths[i] < 0) {
        list.setNull(i);
      } else {
        list.startNewValue(i);
        list.endValue(i, lengths[i]);
        items += lengths[i];
      }
    }
    fill(list.getDataVector(), items);
    list.setLastSet(slots - 1);
    list.setValueCount(slots);
  }

  private void fixedSizeList(FixedSizeListVector list, int slots, Nulls nulls) {
    list.setInitialCapacity(Math.max(slots, 1));
    list.allocateNew();
    boolean[] isNull = nulls(list, slots, nulls);
    for (int i = 0; i < slots; i++) {
      if (isNull[i]) {
        list.setNull(i);
      } else {
        list.setNotNull(i);
      }
    }
    int items = slots * list.getListSize();
    if (list.getDataVector() instanceof FixedSizeListVector inner) {
      allValid(inner, items);
    } else {
      fill(list.getDataVector(), items);
    }
    list.setValueCount(slots);
  }

  /** Real Lance 7.0.0 ends the process on nulls anywhere in lists of one length in such lists. */
  private void allValid(FieldVector vector, int slots) {
    if (vector instanceof FixedSizeListVector list) {
      list.setInitialCapacity(Math.max(slots, 1));
      list.allocateNew();
      for (int i = 0; i < slots; i++) {
        list.setNotNull(i);
      }
      allValid(list.getDataVector(), slots * list.getListSize());
      list.setValueCount(slots);
    } else {
      RandomColumns.fill(vector, slots, pick(Shape.values()), Nulls.NONE, random.nextLong());
    }
  }

  private boolean[] nulls(FieldVector vector, int slots, Nulls nulls) {
    boolean[] isNull = new boolean[slots];
    boolean previous = false;
    for (int i = 0; i < slots && vector.getField().isNullable(); i++) {
      previous = nulls.next(random, previous);
      isNull[i] = previous;
    }
    return isNull;
  }

  /** Length of each list, -1 for null. */
  private int[] lengths(FieldVector vector, int slots, Nulls nulls) {
    boolean[] isNull = nulls(vector, slots, nulls);
    int most = pick(new Integer[] {0, 1, 3, 3, 10, 200});
    int left = MAX_ITEMS;
    int[] lengths = new int[slots];
    for (int i = 0; i < slots; i++) {
      int length = Math.min(random.nextInt(4) == 0 ? 0 : random.nextInt(most + 1), left);
      lengths[i] = isNull[i] ? -1 : length;
      left -= Math.max(lengths[i], 0);
    }
    return lengths;
  }

  private <T> T pick(T[] choices) {
    return choices[random.nextInt(choices.length)];
  }
}
