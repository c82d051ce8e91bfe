package dev.narwhal.iceberg.mapping;

/**
 * The entries of maps of one column, written to {@link RowBytes} in any order. Used for map after
 * map; for one thread.
 */
public final class MapEntries {
  private final RowBytes out;
  private final Pieces pieces = new Pieces();

  public MapEntries(RowBytes out) {
    this.out = out;
  }

  /** Begins a map. */
  public void begin(int size) {
    out.beginMap(size);
    pieces.clear();
  }

  /** Begins an entry: key and value are to follow. */
  public void next() {
    pieces.add(out.length());
  }

  /** Ends the map: puts its entries in order. */
  public void end() {
    out.endMap(pieces);
  }
}
