package dev.narwhal.lance.datafile;

import java.util.List;

/**
 * What a column is, for people.
 *
 * @param index of the column in the file
 * @param fieldId of the field that it belongs to
 * @param name of the field, with the names of those above it, joined by dots
 * @param logicalType of the field
 */
public record ColumnInfo(
    int index, int fieldId, String name, String logicalType, List<PageInfo> pages) {
  public ColumnInfo {
    pages = List.copyOf(pages);
  }
}
