package dev.narwhal.lance.datafile.write;

import java.util.ArrayList;
import java.util.List;

/** Packed structs of fields of one width, row by row. */
final class PackedFixedRows {
  private final List<Integer> widths;
  private final int rowBytes;
  private final byte[] bytes;

  private PackedFixedRows(List<Integer> widths, int rowBytes, byte[] bytes) {
    this.widths = List.copyOf(widths);
    this.rowBytes = rowBytes;
    this.bytes = bytes;
  }

  /** Bytes of each field. */
  List<Integer> widths() {
    return widths;
  }

  int rowBytes() {
    return rowBytes;
  }

  byte[] bytes() {
    return bytes;
  }

  static PackedFixedRows of(PackedLeaf values) {
    List<Integer> widths = new ArrayList<>();
    int rowBytes = 0;
    for (LeafValues field : values.fields()) {
      int width = widthOf(field);
      widths.add(width);
      rowBytes = Math.addExact(rowBytes, width);
    }
    int count = values.count();
    byte[] rows = new byte[Math.multiplyExact(count, rowBytes)];
    int start = 0;
    for (int i = 0; i < widths.size(); i++) {
      int width = widths.get(i);
      byte[] column = bytesOf(values.fields().get(i));
      for (int row = 0, from = 0, to = start; row < count; row++, from += width, to += rowBytes) {
        System.arraycopy(column, from, rows, to, width);
      }
      start += width;
    }
    return new PackedFixedRows(widths, rowBytes, rows);
  }

  /** Bytes of a field of one width. */
  static int widthOf(LeafValues field) {
    if (field instanceof FixedLeaf fixed) {
      return fixed.width();
    }
    if (field instanceof ListLeaf lists && lists.leaf() instanceof FixedLeaf items) {
      return Math.multiplyExact(lists.totalDimension(), items.width());
    }
    throw new IllegalArgumentException("a packed field of any width");
  }

  /** The values of such a field, back to back. */
  static byte[] bytesOf(LeafValues field) {
    FixedLeaf values =
        field instanceof ListLeaf lists ? (FixedLeaf) lists.leaf() : (FixedLeaf) field;
    return values.bytes().array();
  }
}
