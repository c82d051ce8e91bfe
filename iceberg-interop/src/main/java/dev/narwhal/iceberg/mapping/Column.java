package dev.narwhal.iceberg.mapping;

import org.apache.arrow.vector.ExtensionTypeVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.ZeroVector;
import org.jspecify.annotations.Nullable;

/**
 * Where a value is, for messages. Values below a list are counted by element, so that their row is
 * the one that the list has in hand.
 */
final class Column {
  /** Stands for the vector before the first batch. */
  static final ValueVector UNBOUND = ZeroVector.INSTANCE;

  private final String name;
  private final @Nullable Column list;
  private long firstRow;
  private int inHand;

  Column(String name) {
    this(name, null);
  }

  private Column(String name, @Nullable Column list) {
    this.name = name;
    this.list = list;
  }

  /** A field of this column's structs. */
  Column field(String child) {
    return new Column(name + "." + child, list);
  }

  /** A part of this column's lists or maps. */
  Column part(String child) {
    return new Column(name + "." + child, this);
  }

  void at(long newFirstRow) {
    this.firstRow = newFirstRow;
  }

  /** Turns to a list, whose parts are asked for next. */
  void take(int row) {
    this.inHand = row;
  }

  private long numberOf(int row) {
    return list == null ? firstRow + row : list.numberOf(list.inHand);
  }

  /** The fault of one value. */
  UnmappableValueException fault(int row, String what) {
    return new UnmappableValueException("column " + name + ", row " + numberOf(row) + ": " + what);
  }

  /** The vector that holds the values of one of an extension type. */
  static FieldVector storage(FieldVector vector) {
    return vector instanceof ExtensionTypeVector<?> extension
        ? extension.getUnderlyingVector()
        : vector;
  }

  IllegalArgumentException unexpected(ValueVector vector) {
    return new IllegalArgumentException(
        "column " + name + ": unexpected vector of type " + vector.getField().getType());
  }
}
