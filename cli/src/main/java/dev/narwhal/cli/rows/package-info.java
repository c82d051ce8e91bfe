/** Rows of Arrow batches as JSON lines, CSV or an Arrow stream. */
@NullMarked
package dev.narwhal.cli.rows;

import org.jspecify.annotations.NullMarked;
