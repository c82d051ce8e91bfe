/**
 * Updates: columns of some rows are set to the values of expressions.
 *
 * <pre>
 * RowUpdate         rows written anew elsewhere, the old ones deleted (REWRITE_ROWS)
 * ColumnRewrite     columns written anew in place, fragment by fragment (REWRITE_COLUMNS)
 * Assignments       SET, bound to a table
 * MovedRows         what left its place, and which ids it takes along
 * </pre>
 *
 * <p>Source: table format sheet 6.
 */
@NullMarked
package dev.narwhal.lance.write.update;

import org.jspecify.annotations.NullMarked;
