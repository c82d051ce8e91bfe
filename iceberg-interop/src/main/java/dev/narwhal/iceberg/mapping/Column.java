package dev.narwhal.iceberg.mapping;

import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.ZeroVector;

/** Where a value is, for messages. */
final class Column {
  /** Stands for the vector before the first batch. */
  static final ValueVector UNBOUND = ZeroVector.INSTANCE;

  private final String name;
  private long firstRow;

  Column(String name) {
    this.name = name;
  }

  void at(long newFirstRow) {
    this.firstRow = newFirstRow;
  }

  /** The fault of one value. */
  UnmappableValueException fault(int row, String what) {
    return new UnmappableValueException(
        "column " + name + ", row " + (firstRow + row) + ": " + what);
  }

  IllegalArgumentException unexpected(ValueVector vector) {
    return new IllegalArgumentException(
        "column " + name + ": unexpected vector of type " + vector.getField().getType());
  }
}
