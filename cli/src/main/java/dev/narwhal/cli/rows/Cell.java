package dev.narwhal.cli.rows;

import java.io.IOException;

/** One column of one batch: writes the value of a row. */
@FunctionalInterface
interface Cell {
  /** Writes the value at an index of the vector. */
  void write(int row, ValueWriter out) throws IOException;
}
