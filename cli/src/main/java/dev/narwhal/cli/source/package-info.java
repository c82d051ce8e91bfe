/** Rows from files: JSON lines, CSV, Parquet, Arrow IPC. */
@NullMarked
package dev.narwhal.cli.source;

import org.jspecify.annotations.NullMarked;
