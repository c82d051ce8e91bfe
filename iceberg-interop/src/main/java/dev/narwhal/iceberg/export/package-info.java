/** A version of a Lance dataset into an Iceberg table. */
@NullMarked
package dev.narwhal.iceberg.export;

import org.jspecify.annotations.NullMarked;
