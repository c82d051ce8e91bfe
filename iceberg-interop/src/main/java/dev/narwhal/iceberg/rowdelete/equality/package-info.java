/** Equality deletes: their keys, the positions they delete, and how they are written. */
@NullMarked
package dev.narwhal.iceberg.rowdelete.equality;

import org.jspecify.annotations.NullMarked;
