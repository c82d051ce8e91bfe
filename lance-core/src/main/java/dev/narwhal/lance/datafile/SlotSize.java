package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.page.ValueShape;

/** What slots of a leaf take in Arrow memory, validity included. Pure. */
final class SlotSize {
  private static final double BIT = 1.0 / Byte.SIZE;

  private SlotSize() {}

  /** Whether values of a shape have bytes behind offsets. */
  static boolean varies(ValueShape shape) {
    if (shape instanceof ValueShape.Packed packed) {
      return packed.fields().stream().anyMatch(SlotSize::varies);
    }
    return shape instanceof ValueShape.Variable;
  }

  /** Bytes of a slot, without what is behind offsets. */
  static double bytes(ValueShape shape) {
    if (shape instanceof ValueShape.FixedWidth fixed) {
      return BIT + fixed.widthBytes();
    }
    if (shape instanceof ValueShape.Variable variable) {
      return BIT + variable.offsetBits() * BIT;
    }
    if (shape instanceof ValueShape.FixedList list) {
      return BIT + list.dimension() * bytes(list.item());
    }
    if (shape instanceof ValueShape.Packed packed) {
      return BIT + packed.fields().stream().mapToDouble(SlotSize::bytes).sum();
    }
    return 2 * BIT;
  }
}
