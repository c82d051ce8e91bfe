package dev.narwhal.lance.datafile.layout;

/**
 * What one node of the schema contributes to the levels of a page, leaf first. Source: file format
 * sheet 3.3.
 */
public enum Layer {
  ALL_VALID_ITEM(0, false),
  ALL_VALID_LIST(0, true),
  NULLABLE_ITEM(1, false),
  NULLABLE_LIST(1, true),
  EMPTYABLE_LIST(1, true),
  NULL_AND_EMPTY_LIST(2, true);

  private final int levels;
  private final boolean list;

  Layer(int levels, boolean list) {
    this.levels = levels;
    this.list = list;
  }

  /** Definition levels it takes. */
  public int levels() {
    return levels;
  }

  /** Whether it takes a repetition level. */
  public boolean isList() {
    return list;
  }
}
