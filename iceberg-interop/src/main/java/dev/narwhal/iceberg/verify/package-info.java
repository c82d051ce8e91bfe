/** Whether a dataset and a table have the same live rows, and which rows differ. */
@NullMarked
package dev.narwhal.iceberg.verify;

import org.jspecify.annotations.NullMarked;
