/** Deletes of rows of Iceberg tables, by writing positions or by rewriting files. */
@NullMarked
package dev.narwhal.iceberg.rowdelete;

import org.jspecify.annotations.NullMarked;
