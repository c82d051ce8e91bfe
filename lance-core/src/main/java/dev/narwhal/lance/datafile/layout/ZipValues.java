package dev.narwhal.lance.datafile.layout;

import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.datafile.page.ValueShape;
import dev.narwhal.lance.datafile.page.Values;
import dev.narwhal.lance.datafile.page.VariableValues;
import dev.narwhal.lance.error.LanceFormatException;

/**
 * Decodes unzipped values of variable width. Source: file format sheet 5, column "per value", rows
 * that say "variable".
 */
interface ZipValues {
  /**
   * Decodes the values of some rows.
   *
   * @param levels of the values: those that are not 0 have no bytes
   */
  Values decode(VariableValues zipped, short[] levels, Scratch scratch);

  /** The decoder of an encoding for values of a shape, which must agree. */
  static ZipValues of(Encoding encoding, ValueShape shape) {
    if (shape instanceof ValueShape.Variable) {
      return VariableZipValues.of(encoding);
    }
    if (shape instanceof ValueShape.Packed packed
        && encoding instanceof Encoding.VariablePackedStruct rows) {
      return PackedZipValues.of(rows, packed);
    }
    throw new LanceFormatException(
        "zipped values of variable width, encoded as "
            + encoding.describe()
            + ", for values of "
            + shape);
  }
}
