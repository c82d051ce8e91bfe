package dev.narwhal.lance.datafile.page;

import dev.narwhal.lance.error.LanceFormatException;
import java.util.List;

/** Structs: value i is value i of each field. */
public final class PackedValues implements Values {
  private final List<Values> fields;
  private final int count;

  /**
   * @param fields each with at least {@code count} values, else it is a LanceFormatException
   */
  public PackedValues(List<? extends Values> fields, int count) {
    this.fields = List.copyOf(fields);
    this.count = count;
    for (Values field : this.fields) {
      if (field.count() < count) {
        throw new LanceFormatException(
            "field of " + field.count() + " values in " + count + " packed structs");
      }
    }
  }

  @Override
  public int count() {
    return count;
  }

  /** The fields, in the order of the struct. */
  public List<Values> fields() {
    return fields;
  }
}
