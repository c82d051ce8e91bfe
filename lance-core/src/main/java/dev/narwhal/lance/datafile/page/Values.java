package dev.narwhal.lance.datafile.page;

/**
 * Decoded values on their way into a vector: some slots in a row, read-only, usually a view that is
 * valid until the {@link Scratch} behind it is reset. One variant per {@link ValueShape} that has
 * bytes; a {@link VectorBuilder} takes the variant of its own shape.
 */
public sealed interface Values
    permits BitValues, FixedValues, ListValues, PackedValues, VariableValues {
  /** Number of slots. */
  int count();
}
