/** Rows of data files, read by column and gathered into Arrow vectors. */
@NullMarked
package dev.narwhal.iceberg.rowdelete.rows;

import org.jspecify.annotations.NullMarked;
