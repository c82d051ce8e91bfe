/**
 * Deletion vectors as bytes: sets of 63-bit positions, the layouts in which Iceberg, Paimon and
 * Delta store them, and the Puffin files that hold Iceberg's. It knows neither datasets nor tables.
 *
 * <p>{@link dev.narwhal.puffin.PositionSet} is the value; one codec class per layout turns it into
 * bytes and back. {@link dev.narwhal.puffin.PortableRoaring} and {@link dev.narwhal.puffin.DvFrame}
 * are the short way: 32-bit portable Roaring bytes, checked and framed without ever becoming
 * positions.
 */
@NullMarked
package dev.narwhal.puffin;

import org.jspecify.annotations.NullMarked;
