/** Iceberg tables, found by location or in a catalog. */
@NullMarked
package dev.narwhal.iceberg.table;

import org.jspecify.annotations.NullMarked;
