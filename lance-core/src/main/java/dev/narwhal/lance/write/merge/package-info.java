/**
 * Merge insert: rows of a source are matched with the table's by key; matched rows are updated or
 * deleted, others inserted. Source: table format sheet 7.
 */
@NullMarked
package dev.narwhal.lance.write.merge;

import org.jspecify.annotations.NullMarked;
