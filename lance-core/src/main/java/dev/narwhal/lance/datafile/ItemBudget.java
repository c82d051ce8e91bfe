package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * How many items the lists of one call may have. Callers bound rows, but items come from the file,
 * and a page of nulls or of one constant claims any number of them without a byte behind it. Items
 * may take a fixed amount of memory and besides what the bytes of the file can justify.
 *
 * @param fileBytes size of the file
 */
record ItemBudget(long fileBytes) {
  private static final long FREE_BYTES = 16 << 20;
  private static final int BYTES_PER_FILE_BYTE = 4;

  /**
   * Refuses a number of items.
   *
   * @param item the Arrow field of an item
   * @throws UnsupportedFeatureException that asks for smaller batches
   */
  void check(Field item, long items) {
    double limit = FREE_BYTES + (double) BYTES_PER_FILE_BYTE * fileBytes;
    if (items >= Integer.MAX_VALUE
        || items * Math.max(slotBits(item), Integer.SIZE) > limit * Byte.SIZE) {
      throw new UnsupportedFeatureException(
          "the lists of one batch have "
              + items
              + " items, more than 2 GiB or the size of the file can justify: read smaller"
              + " batches");
    }
  }

  /** Bits of an Arrow slot, without what lies behind offsets; at least the validity's. */
  static double slotBits(Field field) {
    return switch (field.getType().getTypeID()) {
      case Struct -> 1 + field.getChildren().stream().mapToDouble(ItemBudget::slotBits).sum();
      case List, Map -> 1 + Integer.SIZE;
      case LargeList -> 1 + Long.SIZE;
      case FixedSizeList ->
          1
              + ((ArrowType.FixedSizeList) field.getType()).getListSize()
                  * slotBits(field.getChildren().get(0));
      default -> 1 + leafBits(ValueShape.of(field));
    };
  }

  private static double leafBits(ValueShape shape) {
    if (shape instanceof ValueShape.FixedWidth fixed) {
      return 8.0 * fixed.widthBytes();
    }
    if (shape instanceof ValueShape.Variable variable) {
      return variable.offsetBits();
    }
    return 1;
  }
}
