package dev.narwhal.iceberg.parquet;

import dev.narwhal.iceberg.mapping.UnmappableValueException;

/**
 * Whether a field may be null, and how Parquet says that it is.
 *
 * @param rows that are written
 * @param path of the field, for messages
 * @param definitionLevel of a null here; a value is one above where the field is optional
 */
record Nullability(ArrowRows rows, String path, boolean optional, int definitionLevel) {
  /** The definition level of a struct without further ado, or of an empty list. */
  int presentLevel() {
    return optional ? definitionLevel + 1 : definitionLevel;
  }

  /**
   * The definition level of the null that was found in the row in hand.
   *
   * @throws UnmappableValueException if the field is required
   */
  int nullLevel() {
    if (!optional) {
      throw rows.unexpectedNull(path);
    }
    return definitionLevel;
  }
}
