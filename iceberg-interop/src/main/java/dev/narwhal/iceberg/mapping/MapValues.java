package dev.narwhal.iceberg.mapping;

import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;

/**
 * Values of an Iceberg {@code map}. A map is taken in hand; its entries are rows {@code [start(),
 * end())} of {@link #keys} and {@link #values}.
 *
 * <p>A Lance map is a list of entries and may have a key twice; an Iceberg map has each key once,
 * in no order. So a key that is there twice is a fault: either entry would be lost.
 */
public final class MapValues implements ColumnValues {
  private final Column column;
  private final ColumnValues keys;
  private final ColumnValues values;
  private final RowBytes keyBytes = new RowBytes();
  private final Pieces pieces = new Pieces();
  private final ValueEncoder keyEncoder;
  private ValueVector vector = Column.UNBOUND;
  private Spans spans = Spans.NONE;
  private int start;
  private int end;

  MapValues(Column column, ColumnValues keys, ColumnValues values) {
    this.column = column;
    this.keys = keys;
    this.values = values;
    this.keyEncoder = ValueEncoder.of(keys, keyBytes);
  }

  /** The keys of all rows of the batch, one after the other. */
  public ColumnValues keys() {
    return keys;
  }

  /** The values that go with the {@link #keys}. */
  public ColumnValues values() {
    return values;
  }

  @Override
  public void bind(FieldVector newVector, long firstRow) {
    if (!(newVector instanceof MapVector maps
        && maps.getDataVector() instanceof StructVector entries)) {
      throw column.unexpected(newVector);
    }
    column.at(firstRow);
    this.spans = Spans.of(maps);
    this.vector = maps;
    keys.bind(entries.getChildrenFromFields().get(0), firstRow);
    values.bind(entries.getChildrenFromFields().get(1), firstRow);
  }

  @Override
  public boolean isNull(int row) {
    return vector.isNull(row);
  }

  /**
   * Takes the map of a row in hand, before its entries are asked for.
   *
   * @throws UnmappableValueException if a key is there twice
   */
  public void take(int row) {
    column.take(row);
    this.start = spans.start(row);
    this.end = spans.end(row);
    if (end - start > 1) {
      checkKeys(row);
    }
  }

  private void checkKeys(int row) {
    keyBytes.clear();
    pieces.clear();
    for (int entry = start; entry < end; entry++) {
      pieces.add(keyBytes.length());
      keyEncoder.encode(entry);
    }
    pieces.end(keyBytes.length());
    if (pieces.hasDuplicates(keyBytes.array())) {
      throw column.fault(row, "the map has a key twice, which an Iceberg map cannot");
    }
  }

  /** The first entry of the map in hand. */
  public int start() {
    return start;
  }

  /** After its last entry. */
  public int end() {
    return end;
  }

  @Override
  public <R> R accept(Visitor<R> visitor) {
    return visitor.map(this);
  }
}
