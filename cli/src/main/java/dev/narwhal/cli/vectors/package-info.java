/** Deletion vectors in files of any of the layouts, read and written as one set of positions. */
@NullMarked
package dev.narwhal.cli.vectors;

import org.jspecify.annotations.NullMarked;
