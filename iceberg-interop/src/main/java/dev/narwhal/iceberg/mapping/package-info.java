/**
 * Columns of Lance (as Arrow) and of Iceberg: which type becomes which, and the values on the way.
 * The table is {@code docs/type-mapping.md}.
 */
@NullMarked
package dev.narwhal.iceberg.mapping;

import org.jspecify.annotations.NullMarked;
