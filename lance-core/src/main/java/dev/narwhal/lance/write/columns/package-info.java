/** Columns that a table gets later: null, computed, or given row by row. */
@NullMarked
package dev.narwhal.lance.write.columns;

import org.jspecify.annotations.NullMarked;
