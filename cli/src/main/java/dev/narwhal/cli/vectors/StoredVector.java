package dev.narwhal.cli.vectors;

import static java.util.Objects.requireNonNull;

import dev.narwhal.puffin.PositionSet;

/**
 * A deletion vector and what is known of where it came from or goes to.
 *
 * @param bytes size of its encoding: of the vector alone, as the format records it, where a file
 *     can hold several
 */
public record StoredVector(VectorFormat format, PositionSet positions, long bytes) {
  public StoredVector {
    requireNonNull(format, "format");
    requireNonNull(positions, "positions");
  }
}
